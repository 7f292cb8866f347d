// One report: its facts are applied together, in the order observed, then the gaps they leave are judged.
import type { Subject } from './event.ts';
import { judgeGaps, type Revealing } from './gap.ts';
import { formatInstant } from './instant.ts';
import { identify, readReported, type Reported } from './reported.ts';
import { satisfyAll } from './satisfy.ts';
import type { Expectation } from './state/expectation.ts';
import type { State } from './state/state.ts';
import type { Turn } from './turn.ts';

interface Placed {
  readonly reported: Reported;
  readonly index: number;
  /** Never later than the receipt. */
  readonly observedAt: number;
}

/** Applies a report (semantics, *Facts*). A malformed fact is refused; the rest is applied. */
export function report(turn: Turn, reporter: string, facts: readonly unknown[]): void {
  const placed: Placed[] = [];
  for (let index = 0; index < facts.length; index += 1) {
    const reported = readReported(facts[index]);
    if ('message' in reported) refuse(turn, reporter, index, reported.factKey, reported.message);
    else placed.push({ reported, index, observedAt: Math.min(reported.observedAt, turn.now) });
  }
  placed.sort((left, right) => left.observedAt - right.observedAt);
  const revealing: Revealing[] = [];
  for (const fact of placed) applyFact(turn, reporter, fact, revealing);
  judgeGaps(turn, revealing);
}

function refuse(turn: Turn, reporter: string, index: number, factKey: string | null, message: string): void {
  turn.emit({ type: 'factRefused', at: turn.at, reporter, index, factKey, code: 'invalid', message });
}

function applyFact(
  turn: Turn,
  reporter: string,
  { reported, index, observedAt }: Placed,
  revealing: Revealing[],
): void {
  const { state, at } = turn;
  const { content: fact, factKey } = reported;
  const { factHash } = identify(reporter, reported);
  const unmatchedAt = state.unmatched.find(factHash);
  const isRepeat = unmatchedAt >= 0 || state.matched.find(factHash) >= 0;
  const waiting = isRepeat && unmatchedAt < 0 ? none : waitingFor(state, factKey);
  const satisfies = waiting.length > 0;
  const factNumber = unmatchedAt >= 0 ? state.unmatched.numberOf(unmatchedAt) : state.factCount + 1;
  const observedText = formatInstant(observedAt);
  if (isRepeat) {
    turn.emit({ type: 'factRepeated', at, reporter, index, fact, observedAt: observedText, satisfies });
  } else {
    const subjects = subjectsOf(reported, waiting);
    turn.emit({ type: 'factRecorded', at, reporter, index, fact, observedAt: observedText, factNumber, subjects });
  }
  if (!satisfies) return;
  const by = { receivedAt: turn.now, observedAt, source: reporter, how: 'fact', factKey, factNumber } as const;
  satisfyAll(turn, waiting, by, revealing);
}

const none: readonly Expectation[] = [];

/** Every open expectation of the tenant with exactly this key, in the order of recording. */
function waitingFor(state: State, factKey: string): readonly Expectation[] {
  const waiting = state.waiting.get(factKey);
  if (waiting === undefined) return none;
  return waiting instanceof Set ? [...waiting] : [waiting];
}

/** The subject it names and those of what it satisfies, each once. */
function subjectsOf(reported: Reported, satisfied: readonly Expectation[]): Subject[] {
  const subjects: Subject[] = [];
  const { subjectType, subjectId } = reported;
  if (subjectType !== null && subjectId !== null) subjects.push({ type: subjectType, id: subjectId });
  if (satisfied.length === 0) return subjects;
  for (const subject of new Set(satisfied.map((expectation) => expectation.subject))) {
    if (subject === null || (subject.type === subjectType && subject.id === subjectId)) continue;
    subjects.push({ type: subject.type, id: subject.id });
  }
  return subjects;
}
