// Agents' tasks and facts posted at once by several keys of several tenants, each until it is taken, for tests of what
// becomes of them. It must never count as taken what was not answered so.
import type { Watcher } from './watcher.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const retryMs = 25;
/** One task in so many brings a lapse: they are delivered one by one, and none is to be waited for long. */
const aLapse = 3;

/** What one tenant was told is taken. */
export interface Taken {
  readonly tenant: string;
  readonly key: string;
  readonly expectationIds: string[];
  readonly factKeys: string[];
}

/** What a write was told. */
export interface Answer {
  readonly tenant: string;
  readonly status: number;
  /** An id or a factKey each. */
  readonly names: readonly string[];
  readonly body: {
    readonly position: string;
    /** Absent where it was not decided yet. */
    readonly results?: readonly { readonly outcome?: string; readonly expectations?: readonly { outcome: string }[] }[];
  };
}

/** It had been taken before, and that was not heard. */
export function isRepeated({ body: { results = [] } }: Answer): boolean {
  return results.some(({ outcome, expectations = [] }) =>
    [outcome, ...expectations.map((expectation) => expectation.outcome)].includes('repeated'),
  );
}

interface Key {
  readonly taken: Taken;
  readonly secret: string;
}

export class Load {
  /** By the status answered, or the error's code where there was no answer. */
  readonly answers = new Map<string, number>();
  /** Every write that was taken, with what it was told. */
  readonly told: Answer[] = [];
  private running: Promise<unknown> = Promise.resolve();
  private isOver = false;
  private isAbandoned = false;
  private number = 0;

  private constructor(
    private readonly watcher: Watcher,
    private readonly keys: readonly Key[],
  ) {}

  /** Two keys each of two tenants; `cardUrl` is the agent's, which must declare `flight.departure`. */
  static async prepare(watcher: Watcher, cardUrl: string): Promise<Load> {
    const keys: Key[] = [];
    for (const tenant of ['acme', 'globex']) {
      const make = async (name: string): Promise<string> => {
        const grant = { tenant, name, scopes: ['agents', 'observe', 'facts', 'read'], sources: ['tower'] };
        return ((await watcher.call('POST', '/v1/keys', grant)) as { readonly key: string }).key;
      };
      const taken: Taken = { tenant, key: await make('one'), expectationIds: [], factKeys: [] };
      keys.push({ taken, secret: taken.key }, { taken, secret: await make('another') });
      const headers = { authorization: `Bearer ${taken.key}` };
      await watcher.callText('PUT', '/v1/agents/flights', { cardUrl }, headers);
    }
    return new Load(watcher, keys);
  }

  get taken(): readonly Taken[] {
    return [...new Set(this.keys.map((key) => key.taken))];
  }

  get takenCount(): number {
    return this.taken.reduce((sum, { factKeys }) => sum + factKeys.length, 0);
  }

  countOf(answer: string): number {
    return this.answers.get(answer) ?? 0;
  }

  start(): void {
    this.isOver = false;
    this.running = Promise.all(this.keys.map((key) => this.work(key)));
  }

  /** Resolves once all that was begun is taken. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /** Ends at once, whatever is under way. */
  async abandon(): Promise<void> {
    this.isAbandoned = true;
    await this.stop();
  }

  /** A task that expects a flight to depart within a second, now and then another that never does; and its departure. */
  private async work(key: Key): Promise<void> {
    const { taken } = key;
    while (!this.isOver) {
      const id = `F${(this.number += 1)}`;
      const ids = this.number % aLapse === 0 ? [`${id}-departs`, `${id}-never`] : [`${id}-departs`];
      await this.say(key, '/v1/observations', ids, { agentId: 'flights', task: taskOf(id, ids) });
      taken.expectationIds.push(...ids);
      const subject = { type: 'flight', id };
      const fact = { factKey: `${id}-departs`, observedAt: new Date().toISOString(), source: 'tower', subject };
      await this.say(key, '/v1/facts', [fact.factKey], fact);
      taken.factKeys.push(fact.factKey);
    }
  }

  /** The same until it is taken: at each 503, and where there was no answer, nobody knows what became of it. */
  private async say(key: Key, path: string, names: readonly string[], body: unknown): Promise<void> {
    for (;;) {
      const answer = await this.post(key.secret, path, body);
      const status = typeof answer === 'string' ? answer : String(answer.status);
      this.answers.set(status, this.countOf(status) + 1);
      if (typeof answer !== 'string' && answer.status < 300) {
        const told = JSON.parse(answer.text) as Answer['body'];
        return void this.told.push({ tenant: key.taken.tenant, status: answer.status, names, body: told });
      }
      if (this.isAbandoned) return;
      if (typeof answer !== 'string' && answer.status < 500) throw new Error(`${path}: ${status} ${answer.text}`);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  /** The error's code where there was no answer. */
  private async post(secret: string, path: string, body: unknown): Promise<string | { status: number; text: string }> {
    try {
      const response = await fetch(`${this.watcher.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: string } };
      return cause?.code ?? 'no answer';
    }
  }
}

function taskOf(id: string, expectationIds: readonly string[]): unknown {
  const expectations = expectationIds.map((expectationId) => ({
    expectationId,
    kind: 'flight.departure',
    subject: { type: 'flight', id },
    expects: `${id} departs`,
    satisfiedBy: { factKey: expectationId },
    dueAt: new Date(Date.now() + 1_000).toISOString(),
    basis: 'contract',
  }));
  return {
    id: `task-${id}`,
    contextId: `context-${id}`,
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: 'a', parts: [], metadata: { [uri]: { expectations } } }],
  };
}
