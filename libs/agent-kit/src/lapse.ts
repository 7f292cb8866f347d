// A lapse as a watcher tells the agent of it (Expectations §10.1), read from a message that nobody has promised anything of.
import { type LapseBlock, type LapseKind, parseInstant } from '#expectations';
import { isList, isObject, isUsableId, type JsonObject, METADATA_KEY } from '#protocol/pure';

/** The block of §10.1, and where it came from. */
export interface Lapse extends Omit<LapseBlock, 'lapse'> {
  /** One of the three; what this version does not know counts as overdue (§15). */
  readonly lapse: LapseKind;
  /** The kind of lapse by the watcher's own word. */
  readonly told: string;
  /** The deterministic id by which a lapse that comes twice is known. */
  readonly messageId: string;
  readonly contextId: string;
  /** The task that raised what lapsed; empty where the message names none. */
  readonly originTaskId: string;
}

export type LapseRead =
  | { readonly lapse: Lapse }
  /** The message carries a lapse that cannot be answered for, and why. */
  | { readonly malformed: string };

/** What is read of a message; A2A's JSON and the SDK's form have the same names. */
export interface LapseCarrier {
  readonly messageId?: unknown;
  readonly contextId?: unknown;
  readonly referenceTaskIds?: unknown;
  readonly metadata?: unknown;
}

const kinds: readonly string[] = ['overdue', 'skipped', 'stalled'] satisfies readonly LapseKind[];

/** The lapse that a message carries; undefined where it carries none. Never throws. */
export function readLapse(message: LapseCarrier): LapseRead | undefined {
  const { metadata } = message;
  const block = isObject(metadata) && Object.hasOwn(metadata, METADATA_KEY) ? metadata[METADATA_KEY] : undefined;
  const lapse = isObject(block) && Object.hasOwn(block, 'lapse') ? block['lapse'] : undefined;
  if (lapse === undefined) return undefined;
  if (!isObject(lapse)) return { malformed: 'lapse: must be an object' };
  const fault = faultOf(lapse);
  if (fault !== undefined) return { malformed: `lapse.${fault}` };
  return { lapse: { ...(lapse as unknown as LapseBlock), ...placed(lapse, message) } };
}

function placed(
  lapse: JsonObject,
  { messageId, contextId, referenceTaskIds }: LapseCarrier,
): Pick<Lapse, 'lapse' | 'told' | 'messageId' | 'contextId' | 'originTaskId'> {
  const told = lapse['lapse'] as string;
  const [origin] = isList(referenceTaskIds) ? referenceTaskIds : [];
  return {
    lapse: kinds.includes(told) ? (told as LapseKind) : 'overdue',
    told,
    messageId: textOf(messageId),
    contextId: textOf(contextId),
    originTaskId: textOf(origin),
  };
}

function faultOf(lapse: JsonObject): string | undefined {
  const named = ['expectationId', 'kind', 'expects', 'lapse'].find((name) => textOf(lapse[name]) === '');
  if (named !== undefined) return `${named}: must be a non-empty string`;
  const { subject, lineage } = lapse;
  if (!isUsableId(lapse['expectationId'])) return 'expectationId: must be a text of at most 1,024 characters';
  if (!isObject(subject) || textOf(subject['type']) === '' || textOf(subject['id']) === '') {
    return 'subject: must be an object with type and id';
  }
  const instant = ['projectedDueAt', 'dueAt', 'lapsedAt'].find((name) => Number.isNaN(parseInstant(lapse[name])));
  if (instant !== undefined) return `${instant}: must be an RFC 3339 instant`;
  const isCount = typeof lineage === 'number' && Number.isInteger(lineage) && lineage >= 0;
  return isCount ? undefined : 'lineage: must be a whole number from 0';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
