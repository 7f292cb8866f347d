// Tells the story: inputs as edges append them (at least once, late, out of order, garbage between), at about the instants
// the scenarios have them, with time to act in between or none.
import { encodeInbox, type NewRecord, partitionOf } from '#event-log';
import { inboxRecord, recordsOfScenario, scenarioAt, type StampedRecord } from '#testing';
import type { SimulatedAgent } from './agents.ts';
import { Instance } from './instance.ts';
import { GARBAGE } from './oracle/naive-partition.ts';
import type { Oracle } from './oracle/oracle.ts';
import { PARTITION_COUNT, type SharedLog } from './shared-log.ts';
import { SimulatedLog } from './simulated-log.ts';
import type { World } from './world.ts';

const tenants = ['acme', 'other', 'third', 'fourth'];

export class Director {
  readonly agentsOfTenants: readonly { readonly tenant: string; readonly agentId: string }[];
  private readonly story: StampedRecord[];
  private readonly edge: SimulatedLog;
  private underWayCount = 0;

  constructor(
    private readonly world: World,
    private readonly log: SharedLog,
    private readonly oracle: Oracle,
  ) {
    const named = tenants.slice(0, world.swarm.tenantCount);
    this.story = merged(named.map((tenant, nth) => recordsOfScenario(tenant, scenarioAt(world.seed, nth))));
    this.agentsOfTenants = named.flatMap((tenant) => ['booking', 'customs'].map((agentId) => ({ tenant, agentId })));
    this.edge = new SimulatedLog(log, new Instance(world, 'edge', false));
  }

  /** Tells all of it. */
  async tell(): Promise<void> {
    const { world } = this;
    const { chance, swarm } = world;
    let untilCheck = chance.between(5, 40);
    for (const record of this.story) {
      await this.passTimeUntil(record.appendedAt);
      if (chance.happens(swarm.garbageRate))
        this.append(garbage(chance.pick(tenants.slice(0, swarm.tenantCount)), chance.below(4)));
      const delayMs = chance.happens(swarm.delayRate) ? chance.below(20_000) : 0;
      if (delayMs === 0) this.append(record);
      else world.after(delayMs, 'an input comes late', () => this.append(record));
      untilCheck -= 1;
      if (untilCheck > 0) continue;
      untilCheck = chance.between(10, 40);
      this.oracle.checkAgainstModel();
    }
    while (this.underWayCount > 0) await world.step();
  }

  /** What an agent says of the task that a lapse has become: perhaps nothing, perhaps twice. */
  follow({ tenant, agentId }: SimulatedAgent, taskId: string, contextId: string): void {
    const { chance } = this.world;
    const times = chance.pick([0, 1, 1, 2]);
    for (let time = 0; time < times; time += 1) {
      const state = chance.pick([
        'TASK_STATE_WORKING',
        'TASK_STATE_COMPLETED',
        'TASK_STATE_COMPLETED',
        'TASK_STATE_FAILED',
      ]);
      this.world.after(chance.below(60_000), `${agentId} tells of ${taskId}`, () =>
        this.append(inboxRecord(tenant, { type: 'statusObserved', agentId, taskId, contextId, state })),
      );
    }
  }

  /** What is not in the inbox yet, in words. */
  unrest(): string | undefined {
    return this.underWayCount > 0 ? `${this.underWayCount} inputs are on their way to the inbox` : undefined;
  }

  /** Every agent is read anew, as once registered. */
  declareAll(): void {
    for (const { tenant, agentId } of this.agentsOfTenants) {
      const found = this.story.find(({ value }) => isDeclarationOf(value, agentId));
      if (found !== undefined) this.append({ tenant, value: found.value });
    }
  }

  /** Appends as an edge does: until the log has said that it has it, and perhaps once more. */
  private append(record: NewRecord): void {
    const { world } = this;
    const partition =
      record.tenant === null ? world.chance.below(PARTITION_COUNT) : partitionOf(record.tenant, PARTITION_COUNT);
    const times = world.chance.happens(world.swarm.duplicateRate) ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      this.underWayCount += 1;
      void this.appendOnce(partition, record).finally(() => (this.underWayCount -= 1));
    }
  }

  private async appendOnce(partition: number, record: NewRecord): Promise<void> {
    for (;;) {
      try {
        await this.edge.append(partition, [{ tenant: record.tenant, value: record.value }]);
        return;
      } catch {
        await this.world.clock.sleep(this.world.chance.below(3_000));
      }
    }
  }

  /** Lets the log's clock come to an instant: mostly in leaps, with a while to act at some stops on the way. */
  private async passTimeUntil(instantMs: number): Promise<void> {
    const { world, log, oracle } = this;
    const { chance } = world;
    await world.runFor(chance.pick([0, 0, 0, 30, 300, 2_000, chance.below(15_000)]));
    while (chance.happens(0.5)) {
      const deadline = oracle.earliestDeadline();
      const stopMs =
        deadline !== undefined && chance.happens(0.7)
          ? deadline - chance.below(50)
          : log.now() + chance.below(Math.max(1, instantMs - log.now()));
      if (stopMs >= instantMs) break;
      world.leap(stopMs - log.now());
      await world.runFor(chance.pick([100, 1_000, chance.below(20_000)]));
    }
    world.leap(instantMs - log.now());
  }
}

/** One story of many, by the instants of their inputs; each keeps its own order. */
function merged(stories: readonly StampedRecord[][]): StampedRecord[] {
  const waiting = stories.filter((story) => story.length > 0);
  const told: StampedRecord[] = [];
  while (waiting.length > 0) {
    waiting.sort((left, right) => left[0]!.appendedAt - right[0]!.appendedAt);
    told.push(waiting[0]!.shift()!);
    if (waiting[0]!.length === 0) waiting.shift();
  }
  return told;
}

function isDeclarationOf(value: Uint8Array, agentId: string): boolean {
  const text = new TextDecoder().decode(value);
  return text.includes('"agentDeclared"') && text.includes(`"agentId":"${agentId}"`);
}

/** What no edge of ours would write, and a log may hold all the same. */
function garbage(tenant: string, kind: number): NewRecord {
  const texts = [`{"v":1,"${GARBAGE}`, `{"v":1,"input":{"type":"${GARBAGE}"}}`, `"${GARBAGE}"`];
  const text = texts[kind];
  const input = { type: 'artifactObserved', agentId: 7, [GARBAGE]: true };
  return { tenant, value: text === undefined ? encodeInbox(input as never) : new TextEncoder().encode(text) };
}
