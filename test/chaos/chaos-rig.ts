// A whole watcher of many processes, with the tenants that keep it busy and the agent that takes its lapses, for tests of
// faults: what they all check once the fault is over.
import type { DataSource } from 'typeorm';
import { decodeLedger } from '#event-log';
import { openReadModel } from '#read-model';
import { createDatabase, type TestDatabase } from '#testing';
import { DistributedWatcher, type DistributedOptions } from '../system/distributed.ts';
import { ListeningAgent } from '../system/listening-agent.ts';
import { answersNotInTheRecord } from '../system/nothing-lost.ts';
import { until } from '../system/watcher.ts';
import { declaration } from '../../examples/flights/extension.ts';
import { BusyTenants } from './busy-tenants.ts';
import { type DumpedLog, dumpLog } from './dumped-log.ts';
import {
  assertCounts,
  assertDelivered,
  assertModelled,
  assertProjected,
  assertReplayable,
  decidedBy,
  notLapsedOf,
  projectedOffsets,
  undecidedOf,
  undispatchedOf,
} from './truth.ts';

/** A broker may be away for a while, and others use the machine. */
export const mostMs = 180_000;
const seldomMs = 250;

/** What was counted of a run, for whoever reads it. */
export interface Counted {
  readonly inputCount: number;
  readonly lapseCount: number;
  /** How many writers have begun. */
  readonly takeOverCount: number;
  /** Messages that an agent got more than once, and knows by their id. */
  readonly resentCount: number;
  readonly answers: Readonly<Record<string, number>>;
}

export class ChaosRig {
  /** The places of records that nobody can read. */
  readonly poison = new Set<string>();

  private constructor(
    readonly watcher: DistributedWatcher,
    readonly agent: ListeningAgent,
    readonly load: BusyTenants,
    private readonly readModel: DataSource,
    private readonly fresh: DataSource,
    private readonly freshDatabase: TestDatabase,
  ) {}

  static async start(options: DistributedOptions): Promise<ChaosRig> {
    const agent = await ListeningAgent.start(declaration);
    const watcher = await DistributedWatcher.create({ partitionCount: 4, ...options });
    await watcher.start();
    const load = await BusyTenants.prepare(watcher, agent.cardUrl);
    const freshDatabase = await createDatabase();
    const [readModel, fresh] = [await openReadModel(watcher.databaseUrl, 2), await openReadModel(freshDatabase.url, 2)];
    return new ChaosRig(watcher, agent, load, readModel, fresh, freshDatabase);
  }

  /** Resolves once something more of every tenant has been decided: each partition has its timekeeper. */
  async allDecideOn(): Promise<void> {
    const { told, tenants } = this.load;
    const before = told.length;
    await until(
      async () => {
        const decided = new Set(told.slice(before).flatMap(({ tenant, status }) => (status === 202 ? [] : [tenant])));
        return decided.size === tenants.length;
      },
      mostMs,
      seldomMs,
    );
  }

  /** Stops the load, waits until all is at rest, and throws where anything is not as it must be. */
  async expectTruth(): Promise<Counted> {
    const { load, agent, readModel, fresh, poison } = this;
    await load.stop();
    await until(async () => Date.now() > load.allDueByMs, mostMs, seldomMs);
    const log = await this.dumpAtRest();
    assertModelled(log, poison);
    await assertReplayable(log);
    const decided = decidedBy(log);
    expect(answersNotInTheRecord(load.told, decided)).toEqual([]);
    assertCounts(load.tenants, decided);
    assertDelivered(decided, agent.fake.received);
    await assertProjected(log, readModel, fresh);
    const messageIds = agent.fake.received.map(({ messageId }) => messageId);
    return {
      inputCount: log.inbox.reduce((sum, records) => sum + records.length, 0),
      lapseCount: decided.filter(({ event }) => event.type === 'expectationLapsed').length,
      takeOverCount: log.ledger.flat().filter(({ value }) => isTakeOver(value)).length,
      resentCount: messageIds.length - new Set(messageIds).size,
      answers: Object.fromEntries(load.answers),
    };
  }

  /** Ends all of it; its words are kept where a test has failed. */
  async end(): Promise<void> {
    await this.load.abandon().catch(() => undefined);
    await this.watcher.remove();
    await this.agent.stop();
    await this.readModel.destroy();
    await this.fresh.destroy();
    await this.freshDatabase.drop();
  }

  /** The log when everything is decided and dispatched, and just that is projected. */
  private async dumpAtRest(): Promise<DumpedLog> {
    const latestMs = Date.now() + mostMs;
    for (;;) {
      // A dump takes seconds: none is made before the tables look as if it were of use.
      await until(async () => (await this.isJudged()) && (await this.isDispatched()), mostMs, seldomMs);
      const log = await dumpLog(this.watcher);
      const decided = decidedBy(log);
      const unrest = [
        ...undecidedOf(log, decided),
        ...undispatchedOf(decided),
        ...notLapsedOf(this.load.tenants, decided),
      ];
      const stands = unrest.length === 0 ? await this.waitForProjection(log) : unrest.slice(0, 5).join();
      if (stands === undefined) return log;
      if (Date.now() > latestMs) throw new Error(`it does not come to rest: ${stands}`);
    }
  }

  /** Of what stands in the tables as open, all that can lapse has. */
  private async isJudged(): Promise<boolean> {
    const rows = await this.readModel.query<unknown[]>(
      'SELECT 1 FROM duewatch_read.open_expectation WHERE NOT lapsed AND NOT suspended LIMIT 1',
    );
    return rows.length === 0;
  }

  /** No lapse stands in the tables as if something were still to come. */
  private async isDispatched(): Promise<boolean> {
    const rows = await this.readModel.query<unknown[]>(
      `SELECT 1 FROM duewatch_read.lapse
        WHERE dispatch_state NOT IN ('held', 'submitted', 'concluded', 'voided') LIMIT 1`,
    );
    return rows.length === 0;
  }

  /** Undefined once exactly that is projected; in words what else is. */
  private async waitForProjection({ ledger }: DumpedLog): Promise<string | undefined> {
    const aheadOf = (offsets: ReadonlyMap<number, number>): readonly number[] =>
      ledger.map((records, partition) => (offsets.get(partition) ?? -1) - (records.at(-1)?.offset ?? -1));
    let ahead: readonly number[] = [];
    await until(
      async () => {
        ahead = aheadOf(await projectedOffsets(this.readModel));
        return ahead.every((count) => count >= 0);
      },
      mostMs,
      seldomMs,
    );
    return ahead.some((count) => count > 0) ? `the ledger went on: ${ahead.join()}` : undefined;
  }
}

function isTakeOver(value: Uint8Array): boolean {
  const entry = decodeLedger(value);
  return 'type' in entry && entry.type === 'writerStarted';
}
