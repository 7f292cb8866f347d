// Runs followers, whichever they are, between real agents and the edges with the real core behind them.
import type { Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { decodeInbox, decodeLedger, type LedgerEvent, partitionOf, type Serve } from '#event-log';
import { openReadModel } from '#read-model';
import type { MetricFamily } from '#runtime';
import { until } from '../dispatch/dispatch-story.ts';
import { type EdgeApp, startEdgeApp } from '../edges/edge-app.ts';
import { Projecting } from '../ledger/projecting.ts';
import { createDatabase, type TestDatabase } from '../postgres/create-database.ts';
import { FollowedAgent, type FollowedAgentOptions } from './followed-agent.ts';

const extensionUri = 'https://rsaxb.com/a2a/expectations/v1';

export interface FollowerUnderTest {
  serve: Serve;
  collect(): Promise<readonly MetricFamily[]>;
}

interface Serving {
  readonly follower: FollowerUnderTest;
  readonly leaving: AbortController;
  readonly done: Promise<unknown>;
}

/** An expectation that is due in a far future; `more` adds to its content. */
export function farExpectation(expectationId: string, more: object = {}): object {
  return {
    expectationId,
    kind: 'departure',
    subject: { type: 'flight', id: expectationId },
    expects: `${expectationId} departs`,
    satisfiedBy: { factKey: `departed:${expectationId}` },
    dueAt: '2099-01-01T00:00:00Z',
    basis: 'observed',
    ...more,
  };
}

/** `Setup` is what a test may choose of its follower. One rig a suite; `begin` and `end` around each test. */
export class FollowRig<Setup> {
  readModel!: DataSource;
  app!: EdgeApp;
  private server!: TestDatabase;
  private projecting!: Projecting;
  private serving: Serving[] = [];
  private agents: FollowedAgent[] = [];

  constructor(
    private readonly modules: readonly Type<unknown>[],
    private readonly make: (rig: FollowRig<Setup>, setup: Partial<Setup>) => FollowerUnderTest,
  ) {}

  async open(): Promise<void> {
    this.server = await createDatabase();
    this.readModel = await openReadModel(this.server.url);
  }

  async close(): Promise<void> {
    await this.readModel.destroy();
    await this.server.drop();
  }

  async begin(): Promise<void> {
    this.app = await startEdgeApp(this.modules);
    const tables = this.readModel.entityMetadatas.map(({ tablePath }) => tablePath);
    await this.readModel.query(`TRUNCATE ${tables.join()}`);
    this.projecting = new Projecting(this.readModel, this.app.log);
  }

  async end(): Promise<void> {
    await this.stopFollowing();
    await this.projecting.stop();
    await this.app.close();
    await Promise.all(this.agents.splice(0).map((agent) => agent.stop()));
  }

  /** One more follower of everything, as a process of its own would be. */
  follow(setup: Partial<Setup> = {}): void {
    const follower = this.make(this, setup);
    const leaving = new AbortController();
    const partitions = Array.from({ length: this.app.log.partitionCount }, (_, partition) => partition);
    const done = Promise.all(partitions.map((partition) => follower.serve(partition, leaving.signal)));
    this.serving.push({ follower, leaving, done });
  }

  async stopFollowing(): Promise<void> {
    const stopped = this.serving.splice(0);
    for (const { leaving } of stopped) leaving.abort();
    await Promise.all(stopped.map(({ done }) => done));
  }

  /** A new agent, registered; one that is called so already is replaced. */
  async agent(agentId: string, how: FollowedAgentOptions = {}, tenant = 'acme'): Promise<FollowedAgent> {
    const agent = await FollowedAgent.start(how);
    this.agents.push(agent);
    const call = { key: await this.app.key({ tenant }), json: { cardUrl: agent.url } };
    const { status, body } = await this.app.call('PUT', `/v1/agents/${agentId}`, call);
    if (status !== 200) throw new Error(`the agent was not registered: ${JSON.stringify(body)}`);
    return agent;
  }

  /** A client has begun a task, whose first artifact raised this, and told the watcher so; then it went away. */
  async begun(agent: FollowedAgent, agentId: string, expectationId: string, tenant = 'acme'): Promise<string> {
    const taskId = await agent.begin(`for-${expectationId}`);
    const contextId = (await agent.task(taskId))?.contextId;
    const metadata = { [extensionUri]: { expectations: [farExpectation(expectationId)] } };
    const artifactUpdate = { taskId, contextId, artifact: { artifactId: 'first', parts: [], metadata } };
    const call = { key: await this.app.key({ tenant }), json: { agentId, artifactUpdate } };
    const { status, body } = await this.app.call('POST', '/v1/observations', call);
    if (status !== 200) throw new Error(`it was not recorded: ${JSON.stringify(body)}`);
    return taskId;
  }

  /** The tenant's record by now, in order. */
  async decided(tenant = 'acme'): Promise<readonly LedgerEvent[]> {
    const { log } = this.app;
    const records = await log.read('ledger', partitionOf(tenant, log.partitionCount), { from: 0, limit: 100_000 });
    const own = records.filter((record) => record.tenant === tenant).map(({ value }) => decodeLedger(value));
    return own.flatMap((entry) => ('events' in entry ? entry.events : []));
  }

  /** Resolves once an event like this is in the record. */
  async untilDecided(like: object, tenant = 'acme'): Promise<void> {
    const wanted = Object.entries(like) as [keyof LedgerEvent, unknown][];
    const isLike = (event: LedgerEvent): boolean => wanted.every(([name, value]) => event[name] === value);
    await until(async () => (await this.decided(tenant)).some(isLike), JSON.stringify(like));
  }

  /** How many inputs of the log are of this task. */
  async inputsOf(taskId: string): Promise<number> {
    const partitions = Array.from({ length: this.app.log.partitionCount }, (_, partition) => partition);
    const read = { from: 0, limit: 100_000 };
    const all = await Promise.all(partitions.map((partition) => this.app.log.read('inbox', partition, read)));
    return all.flat().filter(({ value }) => (decodeInbox(value) as { taskId?: unknown }).taskId === taskId).length;
  }

  /** A figure of the first follower; undefined where it has none. */
  async figure(name: string, way?: string): Promise<number | undefined> {
    const [first] = this.serving;
    const family = (await first?.follower.collect())?.find((one) => one.name === name);
    return family?.samples.find(({ labels }) => labels?.['way'] === way)?.value;
  }

  /** Resolves once the first follower follows so many tasks in this way. */
  untilFollowed(way: 'stream' | 'push' | 'sweep' | 'poll', count: number): Promise<void> {
    const isSo = async (): Promise<boolean> => (await this.figure('duewatch_followed_tasks', way)) === count;
    return until(isSo, `${count} tasks by ${way}`);
  }

  /** Resolves once there is nothing to follow. */
  async untilNothingFollowed(): Promise<void> {
    for (const way of ['stream', 'push', 'sweep', 'poll'] as const) await this.untilFollowed(way, 0);
  }
}
