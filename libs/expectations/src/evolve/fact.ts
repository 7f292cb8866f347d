// Facts and what they satisfied: remembered by identity, by key for the early-fact window, and by subject.
import type { ExpectationSatisfied, FactRecorded, FactRepeated } from '../event.ts';
import type { Hash } from '../hash.ts';
import { parseInstant } from '../instant.ts';
import { hashKey, identityOf } from '../reported.ts';
import { schedule } from '../schedule.ts';
import type { Expectation } from '../state/expectation.ts';
import type { CurrentFact, State } from '../state/state.ts';
import type { Subject } from '../state/subject.ts';
import { assert } from '../unreachable.ts';
import { close } from './close.ts';
import { openOf } from './open.ts';

export function evolveFactRecorded(state: State, event: FactRecorded): void {
  const { keyHash, factHash } = identityOf(event.reporter, event.fact);
  const number = event.factNumber;
  state.factCount = number;
  const observedAt = parseInstant(event.observedAt);
  state.unmatched.add(factHash, state.now, number);
  const { reporter } = event;
  const received = { receivedAt: state.now, observedAt, firstObservedAt: observedAt };
  const recentAt = state.recent.add({ keyHash, factHash, reporter, ...received, number });
  for (const subject of event.subjects) state.findSubject(subject.type, subject.id)?.record(number, observedAt);
  state.currentFact = { recentAt, isNew: true };
}

/** A repeat that satisfies is received now, for the window; on its subjects it stays recorded as of the first. */
export function evolveFactRepeated(state: State, event: FactRepeated): void {
  if (!event.satisfies) return;
  const { keyHash, factHash, observedAt } = identityOf(event.reporter, event.fact);
  const at = state.unmatched.find(factHash);
  assert(at >= 0, 'a repeat that satisfies has satisfied nothing before');
  const number = state.unmatched.numberOf(at);
  const firstObservedAt = Math.min(observedAt, state.unmatched.atOf(at));
  const isRecent = state.unmatched.atOf(at) >= state.recent.oldestAt;
  const before = isRecent ? state.recent.findNumber(keyHash, number) : -1;
  if (before >= 0) state.recent.kill(before);
  const recentAt = state.recent.add({
    keyHash,
    factHash,
    reporter: event.reporter,
    receivedAt: state.now,
    observedAt: parseInstant(event.observedAt),
    firstObservedAt,
    number,
  });
  state.currentFact = { recentAt, isNew: false };
}

export function evolveSatisfied(state: State, event: ExpectationSatisfied): void {
  const expectation = openOf(state, event);
  const { subject } = expectation;
  assert(subject !== null, 'what is open has a subject');
  const observedAt = parseInstant(event.observedAt);
  recordOnSubject(state, expectation, subject, event, observedAt);
  subject.satisfiedAtFact = state.factCount;
  subject.satisfiedAt = state.now;
  close(state, expectation, { satisfied: true, observedAt });
  startSilence(state, subject);
}

function recordOnSubject(
  state: State,
  expectation: Expectation,
  subject: Subject,
  event: ExpectationSatisfied,
  observedAt: number,
): void {
  if (event.how === 'answer' || event.how === 'state') {
    state.factCount += 1;
    subject.record(state.factCount, observedAt);
    return;
  }
  const { recentAt, isNew } = event.how === 'fact' ? currentFact(state) : earlyFact(state, expectation, event);
  const { number, firstObservedAt, factHash } = state.recent.get(recentAt);
  if (!isNew) subject.record(number, firstObservedAt);
  state.recent.serve(recentAt, expectation.agent);
  remember(state, factHash);
}

function currentFact({ currentFact: fact }: State): CurrentFact {
  assert(fact !== undefined, 'a fact stands before what it satisfies');
  return fact;
}

function earlyFact(state: State, { agent }: Expectation, event: ExpectationSatisfied): CurrentFact {
  const recentAt = state.recent.findNumber(hashKey(event.factKey ?? ''), event.factNumber ?? 0, agent);
  assert(recentAt >= 0, 'an early fact is within its window');
  return { recentAt, isNew: false };
}

/** A fact that satisfied something is remembered as long as what it satisfied last. */
function remember(state: State, hash: Hash): void {
  const unmatchedAt = state.unmatched.find(hash);
  if (unmatchedAt >= 0) {
    state.matched.add(hash, state.now, state.unmatched.numberOf(unmatchedAt));
    state.unmatched.remove(unmatchedAt);
    return;
  }
  const at = state.matched.find(hash);
  if (at < 0 || state.matched.atOf(at) === state.now) return;
  const number = state.matched.numberOf(at);
  state.matched.remove(at);
  state.matched.add(hash, state.now, number);
}

/** A satisfaction starts the silence anew for all whose horizon is over and whose silence was broken. */
function startSilence(state: State, subject: Subject): void {
  const { unsilenced } = subject;
  if (unsilenced === null) return;
  subject.unsilenced = null;
  for (const expectation of unsilenced) schedule(state, expectation);
}
