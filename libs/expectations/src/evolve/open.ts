// What happens to an expectation while it stays open.
import { addDuration } from '../duration.ts';
import type { ExpectationLapsed, ExpectationReanchored, ExpectationReleased, ExpectationSuspended } from '../event.ts';
import { parseInstant } from '../instant.ts';
import { retirementOf } from '../deadline.ts';
import { schedule } from '../schedule.ts';
import { type Expectation, Mark, unlinkAnchor } from '../state/expectation.ts';
import type { State } from '../state/state.ts';
import { assert } from '../unreachable.ts';

/** The open expectation an event speaks of. */
export function openOf(state: State, event: { readonly agentId: string; readonly expectationId: string }): Expectation {
  const expectation = state.agents.get(event.agentId)?.names.get(event.expectationId);
  assert(expectation?.isOpen === true, 'an event speaks of what is open');
  return expectation;
}

export function evolveSuspended(state: State, event: ExpectationSuspended): void {
  const expectation = openOf(state, event);
  expectation.marks |= Mark.suspended;
  schedule(state, expectation);
}

export function evolveReleased(state: State, event: ExpectationReleased): void {
  const expectation = openOf(state, event);
  expectation.marks &= ~Mark.suspended;
  schedule(state, expectation);
}

/** The current due time is set; a suspension ends (§9.3). */
export function evolveReanchored(state: State, event: ExpectationReanchored): void {
  const expectation = openOf(state, event);
  const dueAt = parseInstant(event.dueAt);
  const { grace } = expectation;
  unlinkAnchor(expectation);
  expectation.setDue(dueAt, grace === null ? dueAt : addDuration(dueAt, grace));
  expectation.marks &= ~Mark.suspended;
  if (expectation.hasLapsed) {
    expectation.setLapsed(expectation.lapsedAt, retirementOf(state, expectation, expectation.lapsedAt));
  }
  schedule(state, expectation);
}

export function evolveLapsed(state: State, event: ExpectationLapsed): void {
  const expectation = openOf(state, event);
  const { lapse } = event.lapse;
  expectation.marks |= Mark[lapse];
  if (!event.selfTimed) expectation.setPending(lapse, true);
  expectation.setLapsed(state.now, retirementOf(state, expectation, state.now));
  schedule(state, expectation);
}
