// Short stories for the core: one agent, one shipment, instants by the day of September 2026.
import assert from 'node:assert/strict';
import { decide, type Event, EXTENSION_URI, type Input, type Outcome, simulate, State } from '#expectations';

export const agentId = 'booking';
export const taskId = 'task-1';
export const subject = { type: 'shipment', id: 'PA-1' };

/** `09-10T20:15` and the like, in 2026; seconds and their parts may follow. */
export const at = (text: string): string => `2026-${text}${/T\d\d:\d\d$/.test(text) ? ':00' : ''}Z`;

export const declared: Input = {
  type: 'agentDeclared',
  at: at('09-01T00:00'),
  agentId,
  params: { keepsTime: false, lapseSkill: 'handle_lapse', kinds: [{ kind: 'step' }, { kind: 'question' }] },
};

/** An expectation of the fact `<id>`, due on the 10th. */
export function expectation(expectationId: string, rest: Readonly<Record<string, unknown>> = {}): object {
  const expects = `${expectationId} of PA-1`;
  const due = { dueAt: at('09-10T00:00'), basis: 'observed' };
  return { expectationId, kind: 'step', subject, expects, satisfiedBy: { factKey: expectationId }, ...due, ...rest };
}

export function raised(when: string, expectations: readonly object[], of: Partial<{ taskId: string }> = {}): Input {
  const artifact = { artifactId: when, metadata: { [EXTENSION_URI]: { expectations } } };
  return { type: 'artifactObserved', at: at(when), agentId, taskId, contextId: 'ctx-1', artifact, ...of };
}

export function status(when: string, state: string, expectations: readonly object[] = []): Input {
  const message = { messageId: when, role: 'ROLE_AGENT', metadata: { [EXTENSION_URI]: { expectations } } };
  const of = { at: at(when), agentId, taskId, contextId: 'ctx-1', state: `TASK_STATE_${state}` };
  return { type: 'statusObserved', ...of, ...(expectations.length > 0 && { message }) };
}

export function fact(when: string, factKey: string, rest: Readonly<Record<string, unknown>> = {}): Input {
  return { type: 'factReported', at: at(when), reporter: 'feed', fact: { factKey, observedAt: at(when), ...rest } };
}

export const tick = (when: string): Input => ({ type: 'tick', at: at(when) });

/** What the record says after all of it, the agent having declared its kinds first. */
export const told = (...inputs: readonly Input[]): Outcome => simulate({ inputs: [declared, ...inputs] });

/** Every event of it, in order. */
export function eventsOf(...inputs: readonly Input[]): readonly Event[] {
  const state = new State();
  return [declared, ...inputs].flatMap((input) => decide(state, input));
}

/** The lapses as `id kind`, in the order decided. */
export const lapsesOf = ({ lapses }: Outcome): readonly string[] =>
  lapses.map(({ lapse }) => `${lapse.expectationId} ${lapse.lapse}`);

/** The record of an expectation. Throws where there is none. */
export function recordOf(outcome: Outcome, id: string): Outcome['records'][number] {
  const found = outcome.records.find(({ expectationId }) => expectationId === id);
  assert(found !== undefined, `there is no record of ${id}`);
  return found;
}
