// The only sequence: deadlines that have passed, what is forgotten, the input itself, deadlines it has created.
import { fireDeadlines, firingDeadlines } from './deadlines.ts';
import { decideAttempt, decideOutcome } from './dispatch.ts';
import type { Event } from './event.ts';
import type { Input, InstantText } from './input.ts';
import { parseInstant } from './instant.ts';
import { forget, settle } from './memory.ts';
import { observeArtifact, observeStatus } from './observe.ts';
import { answer } from './question.ts';
import { readSettings } from './settings.ts';
import { report } from './report.ts';
import { earliestDeadline } from './schedule.ts';
import { StateFaultError } from './state-fault-error.ts';
import type { State } from './state/state.ts';
import { Turn } from './turn.ts';
import { assert, unreachable } from './unreachable.ts';

/**
 * Decides one input of the tenant's log and evolves the state by what is decided. Inputs come in log order; one
 * stamped earlier than the last is taken at the last instant (semantics, *Time*).
 * Returns the events in order: at least one, except for a tick that decides nothing.
 * Throws only on a bug, or where `at` is no instant; the state is then no longer to be used. A `StateFaultError` says
 * that it is the state that is at fault, and not the input.
 */
export function decide(state: State, input: Input): Event[] {
  const turn = turnAt(state, input.at);
  fire(turn);
  moveOn(turn);
  const before = turn.events.length;
  apply(turn, input);
  if (turn.events.length === before && input.type !== 'tick') ignore(turn, 'it carries nothing that changes anything');
  fire(turn);
  settle(state);
  return turn.events;
}

/**
 * Decides a tick in pieces of about so many events, so that a herd of deadlines need not be held whole: together they
 * are what `decide` returns. Between two pieces the state is halfway and must be told nothing else. Throws as `decide`.
 */
export function* advance(state: State, at: InstantText, eventsAPiece: number): Generator<Event[]> {
  const turn = turnAt(state, at);
  try {
    for (const _ of firingDeadlines(turn)) {
      if (turn.events.length >= eventsAPiece) yield turn.take();
    }
  } catch (cause) {
    throw stateFault(cause);
  }
  moveOn(turn);
  settle(state);
  if (turn.events.length > 0) yield turn.take();
}

function turnAt(state: State, at: InstantText): Turn {
  const stamped = parseInstant(at);
  assert(!Number.isNaN(stamped), 'an input is stamped by the log with a well-formed instant');
  return new Turn(state, Math.max(stamped, state.now));
}

function fire(turn: Turn): void {
  try {
    fireDeadlines(turn);
  } catch (cause) {
    throw stateFault(cause);
  }
}

function stateFault(cause: unknown): StateFaultError {
  return cause instanceof StateFaultError ? cause : new StateFaultError('a deadline cannot be fired', { cause });
}

/** What is over by the turn's instant is remembered no more. */
function moveOn({ state, now }: Turn): void {
  state.now = now;
  forget(state);
}

/** Until which instant nothing fires by itself, in epoch milliseconds; undefined where nothing ever will. */
export function nextDeadline(state: State): number | undefined {
  const earliest = earliestDeadline(state);
  return earliest === Infinity ? undefined : earliest;
}

function apply(turn: Turn, input: Input): void {
  switch (input.type) {
    case 'agentDeclared':
      return turn.emit({ type: 'agentDeclared', at: turn.at, agentId: input.agentId, params: input.params });
    case 'artifactObserved':
      return observeArtifact(turn, input);
    case 'statusObserved':
      return observeStatus(turn, input);
    case 'answerObserved':
      return answer(turn, input);
    case 'factReported':
      return report(turn, input.reporter, [input.fact]);
    case 'factsReported':
      return report(turn, input.reporter, input.facts);
    case 'configured': {
      const read = readSettings(input.settings, input.agentId !== undefined);
      if ('message' in read) return ignore(turn, read.message);
      const { agentId } = input;
      return turn.emit({ type: 'configured', at: turn.at, ...(agentId === undefined ? {} : { agentId }), ...read });
    }
    case 'dispatchAttempted':
      return decideAttempt(turn, input);
    case 'dispatchAcknowledged':
    case 'dispatchFailed':
      return decideOutcome(turn, input);
    case 'tick':
      return;
    default:
      return unreachable(input);
  }
}

function ignore(turn: Turn, why: string): void {
  turn.emit({ type: 'inputIgnored', at: turn.at, why });
}
