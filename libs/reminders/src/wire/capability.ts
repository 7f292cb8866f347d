// What a card says of reminders (reminders, *Card*), and how one says it. Reading never throws and never refuses a card.
import { isList, isObject, type JsonObject, member } from '#protocol';
import type { Refusal } from '../life-cycle/refusal.ts';
import { propagations, type ReminderPropagation, type ReminderRoleHint, roleHints } from '../life-cycle/reminder.ts';
import { INJECT_METHOD, REMINDERS_URI } from './names.ts';

export interface ReminderCapability {
  /** It serves `InjectTaskReminder`. */
  readonly inject: boolean;
  /** Its streams carry reminders. */
  readonly emit: boolean;
  readonly propagate: readonly ReminderPropagation[];
  readonly roleHints: readonly ReminderRoleHint[];
}

/** All of it, as this product serves it. */
export const fullCapability: ReminderCapability = {
  inject: true,
  emit: true,
  propagate: propagations,
  roleHints,
};

export interface DeclaredReminders extends ReminderCapability {
  /** It refuses callers that do not activate the extension. */
  readonly required: boolean;
  /** The extension is declared, so that its header may be sent. */
  readonly extension: boolean;
}

/**
 * What the card declares, as the capability, the extension, or under `capabilities._meta.harn.reminders`, in this order;
 * undefined where it declares nothing. A list that is absent means all of them.
 */
export function readReminderCapability(card: unknown): DeclaredReminders | undefined {
  const capabilities = isObject(card) ? member(card, 'capabilities') : undefined;
  if (!isObject(capabilities)) return undefined;
  const entry = extensionOf(capabilities);
  const capability = member(capabilities, 'reminders') ?? undefined;
  const params = entry === undefined ? undefined : (member(entry, 'params') ?? undefined);
  const declared = [capability, params, metaOf(capabilities)].find((value) => isObject(value));
  if (!isObject(declared) && entry === undefined) return undefined;
  // An extension that is declared without parameters claims all of it.
  const read = isObject(declared) ? readCapability(declared) : fullCapability;
  return {
    ...read,
    required: entry !== undefined && member(entry, 'required') === true,
    extension: entry !== undefined,
  };
}

/** The card with reminders declared as both, what it declared of them before replaced. */
export function declareReminders(
  card: JsonObject,
  capability: ReminderCapability = fullCapability,
  required = false,
): JsonObject {
  const capabilities = isObject(card['capabilities']) ? card['capabilities'] : {};
  const extensions = isList(capabilities['extensions']) ? capabilities['extensions'] : [];
  const others = extensions.filter((entry) => !isReminders(entry));
  const entry = {
    uri: REMINDERS_URI,
    description: 'Reminders for running tasks',
    ...(required && { required }),
    params: capability,
  };
  return { ...card, capabilities: { ...capabilities, reminders: capability, extensions: [...others, entry] } };
}

/** Whether `A2A-Extensions`, split, activates the extension: such a client can read `reminderUpdate`. */
export function activatesReminders(extensions: readonly string[]): boolean {
  return extensions.includes(REMINDERS_URI);
}

/** Why a card's agent serves no inject to this caller; undefined where it does. */
export function refuseCaller(
  declared: DeclaredReminders | undefined,
  extensions: readonly string[],
): Refusal | undefined {
  if (declared?.inject !== true) return { code: 'not_implemented', message: `${INJECT_METHOD} is not served here` };
  if (!declared.required || activatesReminders(extensions)) return undefined;
  return { code: 'extension_required', message: `activate ${REMINDERS_URI}: the agent's card requires it` };
}

function readCapability(declared: JsonObject): ReminderCapability {
  return {
    inject: member(declared, 'inject') === true,
    emit: member(declared, 'emit') === true,
    propagate: chosen(member(declared, 'propagate'), propagations),
    roleHints: chosen(member(declared, 'roleHints'), roleHints),
  };
}

function chosen<Choice>(listed: unknown, choices: readonly Choice[]): readonly Choice[] {
  return isList(listed) ? choices.filter((choice) => listed.includes(choice)) : choices;
}

function extensionOf(capabilities: JsonObject): JsonObject | undefined {
  const extensions = member(capabilities, 'extensions');
  return (isList(extensions) ? extensions : []).find(isReminders);
}

function isReminders(entry: unknown): entry is JsonObject {
  return isObject(entry) && member(entry, 'uri') === REMINDERS_URI;
}

/** Where peers declare it until A2A has the capability; nested, or as one name with dots. */
function metaOf(capabilities: JsonObject): unknown {
  const meta = capabilities['_meta'];
  if (!isObject(meta)) return undefined;
  return isObject(meta['harn']) ? meta['harn']['reminders'] : meta['harn.reminders'];
}
