// Runs a dispatcher, whichever it is, between a story's log and a fake agent, on a database of the suite's own.
import type { DataSource } from 'typeorm';
import type { Serve, Served } from '#event-log';
import { FakeAgent } from '#fake-agent';
import type { AgentTarget } from '#protocol';
import { createDatabase, type TestDatabase } from '../postgres/create-database.ts';
import { DispatchStory, until } from './dispatch-story.ts';

interface ServingDispatcher {
  serve: Serve;
}

/** A dispatcher with every partition of the story's log. */
export interface RunningDispatcher {
  /** How serving the story's own partition has ended. */
  readonly served: Promise<Served>;
  leave(): Promise<void>;
}

/** An agent as the dispatcher's directory has it. */
type RiggedAgent = AgentTarget & {
  readonly dispatch?: { readonly dedupes?: 'yes' | 'no' | 'unknown'; readonly ratePerMinute?: number };
};

interface OutboxState {
  readonly state: string;
  readonly closed: boolean;
}

/** `Setup` is what a test may choose of its dispatcher. One rig a suite; `begin` and `end` around each test. */
export class DispatchRig<Setup> {
  database!: DataSource;
  story!: DispatchStory;
  /** The registered agents; `booking` is the fake one. */
  targets = new Map<string, RiggedAgent>();
  agent!: FakeAgent;
  private server!: TestDatabase;
  private running: RunningDispatcher[] = [];
  private readonly openDatabase: (url: string) => Promise<DataSource>;
  private readonly make: (rig: DispatchRig<Setup>, setup: Setup) => ServingDispatcher;

  constructor(
    openDatabase: (url: string) => Promise<DataSource>,
    make: (rig: DispatchRig<Setup>, setup: Setup) => ServingDispatcher,
  ) {
    this.openDatabase = openDatabase;
    this.make = make;
  }

  async open(): Promise<void> {
    this.server = await createDatabase();
    this.database = await this.openDatabase(this.server.url);
  }

  async close(): Promise<void> {
    await this.database.destroy();
    await this.server.drop();
  }

  async begin(): Promise<void> {
    await this.loseTables();
    this.story = new DispatchStory();
    this.agent = await FakeAgent.start();
    this.targets = new Map([['booking', { card: this.agent.card }]]);
    await this.story.declare('booking');
  }

  async end(): Promise<void> {
    await Promise.all(this.running.map((dispatcher) => dispatcher.leave()));
    this.running = [];
    await this.story.end();
    await this.agent.stop();
  }

  start(setup: Setup): RunningDispatcher {
    const made = this.make(this, setup);
    const leaving = new AbortController();
    const { partition, log } = this.story;
    const all = Array.from({ length: log.partitionCount }, (_, one) => made.serve(one, leaving.signal));
    const leave = async (): Promise<void> => {
      leaving.abort();
      await Promise.all(all);
    };
    const dispatcher = { served: all[partition] ?? Promise.resolve('left'), leave };
    this.running.push(dispatcher);
    return dispatcher;
  }

  async stop(dispatcher: RunningDispatcher): Promise<void> {
    this.running = this.running.filter((other) => other !== dispatcher);
    await dispatcher.leave();
  }

  /** It begins nothing more, and what it was doing is never heard of again. */
  crash(dispatcher: RunningDispatcher): void {
    this.running = this.running.filter((other) => other !== dispatcher);
    void dispatcher.leave();
  }

  async loseTables(): Promise<void> {
    const names = this.database.entityMetadatas.map(({ tableName }) => `duewatch_dispatch.${tableName}`);
    await this.database.query(`TRUNCATE ${names.join()}`);
  }

  outbox(): Promise<readonly OutboxState[]> {
    return this.database.query('SELECT state, closed FROM duewatch_dispatch.outbox ORDER BY seq');
  }

  untilOutbox(count: number): Promise<void> {
    return until(async () => (await this.outbox()).length === count, `${count} rows in the outbox`);
  }

  untilState(state: string): Promise<void> {
    return until(async () => (await this.outbox()).some((row) => row.state === state), `a row that is ${state}`);
  }

  /** The ids of the expectations whose lapses the fake agent has received, in order. */
  get lapsesReceived(): string[] {
    return this.agent.received.map(({ messageId }) => messageId.split(':')[1] ?? '');
  }
}
