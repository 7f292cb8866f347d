// A tenant's story up to its lapses, for tests of what submits them: a log in memory, decided by the real core.
import {
  type DispatchAct,
  decodeLedger,
  encodeInbox,
  type LedgerEvent,
  MemoryEventLog,
  partitionOf,
  type UntimedInput,
} from '#event-log';
import { systemClock } from '#runtime';
import { CoreDecider } from '../edges/core-decider.ts';

const EXTENSION_URI = 'https://rsaxb.com/a2a/expectations/v1';

export class DispatchStory {
  readonly tenant: string;
  readonly log: MemoryEventLog;
  readonly decider: CoreDecider;
  readonly partition: number;

  /** With a log of its own, or in the log of another tenant's story, which ends for both. */
  constructor(tenant = 'acme', beside?: DispatchStory) {
    this.tenant = tenant;
    this.log = beside?.log ?? new MemoryEventLog({ clock: systemClock, partitionCount: 2 });
    this.decider = beside?.decider ?? new CoreDecider(this.log);
    this.partition = partitionOf(tenant, this.log.partitionCount);
    if (beside === undefined) this.decider.start();
  }

  async end(): Promise<void> {
    await this.decider.stop();
    await this.log.close();
  }

  /** The agent says what it expects. */
  async declare(agentId: string): Promise<void> {
    const kinds = [{ kind: 'departure', subjectType: 'flight', describes: 'a departure', basis: 'observed' }];
    await this.tell({
      type: 'agentDeclared',
      agentId,
      params: { keepsTime: false, lapseSkill: 'handle_lapse', kinds },
    });
  }

  /** The agent raises an expectation that was due long ago: it lapses at once. `more` adds to its content. */
  async raise(agentId: string, expectationId: string, more: object = {}): Promise<void> {
    await this.raiseAll(agentId, [expectationId], more);
  }

  /** The same of many, in one artifact. */
  async raiseAll(agentId: string, expectationIds: readonly string[], more: object = {}): Promise<void> {
    const expectations = expectationIds.map((expectationId) => ({
      expectationId,
      kind: 'departure',
      subject: { type: 'flight', id: expectationId },
      expects: `${expectationId} departs`,
      satisfiedBy: { factKey: `departed:${expectationId}` },
      dueAt: '2026-01-01T00:00:00Z',
      basis: 'observed',
      ...more,
    }));
    const artifact = { artifactId: expectationIds.join(), metadata: { [EXTENSION_URI]: { expectations } } };
    const task = { taskId: `task-${agentId}`, contextId: `context-${agentId}` };
    await this.tell({ type: 'artifactObserved', agentId, ...task, artifact });
  }

  /** What was expected is reported. */
  async report(...expectationIds: readonly string[]): Promise<void> {
    const facts = expectationIds.map((id) => ({ factKey: `departed:${id}`, observedAt: '2026-01-02T00:00:00Z' }));
    await this.tell({ type: 'factsReported', reporter: 'tower', facts });
  }

  async tell(input: UntimedInput | DispatchAct): Promise<void> {
    await this.log.append(this.partition, [{ tenant: this.tenant, value: encodeInbox(input) }]);
  }

  /** The events of a type that the ledger holds by now, in order. */
  async decided<Type extends LedgerEvent['type']>(type: Type): Promise<Extract<LedgerEvent, { type: Type }>[]> {
    const records = await this.log.read('ledger', this.partition, { from: 0, limit: 1_000_000 });
    const entries = records.filter(({ tenant }) => tenant === this.tenant).map(({ value }) => decodeLedger(value));
    const events = entries.flatMap((entry) => ('events' in entry ? entry.events : []));
    return events.filter((event): event is Extract<LedgerEvent, { type: Type }> => event.type === type);
  }

  /** The events of a type once there are so many. */
  async untilDecided<Type extends LedgerEvent['type']>(
    type: Type,
    count = 1,
  ): Promise<Extract<LedgerEvent, { type: Type }>[]> {
    await until(async () => (await this.decided(type)).length >= count, `${count} ${type}`);
    return this.decided(type);
  }
}

/** Resolves once the condition holds. Throws after a long while, naming it. */
export async function until(condition: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const deadlineMs = systemClock.now() + 240_000;
  while (!(await condition())) {
    if (systemClock.now() > deadlineMs) throw new Error(`waited in vain for ${what}`);
    await systemClock.sleep(10);
  }
}
