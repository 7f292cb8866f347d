// Whether what stands in an inbox record can be told to the core: a log may hold anything.
import type { Input } from '#expectations';
import type { UntimedInput } from '#event-log';

type Field = (value: unknown) => boolean;

const text: Field = (value) => typeof value === 'string';
const optionalText: Field = (value) => value === undefined || typeof value === 'string';
const anything: Field = () => true;
const list: Field = (value) => Array.isArray(value);
const count: Field = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1;
const oneOf =
  (...values: readonly string[]): Field =>
  (value) =>
    typeof value === 'string' && values.includes(value);

const ofTask = { agentId: text, taskId: text, contextId: text };
const ofDispatch = {
  agentId: text,
  expectationId: text,
  lapse: oneOf('overdue', 'skipped', 'stalled'),
  attempt: count,
};

const fields: Readonly<Record<Input['type'], Readonly<Record<string, Field>>>> = {
  agentDeclared: { agentId: text },
  artifactObserved: ofTask,
  statusObserved: ofTask,
  answerObserved: { agentId: text, taskId: text, reporter: text },
  factReported: { reporter: text, fact: anything },
  factsReported: { reporter: text, facts: list },
  tick: {},
  configured: { agentId: optionalText },
  dispatchAttempted: ofDispatch,
  dispatchAcknowledged: { ...ofDispatch, taskId: optionalText },
  dispatchFailed: { ...ofDispatch, outcome: oneOf('refused', 'unknown', 'unreachable', 'parked'), cause: text },
};

/** What keeps an input from being decided, naming the field; undefined where nothing does. */
export function faultOf(input: UntimedInput): string | undefined {
  const expected = (fields as Readonly<Record<string, Readonly<Record<string, Field>> | undefined>>)[input.type];
  if (expected === undefined) return `type: ${input.type} is not an input`;
  const values = input as Readonly<Record<string, unknown>>;
  const wrong = Object.keys(expected).find((name) => expected[name]?.(values[name]) !== true);
  return wrong === undefined ? undefined : `${wrong}: is missing or has the wrong type`;
}
