// One tenant's agents and what is read of their cards, for tests of whoever reads them.
import { decodeInbox, partitionOf } from '#event-log';
import { until } from '../dispatch/dispatch-story.ts';
import { type CardServer, exampleCard } from './card-server.ts';
import type { EdgeAnswer, EdgeApp } from './edge-app.ts';

/** Two kinds that a card may declare. */
export const arrivalKind = {
  kind: 'shipment.arrival',
  subjectType: 'shipment',
  describes: 'an arrival',
  basis: 'observed',
} as const;
export const departureKind = { ...arrivalKind, kind: 'shipment.departure', describes: 'a departure' } as const;

/** What the tests look at of an agent. */
export interface ShownAgent {
  readonly findings: readonly { readonly code: string; readonly message: string }[];
  readonly declaration: { readonly kinds: readonly { readonly kind: string }[] };
  readonly card: {
    readonly version: number;
    readonly changes?: object;
    readonly problem?: { readonly code: string; readonly failuresCount: number };
  };
}

let storiesCount = 0;

export class CardStory {
  private constructor(
    readonly tenant: string,
    private readonly key: string,
    private readonly edge: EdgeApp,
    private readonly cards: CardServer,
    /** Reads what is due once. */
    private readonly pass: () => Promise<unknown>,
  ) {}

  /** A tenant of the story's own; the server serves the example again. */
  static async begin(edge: EdgeApp, cards: CardServer, pass: () => Promise<unknown>): Promise<CardStory> {
    Object.assign(cards, { card: exampleCard(), status: 200, headers: {} });
    storiesCount += 1;
    const tenant = `story-${storiesCount}`;
    return new CardStory(tenant, await edge.key({ tenant, scopes: ['agents'] }), edge, cards, pass);
  }

  call(method: string, path: string): Promise<EdgeAnswer> {
    return this.edge.call(method, `/v1/agents/${path}`, { key: this.key });
  }

  async register(agentId: string): Promise<ShownAgent> {
    const json = { cardUrl: this.cards.url };
    const answer = await this.edge.call('PUT', `/v1/agents/${agentId}`, { key: this.key, json });
    if (answer.status !== 200) throw new Error(`it was not registered: ${JSON.stringify(answer.body)}`);
    return answer.body as ShownAgent;
  }

  async show(agentId: string): Promise<ShownAgent> {
    return (await this.call('GET', agentId)).body as ShownAgent;
  }

  readNow(agentId: string): Promise<EdgeAnswer> {
    return this.call('POST', `${agentId}/card/read`);
  }

  async versions(agentId: string): Promise<readonly object[]> {
    return ((await this.call('GET', `${agentId}/cards`)).body as { readonly items: readonly object[] }).items;
  }

  /** What the log was told that the tenant's agents declare, in order. */
  async declared(): Promise<readonly unknown[]> {
    const { tenant, edge } = this;
    const place = { from: 0, limit: 10_000 };
    const records = await edge.log.read('inbox', partitionOf(tenant, edge.log.partitionCount), place);
    const own = records.filter((record) => record.tenant === tenant).map(({ value }) => decodeInbox(value));
    return own.flatMap((input) => ('type' in input && input.type === 'agentDeclared' ? [input.params] : []));
  }

  /** The tenant's cards are due, and nobody has claimed them. */
  async makeDue(): Promise<void> {
    await this.edge.database.query(
      `UPDATE duewatch_edge.card_reading
       SET next_read_at = now() - interval '1 hour', claimed_until = NULL WHERE tenant = $1`,
      [this.tenant],
    );
  }

  /** Reads what is due, here or in the background, until it is so. */
  async readDue(isDone: () => boolean | Promise<boolean>): Promise<void> {
    await this.makeDue();
    await this.pass();
    await until(isDone);
  }
}
