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
  facts.forEach((fact, index) => {
    const reported = readReported(fact);
    if ('message' in reported) refuse(turn, reporter, index, reported.factKey, reported.message);
    else placed.push({ reported, index, observedAt: Math.min(reported.observedAt, turn.now) });
  });
  placed.sort((left, right) => left.observedAt - right.observedAt);
  const revealing: Revealing[] = [];
  for (const fact of placed) revealing.push(...applyFact(turn, reporter, fact));
  judgeGaps(turn, revealing);
}

function refuse(turn: Turn, reporter: string, index: number, factKey: string | null, message: string): void {
  turn.emit({ type: 'factRefused', at: turn.at, reporter, index, factKey, code: 'invalid', message });
}

function applyFact(turn: Turn, reporter: string, fact: Placed): Revealing[] {
  const { state } = turn;
  const { content, factKey } = fact.reported;
  const waiting = waitingFor(state, factKey);
  const { factHash } = identify(reporter, content);
  const unmatchedAt = state.unmatched.find(factHash);
  const isRepeat = unmatchedAt >= 0 || state.matched.find(factHash) >= 0;
  const satisfies = waiting.length > 0 && (!isRepeat || unmatchedAt >= 0);
  const factNumber = unmatchedAt >= 0 ? state.unmatched.numberOf(unmatchedAt) : state.factCount + 1;
  const of = { at: turn.at, reporter, index: fact.index, fact: content, observedAt: formatInstant(fact.observedAt) };
  if (isRepeat) turn.emit({ type: 'factRepeated', ...of, satisfies });
  else turn.emit({ type: 'factRecorded', ...of, factNumber, subjects: subjectsOf(fact.reported, waiting) });
  if (!satisfies) return [];
  return satisfyAll(turn, waiting, {
    receivedAt: turn.now,
    observedAt: fact.observedAt,
    source: reporter,
    how: 'fact',
    factKey,
    factNumber,
  });
}

/** Every open expectation of the tenant with exactly this key, in the order of recording. */
function waitingFor(state: State, factKey: string): readonly Expectation[] {
  const waiting = state.waiting.get(factKey);
  if (waiting === undefined) return [];
  return waiting instanceof Set ? [...waiting] : [waiting];
}

/** The subject it names and those of what it satisfies, each once. */
function subjectsOf(reported: Reported, satisfied: readonly Expectation[]): Subject[] {
  const subjects: Subject[] = [];
  const { subjectType, subjectId } = reported;
  if (subjectType !== null && subjectId !== null) subjects.push({ type: subjectType, id: subjectId });
  const seen = new Set<unknown>();
  for (const { subject } of satisfied) {
    if (subject === null || seen.has(subject)) continue;
    seen.add(subject);
    if (subject.type !== subjectType || subject.id !== subjectId) subjects.push({ type: subject.type, id: subject.id });
  }
  return subjects;
}
