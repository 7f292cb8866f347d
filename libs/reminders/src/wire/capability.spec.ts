// What cards say of reminders, and what follows for callers (reminders, *Card*).
import {
  activatesReminders,
  declareReminders,
  fullCapability,
  readReminderCapability,
  refuseCaller,
} from './capability.ts';
import { REMINDERS_URI } from './names.ts';

const cardWith = (capabilities: object): object => ({ name: 'a', capabilities });
const asExtension = (entry: object): object =>
  cardWith({ extensions: [{ uri: 'urn:other' }, { uri: REMINDERS_URI, ...entry }] });

describe('reading a card', () => {
  it.each([
    ['nothing', undefined],
    ['no object', 'card'],
    ['a card without capabilities', { name: 'a' }],
    [
      'a card that declares none',
      cardWith({ streaming: true, extensions: [{ uri: 'urn:other' }], _meta: { harn: {} } }),
    ],
    ['a capability that is none', cardWith({ reminders: 'yes', extensions: 'none', _meta: [] })],
  ])('%s: it declares none', (_, card) => {
    expect(readReminderCapability(card)).toBeUndefined();
  });

  it('the capability', () => {
    const reminders = { inject: true, propagate: ['REMINDER_PROPAGATION_NONE', 'UNKNOWN'], role_hints: [] };
    expect(readReminderCapability(cardWith({ reminders }))).toEqual({
      inject: true,
      emit: false,
      propagate: ['REMINDER_PROPAGATION_NONE'],
      roleHints: [],
      required: false,
      extension: false,
    });
  });

  it('the extension, with parameters and without', () => {
    expect(readReminderCapability(asExtension({ params: { inject: true } }))).toMatchObject({
      inject: true,
      emit: false,
    });
    expect(readReminderCapability(asExtension({ required: true }))).toMatchObject({
      inject: true,
      emit: true,
      required: true,
      extension: true,
    });
  });

  it.each([
    ['nested', { harn: { reminders: { inject: true } } }],
    ['as one name', { 'harn.reminders': { inject: true } }],
  ])('what peers declare under _meta until then, %s', (_, _meta) => {
    expect(readReminderCapability(cardWith({ _meta }))).toMatchObject({ inject: true, emit: false, extension: false });
  });
});

describe('declaring on a card', () => {
  it('is read as declared, and keeps what else is there', () => {
    const card = { name: 'a', capabilities: { streaming: true, extensions: [{ uri: 'urn:other' }] } };
    const declared = declareReminders(card);
    expect(declared).toMatchObject({ name: 'a', capabilities: { streaming: true, reminders: fullCapability } });
    expect(readReminderCapability(declared)).toMatchObject({ ...fullCapability, required: false, extension: true });
    expect(readReminderCapability(cardWith({ extensions: extensionsOf(declared) }))).toMatchObject(fullCapability);
  });

  it('twice is once', () => {
    const once = declareReminders({ name: 'a' }, fullCapability, true);
    expect(declareReminders(once, fullCapability, true)).toEqual(once);
    expect(readReminderCapability(once)?.required).toBe(true);
  });

  function extensionsOf(card: object): unknown {
    return (card as { capabilities: { extensions: unknown } }).capabilities.extensions;
  }
});

describe('a caller', () => {
  it('is refused where the card declares no inject', () => {
    expect(refuseCaller(undefined, [REMINDERS_URI])?.code).toBe('not_implemented');
    expect(refuseCaller(readReminderCapability(cardWith({ reminders: { emit: true } })), [])?.code).toBe(
      'not_implemented',
    );
  });

  it('is refused without the extension where the card requires it', () => {
    const declared = readReminderCapability(asExtension({ required: true }));
    expect(refuseCaller(declared, ['urn:other'])?.code).toBe('extension_required');
    expect(refuseCaller(declared, [REMINDERS_URI])).toBeUndefined();
  });

  it('is served without it where it is not required, and can read updates where it is activated', () => {
    const declared = readReminderCapability(cardWith({ reminders: fullCapability }));
    expect(refuseCaller(declared, [])).toBeUndefined();
    expect(activatesReminders([])).toBe(false);
    expect(activatesReminders(['urn:other', REMINDERS_URI])).toBe(true);
  });
});
