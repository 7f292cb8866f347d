// Facts and what they satisfied: remembered by identity, by key for the early-fact window, and by subject.
import type { ExpectationSatisfied, FactRecorded, FactRepeated } from '../event.ts';
import type { Hash } from '../hash.ts';
import { parseInstant } from '../instant.ts';
import { hashKey, identityOf } from '../reported.ts';
import { schedule } from '../schedule.ts';
import type { Expectation } from '../state/expectation.ts';
import type { State } from '../state/state.ts';
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
  const firstObservedAt = observedAt;
  const received = { receivedAt: state.now, observedAt, firstObservedAt };
  const recentAt = state.recent.add({ keyHash, factHash, reporter, ...received, number });
  for (const subject of event.subjects) state.findSubject(subject.type, subject.id)?.record(number, observedAt);
  state.currentFact = { hash: factHash, number, firstObservedAt, recentAt, isNew: true };
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
  state.currentFact = { hash: factHash, number, firstObservedAt, recentAt, isNew: false };
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
  switch (event.how) {
    case 'fact': {
      const fact = state.currentFact;
      assert(fact !== undefined, 'a fact stands before what it satisfies');
      if (!fact.isNew) subject.record(fact.number, fact.firstObservedAt);
      state.recent.serve(fact.recentAt, expectation.agent);
      remember(state, fact.hash);
      return;
    }
    case 'early': {
      const at = state.recent.findNumber(hashKey(event.factKey ?? ''), event.factNumber ?? 0, expectation.agent);
      assert(at >= 0, 'an early fact is within its window');
      const fact = state.recent.get(at);
      subject.record(fact.number, fact.firstObservedAt);
      state.recent.serve(at, expectation.agent);
      remember(state, fact.factHash);
      return;
    }
    case 'answer':
    case 'state':
      state.factCount += 1;
      subject.record(state.factCount, observedAt);
  }
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
