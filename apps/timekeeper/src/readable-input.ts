// Whether what stands in an inbox record can be told to the core: a log may hold anything.
import { type InboxEntry, reminderOutcomes } from '#event-log';
import { parseInstant } from '#expectations';

type Field = (value: unknown) => boolean;

const text: Field = (value) => typeof value === 'string';
/** As the edges let it in: what no store keeps as it is would end whoever asks an agent for the task. */
const storableId: Field = (value) =>
  typeof value === 'string' && value !== '' && value.length <= 2_048 && !/[\0\p{Surrogate}]/u.test(value);
const optionalId: Field = (value) => value === undefined || storableId(value);
const optionalText: Field = (value) => value === undefined || typeof value === 'string';
const optionalTexts: Field = (value) =>
  value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
const anything: Field = () => true;
const list: Field = (value) => Array.isArray(value);
const count: Field = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1;
const offset: Field = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const optionalInstant: Field = (value) =>
  value === undefined || (typeof value === 'string' && !Number.isNaN(parseInstant(value)));
const instant: Field = (value) => value !== undefined && optionalInstant(value);
const scope: Field = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { agentId, kind, subject } = value as Readonly<Record<string, unknown>>;
  return optionalText(agentId) && optionalText(kind) && (subject === undefined || isSubject(subject));
};
const oneOf =
  (...values: readonly string[]): Field =>
  (value) =>
    typeof value === 'string' && values.includes(value);

const isSubject: Field = (value) => {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id } = value as Readonly<Record<string, unknown>>;
  return text(type) && text(id);
};

const places: Field = (value) => Array.isArray(value) && value.every(isPlace);
const isPlace: Field = (value) => {
  if (typeof value !== 'object' || value === null) return false;
  const { ledgerOffset, eventIndex } = value as Readonly<Record<string, unknown>>;
  return offset(ledgerOffset) && offset(eventIndex);
};

const lapseKind = oneOf('overdue', 'skipped', 'stalled');
const ofTask = { agentId: text, taskId: storableId, contextId: text };
const ofLapse = { agentId: text, expectationId: text, lapse: lapseKind };
const ofDispatch = { ...ofLapse, attempt: count };

const fieldsOf = {
  agentDeclared: { agentId: text },
  artifactObserved: ofTask,
  statusObserved: ofTask,
  answerObserved: { agentId: text, taskId: storableId, reporter: text, except: optionalTexts },
  factReported: { reporter: text, fact: anything },
  factsReported: { reporter: text, facts: list },
  tick: {},
  configured: { agentId: optionalText },
  dispatchAttempted: { ...ofDispatch, possibleDuplicate: (value) => value === undefined || value === true },
  dispatchAcknowledged: { ...ofDispatch, taskId: optionalId },
  dispatchFailed: { ...ofDispatch, outcome: oneOf('refused', 'unknown', 'unreachable', 'parked'), cause: text },
  tenantReleaseRequested: { heldOffset: offset, by: text },
  partitionReleaseRequested: { heldOffset: offset, by: text, takenAt: optionalInstant },
  dispatchPauseRequested: { pauseId: text, scope, reason: text, from: optionalInstant, until: instant, by: text },
  dispatchPauseEndRequested: { pauseId: text, by: text },
  dispatchRetryRequested: { ...ofLapse, reason: optionalText, by: text },
  dispatchDiscardRequested: { ...ofLapse, reason: text, by: text },
  refusalTellingReported: {
    ...{ agentId: text, contextId: text, outcome: oneOf('told', 'unknown', 'dropped') },
    ...{ cause: optionalText, taskId: optionalId, refusals: places },
  },
  reminderReported: { agentId: text, taskId: storableId, reminderId: storableId, outcome: oneOf(...reminderOutcomes) },
} satisfies Readonly<Record<InboxEntry['input']['type'], Readonly<Record<string, Field>>>>;

// A map, because a record may say it is of the type `constructor`.
const fields: ReadonlyMap<string, Readonly<Record<string, Field>>> = new Map(Object.entries(fieldsOf));

/** Deeper than what the edges let in; the core and the codec go down a value by recursion. */
const DEEPEST = 200;

/** What keeps an input from being decided, naming the field; undefined where nothing does. */
export function faultOf(input: InboxEntry['input']): string | undefined {
  const expected = fields.get(input.type);
  if (expected === undefined) return `type: ${input.type} is not an input`;
  const values = input as Readonly<Record<string, unknown>>;
  const wrong = Object.keys(expected).find((name) => expected[name]?.(values[name]) !== true);
  return wrong === undefined ? faultOfValue(input, 0) : `${wrong}: is missing or has the wrong type`;
}

/** What the ledger could not give back as it was. */
function faultOfValue(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number is too large to be kept';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEEPEST) return `it is nested deeper than ${DEEPEST} levels`;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    const fault = typeof member === 'string' ? undefined : faultOfValue(member, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
