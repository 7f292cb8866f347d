// Reading the parameters of InjectTaskReminder (reminders, *Inject*): every fault is named by its field.
import { defaultBounds } from '../life-cycle/bounds.ts';
import { readInject } from './read-inject.ts';

const whole = {
  id: 'r1',
  body: 'Rebase before the next tool call.',
  tags: ['upstream', 'rebase'],
  dedupeKey: 'upstream:pr-1234',
  ttlTurns: 2,
  preserveOnCompact: true,
  propagate: 'REMINDER_PROPAGATION_NONE',
  roleHint: 'REMINDER_ROLE_HINT_DEVELOPER',
  source: 'coordinator-agent',
  firedAtTurn: 4,
  mode: 'interrupt_immediate',
};

const read = (reminder: unknown, beside = {}): unknown => readInject({ taskId: 't1', reminder, ...beside });
const hashOf = (reminder: unknown): unknown => (read(reminder) as { contentHash: unknown }).contentHash;

const refused = (field: string, message?: string): unknown => ({
  refusal: { code: 'invalid', field, message: message ?? expect.any(String) },
});

describe('what is right', () => {
  it('is read whole, with its metadata', () => {
    const metadata = { 'harn.reminder.origin': 'coordinator' };
    expect(read(whole, { metadata })).toEqual({
      taskId: 't1',
      draft: whole,
      contentHash: expect.any(String),
      metadata,
    });
  });

  it('has defaults for what is absent, null or unspecified', () => {
    const draft = {
      body: 'x',
      tags: [],
      preserveOnCompact: false,
      propagate: 'REMINDER_PROPAGATION_SESSION',
      roleHint: 'REMINDER_ROLE_HINT_SYSTEM',
      mode: 'finish_step',
    };
    const unspecified = {
      id: '',
      propagate: 'REMINDER_PROPAGATION_UNSPECIFIED',
      roleHint: 'REMINDER_ROLE_HINT_UNSPECIFIED',
      ttlTurns: null,
    };
    expect(read({ body: 'x' })).toMatchObject({ draft });
    expect(read({ body: 'x', ...unspecified })).toEqual(read({ body: 'x' }));
  });

  it('may be spelled as proto spells it', () => {
    const { dedupeKey: dedupe_key, ttlTurns: ttl_turns, ...others } = whole;
    expect(readInject({ task_id: 't1', reminder: { ...others, dedupe_key, ttl_turns } })).toEqual(read(whole));
  });

  it('has its tags trimmed, each once, and its body as it is', () => {
    expect(read({ body: ' x\n', tags: [' a ', 'b', 'a'] })).toMatchObject({
      draft: { body: ' x\n', tags: ['a', 'b'] },
    });
  });

  it('may have members of A2A’s own beside it', () => {
    expect(read(whole, { tenant: 'any', metadata: null })).toEqual(read(whole));
  });

  it('has one content, however it is written and whatever its id', () => {
    const { id: _id, mode, ...others } = whole;
    expect(hashOf({ mode, ...others })).toBe(hashOf(whole));
    expect(hashOf({ ...whole, body: 'y' })).not.toBe(hashOf(whole));
  });

  it('may be as large as it may be', () => {
    const tags = Array.from({ length: 32 }, (_, number) => `${number}`);
    expect(read({ body: 'ä'.repeat(8 * 1024), tags, ttlTurns: 0xffff_ffff })).not.toHaveProperty('refusal');
  });
});

describe('what is wrong is named', () => {
  it.each([
    ['no body', { body: undefined }, 'reminder.body', 'is missing'],
    ['a blank body', { body: ' \n\t' }, 'reminder.body', 'must not be blank'],
    ['a body that is none', { body: 7 }, 'reminder.body', undefined],
    ['a body with NUL', { body: 'a\0' }, 'reminder.body', undefined],
    ['a body with half a character', { body: '\ud800' }, 'reminder.body', undefined],
    ['a body over 16 KiB', { body: 'ä'.repeat(8 * 1024) + 'x' }, 'reminder.body', 'must have at most 16384 bytes'],
    ['tags that are no list', { tags: 'upstream' }, 'reminder.tags', undefined],
    ['a tag that is none', { tags: ['a', 7] }, 'reminder.tags[1]', undefined],
    ['a tag that is blank', { tags: ['a', ' '] }, 'reminder.tags[1]', undefined],
    ['33 tags', { tags: Array.from({ length: 33 }, (_, number) => `${number}`) }, 'reminder.tags', undefined],
    ['an id that is none', { id: 7 }, 'reminder.id', undefined],
    ['an id too long', { id: 'x'.repeat(1025) }, 'reminder.id', undefined],
    ['a dedupe key that is none', { dedupeKey: {} }, 'reminder.dedupeKey', undefined],
    ['no turns to live', { ttlTurns: 0 }, 'reminder.ttlTurns', undefined],
    ['half a turn to live', { ttlTurns: 1.5 }, 'reminder.ttlTurns', undefined],
    ['turns as text', { ttlTurns: '2' }, 'reminder.ttlTurns', undefined],
    ['more turns than a uint32', { ttlTurns: 2 ** 32 }, 'reminder.ttlTurns', undefined],
    ['a flag that is none', { preserveOnCompact: 'true' }, 'reminder.preserveOnCompact', undefined],
    ['an unknown scope', { propagate: 'REMINDER_PROPAGATION_ALL' }, 'reminder.propagate', undefined],
    ['a scope as a number', { propagate: 1 }, 'reminder.propagate', undefined],
    ['an unknown role', { roleHint: 'ROLE_USER' }, 'reminder.roleHint', undefined],
    ['a source that is none', { source: ['x'] }, 'reminder.source', undefined],
    ['a turn before all', { firedAtTurn: -1 }, 'reminder.firedAtTurn', undefined],
    ['an unknown mode', { mode: 'soon' }, 'reminder.mode', undefined],
    ['an unknown field', { priority: 1 }, 'reminder.priority', 'is no field of it'],
    ['a field inherited from nobody', JSON.parse('{"__proto__": 1}') as object, 'reminder.__proto__', undefined],
    ['a field twice', { dedupe_key: 'x' }, 'reminder.dedupeKey', 'is there twice'],
  ])('%s', (_, change, field, message) => {
    expect(read({ ...whole, ...change })).toEqual(refused(field, message));
  });

  it.each([
    ['no object', 'text', 'params'],
    ['a list', [], 'params'],
    ['no task', { reminder: whole }, 'taskId'],
    ['a task that is none', { taskId: '', reminder: whole }, 'taskId'],
    ['no reminder', { taskId: 't1' }, 'reminder'],
    ['a reminder that is none', { taskId: 't1', reminder: 'x' }, 'reminder'],
    ['metadata that are none', { taskId: 't1', reminder: whole, metadata: [] }, 'metadata'],
    ['metadata with NUL', { taskId: 't1', reminder: whole, metadata: { a: ['\0'] } }, 'metadata'],
    ['metadata too large', { taskId: 't1', reminder: whole, metadata: { a: 'x'.repeat(5000) } }, 'metadata'],
    ['metadata too deep', { taskId: 't1', reminder: whole, metadata: { a: nested(40) } }, 'metadata'],
  ])('%s', (_, params, field) => {
    expect(readInject(params)).toEqual(refused(field));
  });

  it('by the bounds that are set', () => {
    const reminder = { body: 'four', tags: ['a', 'b'] };
    const readWithin = (bounds: object): unknown =>
      readInject({ taskId: 't1', reminder }, { ...defaultBounds, ...bounds });
    expect(readWithin({ bodyBytes: 3 })).toEqual(refused('reminder.body'));
    expect(readWithin({ tagsCount: 1 })).toEqual(refused('reminder.tags'));
    expect(readWithin({ bodyBytes: 4, tagsCount: 2 })).not.toHaveProperty('refusal');
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? 'deep' : [nested(levels - 1)];
}
