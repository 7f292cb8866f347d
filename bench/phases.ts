// The phases of the bench, the same for every contestant. Inputs are parsed outside the seconds, a batch at a time.
import type { Input } from '#expectations';
import type { Contestant } from './contestant.ts';
import { memory, timed } from './measure.ts';
import { declaration, type FactRef, type Sizes, STEPS, Workload } from './workload.ts';

export interface Plan extends Sizes {
  readonly unmatchedCount: number;
  /** How many artifacts have all three of their facts reported. */
  readonly satisfiedArtifactCount: number;
  readonly reportSize: number;
}

/** What one contestant took; `rate` is a second's worth, the rest seconds and bytes. */
export interface Figures {
  readonly recordRate: number;
  readonly rssBytesPerOpen: number;
  readonly heldBytesPerOpen: number;
  readonly snapshotSeconds: number;
  readonly snapshotBytes: number;
  readonly restoreSeconds: number;
  readonly unmatchedReportRate: number;
  readonly unmatchedSingleRate: number;
  readonly satisfyReportRate: number;
  readonly satisfySingleRate: number;
  readonly herdSeconds: number;
}

const BATCH = 2_000;

/** Runs all phases on one contestant, on the same data each time. */
export function run(contestant: Contestant, plan: Plan): Figures {
  const workload = new Workload(plan);
  const before = memory();
  feed(contestant, [declaration()]);
  const recorded = feed(
    contestant,
    texts(plan.artifactCount, (index) => workload.artifact(index)),
  );
  const after = memory();
  const openCount = contestant.openCount();
  const snapshot = timed(() => contestant.snapshot());
  const snapshotBytes = snapshot.result.reduce((sum, text) => sum + text.length, 0);
  const restore = timed(() => contestant.restore(draining(snapshot.result)));
  return {
    recordRate: openCount / recorded.seconds,
    rssBytesPerOpen: (after.rss - before.rss) / openCount,
    heldBytesPerOpen: (after.held - before.held) / openCount,
    snapshotSeconds: snapshot.seconds,
    snapshotBytes,
    restoreSeconds: restore.seconds,
    ...reportFacts(contestant, workload, plan),
    herdSeconds: fireHerd(contestant, workload, plan),
  };
}

function reportFacts(contestant: Contestant, workload: Workload, plan: Plan) {
  const { reportSize, unmatchedCount, herdCount, satisfiedArtifactCount } = plan;
  const half = Math.floor(unmatchedCount / 2 / reportSize) * reportSize;
  const unmatchedReports = feed(
    contestant,
    texts(half / reportSize, (report) => workload.unmatched(report * reportSize, reportSize)),
  );
  const unmatchedSingles = feed(
    contestant,
    texts(half, (index) => workload.unmatched(half + index, 1)),
  );
  const openCount = contestant.openCount();
  const refs = refsOf(herdCount, satisfiedArtifactCount, reportSize);
  const inReports = Math.floor(refs.length / 2 / reportSize) * reportSize;
  const satisfyReports = feed(
    contestant,
    texts(inReports / reportSize, (report) =>
      workload.satisfying(refs.slice(report * reportSize, (report + 1) * reportSize)),
    ),
  );
  const singles = refs.slice(inReports);
  const satisfySingles = feed(
    contestant,
    texts(singles.length, (index) => workload.satisfying(singles.slice(index, index + 1))),
  );
  expect(openCount - contestant.openCount(), refs.length, 'every one of these facts satisfies one expectation');
  return {
    unmatchedReportRate: half / unmatchedReports.seconds,
    unmatchedSingleRate: half / unmatchedSingles.seconds,
    satisfyReportRate: inReports / satisfyReports.seconds,
    satisfySingleRate: singles.length / satisfySingles.seconds,
  };
}

/** All manifests of a run of artifacts, then their departures, then their arrivals: what happens in its order. */
function refsOf(firstArtifact: number, artifactCount: number, runLength: number): FactRef[] {
  const refs: FactRef[] = [];
  for (let from = 0; from < artifactCount; from += runLength) {
    const length = Math.min(runLength, artifactCount - from);
    for (const step of STEPS) {
      for (let offset = 0; offset < length; offset += 1) refs.push({ artifact: firstArtifact + from + offset, step });
    }
  }
  return refs;
}

function fireHerd(contestant: Contestant, workload: Workload, plan: Plan): number {
  const early = feed(contestant, [workload.tick(10, 2)]);
  expect(early.eventCount, 0, 'what is received exactly at the deadline still counts');
  const herd = feed(contestant, [workload.tick(10, 2, 1)]);
  expect(herd.eventCount, plan.herdCount, 'each of the herd lapses once');
  return herd.seconds;
}

/** Bytes of what is closed and of facts that matched nothing, beside the ids that are kept as they came. */
export function bytesOfMemory(contestant: () => Contestant, plan: Plan) {
  const unmatched = measureMemory(contestant(), plan, (workload) =>
    texts(plan.unmatchedCount / plan.reportSize, (report) =>
      workload.unmatched(report * plan.reportSize, plan.reportSize),
    ),
  );
  const { herdCount, satisfiedArtifactCount: count } = plan;
  const closedBy = (closing: (workload: Workload, artifact: number) => string) =>
    measureMemory(contestant(), plan, function* (workload) {
      for (let artifact = herdCount; artifact < herdCount + count; artifact += 1) {
        yield workload.artifact(artifact);
        yield closing(workload, artifact);
      }
    });
  const withdrawn = closedBy((workload, artifact) => workload.withdrawal(artifact));
  const satisfied = closedBy((workload, artifact) => workload.satisfying(STEPS.map((step) => ({ artifact, step }))));
  return {
    factBytesInWindow: unmatched.inWindow / plan.unmatchedCount,
    factBytes: unmatched.pastWindow / plan.unmatchedCount,
    withdrawnBytes: withdrawn.pastWindow / (count * STEPS.length) - ID_BYTES,
    satisfiedBytes: satisfied.pastWindow / (count * STEPS.length) - ID_BYTES,
  };
}

/** An id of 18 or 16 characters as V8 keeps it: a header of 16 bytes, then the characters in steps of 8. */
const ID_BYTES = (40 + 32 + 32) / 3;

function measureMemory(contestant: Contestant, plan: Plan, textsOf: (workload: Workload) => Iterable<string>) {
  const workload = new Workload(plan);
  feed(contestant, [declaration()]);
  const before = memory().held;
  feed(contestant, textsOf(workload));
  const inWindow = memory().held - before;
  feed(contestant, [workload.tick(1)]);
  const pastWindow = memory().held - before;
  expect(contestant.openCount(), 0, 'nothing is left open');
  return { inWindow, pastWindow };
}

/** Each text once, as from a store: what has been read is held by nobody. */
function* draining(all: string[]): Generator<string> {
  for (let index = 0; index < all.length; index += 1) {
    yield all[index] ?? '';
    all[index] = '';
  }
}

function* texts(count: number, textAt: (index: number) => string): Generator<string> {
  for (let index = 0; index < count; index += 1) yield textAt(index);
}

/** Parses and takes, in batches; only the taking is timed. */
function feed(
  contestant: Contestant,
  all: Iterable<string>,
): { readonly seconds: number; readonly eventCount: number } {
  let seconds = 0;
  let eventCount = 0;
  let batch: Input[] = [];
  const take = (): void => {
    const taken = timed(() => batch.reduce((sum, input) => sum + contestant.take(input), 0));
    seconds += taken.seconds;
    eventCount += taken.result;
    batch = [];
  };
  let weight = 0;
  for (const text of all) {
    batch.push(JSON.parse(text) as Input);
    weight += text.length;
    if (batch.length < BATCH && weight < 500_000) continue;
    take();
    weight = 0;
  }
  take();
  return { seconds, eventCount };
}

function expect(actual: number, expected: number, why: string): void {
  if (actual !== expected) throw new Error(`the bench is wrong: ${actual} instead of ${expected}: ${why}`);
}
