// Reads the parameters of InjectTaskReminder (reminders, *Inject*): refused with the field named, or whole and with its
// defaults. It must never throw, nor let through what no store keeps.
import { formatHash, hashJson } from '#expectations';
import { isList, isObject, isStorable, isUsableId, isWithinDepth } from '#protocol';
import { defaultBounds, type ReminderBounds } from '../life-cycle/bounds.ts';
import type { Refused } from '../life-cycle/decide.ts';
import type { JsonMembers, ReminderInjected } from '../life-cycle/input.ts';
import { modes, propagations, type ReminderDraft, roleHints } from '../life-cycle/reminder.ts';
import { Fields } from './read-fields.ts';

const metadataDepth = 32;

const reminderFields = [
  'id',
  'body',
  'tags',
  'dedupeKey',
  'ttlTurns',
  'preserveOnCompact',
  'propagate',
  'roleHint',
  'source',
  'firedAtTurn',
  'mode',
];

/** An inject, read: what is missing to an input is its instant, a new id, and what the task's owner says of the task. */
export type InjectRequest = Pick<ReminderInjected, 'taskId' | 'draft' | 'contentHash' | 'metadata'>;

/**
 * Reads `{taskId, reminder, metadata?}`; of HTTP+JSON, the body with the path's `taskId`. Members beside these three
 * are A2A's own and left alone.
 */
export function readInject(params: unknown, bounds: ReminderBounds = defaultBounds): InjectRequest | Refused {
  if (!isObject(params)) return refused('params', 'must be an object');
  const taskId = params['taskId'] ?? params['task_id'];
  if (!isUsableId(taskId)) {
    return refused('taskId', 'must be a text of 1 to 1,024 characters, without NUL or half characters');
  }
  const metadata = params['metadata'] ?? undefined;
  const fault = metadata === undefined ? undefined : metadataFault(metadata, bounds.metadataBytes);
  if (fault !== undefined) return refused('metadata', fault);
  const read = readReminder(params['reminder'], 'reminder', bounds);
  if ('refusal' in read) return read;
  return { taskId, ...read, ...(metadata !== undefined && { metadata: metadata as JsonMembers }) };
}

/** Reads one reminder; `path` is where it stands. */
export function readReminder(
  value: unknown,
  path: string,
  bounds: ReminderBounds = defaultBounds,
): Pick<InjectRequest, 'draft' | 'contentHash'> | Refused {
  if (!isObject(value)) return refused(path, 'must be an object');
  const fields = new Fields(value, path);
  fields.allowOnly(reminderFields);
  const id = value['id'] === '' ? undefined : fields.text('id');
  const content = readContent(fields, bounds);
  if (fields.refusal !== undefined) return { refusal: fields.refusal };
  return { draft: { ...(id !== undefined && { id }), ...content }, contentHash: formatHash(hashJson(content)) };
}

function readContent(fields: Fields, bounds: ReminderBounds): Omit<ReminderDraft, 'id'> {
  const body = fields.body('body', bounds.bodyBytes);
  const tags = fields.tags('tags', bounds.tagsCount);
  const dedupeKey = fields.text('dedupeKey');
  const ttlTurns = fields.count('ttlTurns', 1);
  const source = fields.text('source');
  const firedAtTurn = fields.count('firedAtTurn', 0);
  return {
    body,
    tags,
    ...(dedupeKey !== undefined && { dedupeKey }),
    ...(ttlTurns !== undefined && { ttlTurns }),
    preserveOnCompact: fields.flag('preserveOnCompact'),
    propagate: fields.choice(
      'propagate',
      propagations,
      'REMINDER_PROPAGATION_SESSION',
      'REMINDER_PROPAGATION_UNSPECIFIED',
    ),
    roleHint: fields.choice('roleHint', roleHints, 'REMINDER_ROLE_HINT_SYSTEM', 'REMINDER_ROLE_HINT_UNSPECIFIED'),
    ...(source !== undefined && { source }),
    ...(firedAtTurn !== undefined && { firedAtTurn }),
    mode: fields.choice('mode', modes, 'finish_step'),
  };
}

function metadataFault(metadata: unknown, bytes: number): string | undefined {
  if (!isObject(metadata)) return 'must be an object';
  if (!isWithinDepth(metadata, metadataDepth)) return `must be nested at most ${metadataDepth} levels deep`;
  if (!isKept(metadata)) return 'must hold neither NUL nor half characters';
  return Buffer.byteLength(JSON.stringify(metadata)) > bytes ? `must have at most ${bytes} bytes` : undefined;
}

function isKept(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (isList(value)) return value.every(isKept);
  return !isObject(value) || Object.entries(value).every(([name, inner]) => isStorable(name) && isKept(inner));
}

function refused(field: string, message: string): Refused {
  return { refusal: { code: 'invalid', field, message } };
}
