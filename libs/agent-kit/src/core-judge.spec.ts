// What the builder accepts, the watcher records: drawn tasks, read at the watcher's edge and decided by its core.
import fc from 'fast-check';
import { decide, type Event, type ExpectationLapsed, formatInstant, State } from '#expectations';
import { EXTENSION_URI, lapseRequest, readDeclaration, readObservation } from '#protocol';
import { ExpectationRefusedError } from './core-judge.ts';
import { type Due, InvalidDueError } from './due.ts';
import { expectations } from './expectations.ts';
import { readLapse } from './lapse.ts';
import type { TaskBlock, Wanted } from './task-block.ts';

const startMs = Date.parse('2026-09-10T12:00:00Z');
const agentId = 'desk';
const definition = {
  lapseSkill: 'handle_lapse',
  kinds: {
    departure: { subjectType: 'shipment', describes: 'a departure', basis: 'observed' },
    arrival: { subjectType: 'shipment', describes: 'an arrival', basis: 'contract' },
  },
} as const;

/** A watcher as it would be told by whoever talks to the agent: the edge, then the core. */
class TestWatcher {
  private readonly state = new State();
  readonly events: Event[] = [];
  constructor(readonly desk: ReturnType<typeof expectations>) {
    const card = { skills: [{ id: 'handle_lapse' }], capabilities: { extensions: [desk.extension] } };
    const { params } = readDeclaration(card);
    this.decide({ type: 'agentDeclared', agentId, params }, startMs);
  }

  see(taskId: string, artifact: unknown, nowMs: number): readonly Event[] {
    const artifactUpdate = { taskId, contextId: 'ctx', artifact: JSON.parse(JSON.stringify(artifact)) as unknown };
    const read = readObservation({ agentId, artifactUpdate }, { name: 'test', sources: [] });
    if (!read.ok) throw new Error(JSON.stringify(read.refusals));
    expect(read.notes.filter(({ part }) => part !== 'privacy')).toEqual([]);
    return read.inputs.flatMap((input) => this.decide(input, nowMs));
  }

  decide(input: object, nowMs: number): readonly Event[] {
    const decided = decide(this.state, { ...input, at: formatInstant(nowMs) } as never);
    this.events.push(...decided);
    return decided;
  }
}

const ids = fc.constantFrom(undefined, 'e1', 'e2', 'e3', '', 'x'.repeat(1_025), 'half \ud800');
const named = fc.constantFrom('e1', 'e2', 'e3', 'unknown', '');
const dues: fc.Arbitrary<Due | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -500, max: 500 }).map((hours) => new Date(startMs + hours * 3_600_000)) },
  { weight: 1, arbitrary: fc.constantFrom<(Due | undefined)[]>(undefined, 'soon', { in: 'PT1H' }, { in: 'P1Y' }) },
);
const durations = fc.constantFrom(undefined, 'PT0S', 'PT2H', 'P1M', '2h', '-PT1H', 'P40000D');

const wanted = fc.record({
  subject: fc.constantFrom('S1', 'S2', 'S3', '', 'half \udc00'),
  due: dues,
  grace: durations,
  anchor: fc.option(fc.record({ to: named, offset: durations }), { nil: undefined }),
  after: fc.option(fc.array(named, { maxLength: 3 }), { nil: undefined }),
  horizon: fc.option(dues, { nil: undefined }),
  supersedes: fc.option(named, { nil: undefined }),
  expectationId: ids,
  factKey: fc.constantFrom(undefined, 'k1', 'k2', ''),
  expects: fc.constantFrom(undefined, undefined, 'it', '', 'y'.repeat(4_001)),
});

type Step =
  | { readonly does: 'expect'; readonly kind: string; readonly wanted: unknown }
  | { readonly does: 'withdraw'; readonly id: string }
  | { readonly does: 'report'; readonly factKey: string; readonly observedAt: Due | undefined };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('expect' as const),
      kind: fc.constantFrom('departure', 'departure', 'arrival', 'lost'),
      wanted,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('withdraw' as const), id: named }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('report' as const),
      factKey: fc.constantFrom('k1', ''),
      observedAt: dues,
    }),
  },
);

/** What a step is refused with; undefined where it is accepted. Anything else that is thrown is a bug. */
function attempt(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ExpectationRefusedError) return error.code;
    if (error instanceof InvalidDueError || error instanceof TypeError) return 'unreadable';
    throw error;
  }
}

function take(task: TaskBlock, step: Step): string | undefined {
  switch (step.does) {
    case 'expect':
      return attempt(() => task.expect(step.kind, withoutUndefined(step.wanted) as Wanted));
    case 'withdraw':
      return attempt(() => task.withdraw(step.id));
    case 'report':
      return attempt(() => task.report(withoutUndefined(step) as never));
  }
}

function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutUndefined(member)]));
}

const clockAt = (nowMs: number): { now: () => number; sleep: () => Promise<void> } => ({
  now: () => nowMs,
  sleep: () => Promise.resolve(),
});

it('records whatever was accepted: whole artifacts of drawn tasks, none refused', () => {
  let acceptedCount = 0;
  let refusedCount = 0;
  fc.assert(
    fc.property(fc.array(fc.array(steps, { maxLength: 8 }), { minLength: 1, maxLength: 4 }), (artifacts) => {
      const desk = expectations<string>(definition, clockAt(startMs));
      const watcher = new TestWatcher(desk);
      const task = desk.inTask({ taskId: 'task', contextId: 'ctx', isActivated: true });
      for (const [index, artifact] of artifacts.entries()) {
        for (const step of artifact) {
          if (take(task, step) === undefined) acceptedCount += 1;
          else refusedCount += 1;
        }
        const carried = task.on({ artifactId: `artifact-${index}`, parts: [] });
        const events = watcher.see('task', carried, startMs);
        expect(events.filter(({ type }) => /Refused$/.test(type))).toEqual([]);
        const metadata = (carried as { readonly metadata?: Record<string, { readonly expectations?: object[] }> })
          .metadata;
        const recorded = events.filter(({ type }) => type === 'expectationRecorded');
        expect(recorded).toHaveLength(metadata?.[EXTENSION_URI]?.expectations?.length ?? 0);
      }
    }),
    { numRuns: 150 },
  );
  // The draw is of both.
  expect(Math.min(acceptedCount, refusedCount)).toBeGreaterThan(150);
});

it('records whatever extension was accepted, lapse after lapse, up to the bound', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 5, maxLength: 5 }), (hours) => {
      let nowMs = startMs;
      const deskAt = (): ReturnType<typeof expectations> => expectations<string>(definition, clockAt(nowMs));
      const watcher = new TestWatcher(deskAt());
      const first = deskAt().inTask({ taskId: 'task', contextId: 'ctx', isActivated: true });
      first.expect('departure', { subject: 'S1', due: { in: 'PT1H' } });
      watcher.see('task', first.on({ artifactId: 'a' }), nowMs);
      const codes = hours.map((more, round) => {
        nowMs += 1_000 * 3_600_000;
        const lapsed = watcher
          .decide({ type: 'tick' }, nowMs)
          .find((event): event is ExpectationLapsed => event.type === 'expectationLapsed');
        if (lapsed === undefined) return 'nothing lapsed';
        const read = readLapse(lapseRequest(lapsed).message);
        if (read === undefined || 'malformed' in read) throw new Error('a lapse of the watcher’s cannot be read');
        const task = deskAt().inTask({ taskId: `lapse-${round}`, contextId: 'ctx', isActivated: true });
        const code = attempt(() => task.extend(read.lapse, { due: { in: `PT${more}H` } }));
        expect(task.canExtend(read.lapse)).toBe(code === undefined);
        const events = watcher.see(`lapse-${round}`, task.on({ artifactId: 'a' }), nowMs);
        expect(events.filter(({ type }) => type === 'expectationRefused')).toEqual([]);
        return code;
      });
      expect(codes).toEqual([undefined, undefined, undefined, 'lineage_bound', 'nothing lapsed']);
    }),
    { numRuns: 50 },
  );
});
