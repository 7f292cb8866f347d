// What a card claims of reminders (reminders, *Card*): as the capability, as the extension, or as both; held against what is
// done. The host takes each kind of them, so a card that lists fewer would be refused less than it says.
import {
  type DeclaredReminders,
  declareReminders,
  propagations,
  readReminderCapability,
  REMINDERS_URI,
  roleHints,
} from '#reminders';
import type { CardRefusal } from './card-refusal.ts';
import { checkShape, isMembers, listOf, type Members } from './members.ts';

const shape = {
  inject: { kind: 'flag' },
  emit: { kind: 'flag' },
  propagate: { kind: 'list' },
  roleHints: { kind: 'list' },
} as const;

export function isRemindersExtension(extension: unknown): boolean {
  return isMembers(extension) && extension['uri'] === REMINDERS_URI;
}

export function checkReminders(capabilities: Members, takesReminders: boolean): CardRefusal[] {
  const places = placesOf(capabilities);
  const refusals = places.flatMap(([at, claimed]) => (claimed === undefined ? [] : checkClaim(at, claimed)));
  const [[at] = ['']] = places;
  const declared = readReminderCapability({ capabilities });
  if (declared === undefined || at === '') return refusals;
  if (declared.inject && !takesReminders) refusals.push(notSo(at, 'the handler does not say reminders: true'));
  if (declared.emit && !declared.inject) refusals.push(notSo(at, 'what is not injected is not emitted either'));
  if (declared.emit && capabilities['streaming'] !== true) {
    refusals.push(notSo(at, 'they are emitted on streams, and the card claims no streaming'));
  }
  const claims = places.flatMap(([, claimed]) => (isMembers(claimed) ? [claimed] : []));
  if (claims.some((claimed) => !isSame(claimed, claims[0] ?? claimed))) {
    refusals.push(notSo(at, 'the capability and the extension must say the same'));
  }
  return refusals;
}

/** The card with what it declares of reminders declared as both; as it is where it declares nothing. */
export function withReminders(card: Members): {
  readonly card: Members;
  readonly reminders?: DeclaredReminders;
} {
  const reminders = readReminderCapability(card);
  if (reminders === undefined) return { card };
  const { required, extension: _extension, ...capability } = reminders;
  const declared = declareReminders(card, capability, required);
  return { card: declared, reminders: { ...reminders, extension: true } };
}

/** Where the card speaks of them, and what it says there. */
function placesOf(capabilities: Members): readonly (readonly [string, unknown])[] {
  const index = listOf(capabilities['extensions']).findIndex(isRemindersExtension);
  const extension = listOf(capabilities['extensions'])[index];
  const capability = capabilities['reminders'] ?? undefined;
  return [
    ...(capability === undefined ? [] : [['capabilities.reminders', capability] as const]),
    ...(isMembers(extension)
      ? [[`capabilities.extensions[${index}].params`, extension['params'] ?? undefined] as const]
      : []),
  ];
}

function checkClaim(at: string, claimed: unknown): CardRefusal[] {
  const refusals = checkShape(claimed, at, shape);
  if (!isMembers(claimed)) return refusals;
  for (const [name, all] of [
    ['propagate', propagations],
    ['roleHints', roleHints],
  ] as const) {
    const listed = claimed[name] ?? all;
    if (!Array.isArray(listed) || isAll(listed, all)) continue;
    refusals.push(notSo(`${at}.${name}`, `the host takes each of ${all.join(', ')}: list them all, or none`));
  }
  return refusals;
}

function isAll(listed: readonly unknown[], all: readonly string[]): boolean {
  return listed.length === all.length && all.every((name) => listed.includes(name));
}

function isSame(one: Members, other: Members): boolean {
  return ['inject', 'emit'].every((name) => (one[name] === true) === (other[name] === true));
}

function notSo(claim: string, reason: string): CardRefusal {
  return { claim, code: 'reminders-not-so', reason };
}
