// A vector from a file, checked as far as a person can be told what is wrong with it; what is in an input, the core checks.
import { type Input, parseInstant, type Vector } from '#expectations';

/** Every type of input; the compiler sees to it. */
const inputTypes: Readonly<Record<Input['type'], true>> = {
  agentDeclared: true,
  artifactObserved: true,
  statusObserved: true,
  answerObserved: true,
  factReported: true,
  factsReported: true,
  tick: true,
  configured: true,
  dispatchAttempted: true,
  dispatchAcknowledged: true,
  dispatchFailed: true,
};

/** Throws an error that says what is wrong and where. */
export function readVector(text: string): Vector {
  const vector = JSON.parse(text) as Vector | null;
  if (!isObject(vector) || !Array.isArray(vector.inputs))
    throw new TypeError('it must be an object with "inputs", a list');
  (vector.inputs as readonly unknown[]).forEach((input, index) => {
    const wrong = faultOf(input);
    if (wrong !== undefined) throw new TypeError(`inputs[${index}] ${wrong}`);
  });
  return vector;
}

function faultOf(input: unknown): string | undefined {
  if (!isObject(input)) return 'must be an object';
  const { at, type } = input as { readonly at?: unknown; readonly type?: unknown };
  if (typeof at !== 'string' || Number.isNaN(parseInstant(at))) return 'must have "at", an RFC 3339 instant';
  if (typeof type === 'string' && Object.hasOwn(inputTypes, type)) return undefined;
  return `must have "type", one of ${Object.keys(inputTypes).join(', ')}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
