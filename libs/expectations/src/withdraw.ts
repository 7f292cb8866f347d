// Withdrawal (§8.1) and retirement (semantics, *States*): closing without satisfaction and without lapse.
import { canLapseNoMore } from './deadline.ts';
import { pendingOf, voidPending } from './dispatch.ts';
import type { WithdrawalCause } from './event.ts';
import { anchoredTo, bySeq, type Expectation, Mark } from './state/expectation.ts';
import type { Turn } from './turn.ts';

interface Withdrawal {
  readonly withdrawn: WithdrawalCause;
  readonly reason?: string;
  readonly supersededBy?: string;
}

/** Withdraws an open expectation. What is suspended right behind it is released, unless it has a successor or retires. */
export function withdraw(turn: Turn, expectation: Expectation, withdrawal: Withdrawal): void {
  const { withdrawn, supersededBy } = withdrawal;
  const isReleasing = supersededBy === undefined && withdrawn !== 'retired';
  const behind = isReleasing ? anchoredTo(expectation).filter((anchored) => anchored.is(Mark.suspended)) : [];
  const pending = pendingOf(expectation);
  const { agent, id } = expectation;
  turn.emit({ type: 'expectationWithdrawn', at: turn.at, agentId: agent.id, expectationId: id, ...withdrawal });
  voidPending(turn, agent.id, id, pending, 'withdrawn');
  for (const anchored of behind) {
    turn.emit({ type: 'expectationReleased', at: turn.at, agentId: agent.id, expectationId: anchored.id });
  }
}

/** Withdraws all of a list that are open, in the order of recording. */
export function withdrawAll(turn: Turn, expectations: readonly Expectation[], withdrawn: WithdrawalCause): void {
  for (const expectation of [...expectations].sort(bySeq)) {
    if (expectation.isOpen) withdraw(turn, expectation, { withdrawn });
  }
}

/** Retires it, and what is suspended behind it and cannot lapse any more, and so on behind each that goes. */
export function retire(turn: Turn, expectation: Expectation, instant: number): void {
  const retiring = [expectation];
  for (const at of retiring) {
    const behind = anchoredTo(at);
    withdraw(turn, at, { withdrawn: 'retired' });
    retiring.push(...behind.filter((anchored) => canLapseNoMore(anchored, instant)));
  }
}
