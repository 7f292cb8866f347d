// What a card says the agent can do beside answering, held against what the host and the handler do.
import type { ExtensionEntry } from '#agent-handler';
import type { CardRefusal } from './card-refusal.ts';
import { uriOf } from './handler-entries.ts';
import { checkShape, isMembers, listOf } from './members.ts';
import { checkReminders, isRemindersExtension } from './reminders.ts';
import type { SecurityAbilities } from './security.ts';

/** What the host and its handler can keep of what a card claims. */
export interface Abilities extends SecurityAbilities {
  /** Push notifications survive a restart only in a store that does. */
  readonly hasPushStore: boolean;
  readonly extensions: readonly (string | ExtensionEntry)[];
  readonly isTyped: boolean;
  /** The handler puts a turn's reminders where its model has them. */
  readonly takesReminders: boolean;
}

const shape = {
  streaming: { kind: 'flag' },
  pushNotifications: { kind: 'flag' },
  extendedAgentCard: { kind: 'flag' },
  extensions: { kind: 'list' },
  stateTransitionHistory: { kind: 'flag' },
  reminders: { kind: 'object' },
} as const;

const extensionShape = {
  uri: { kind: 'text', form: 'uri', isRequired: true },
  description: { kind: 'text' },
  required: { kind: 'flag' },
  params: { kind: 'object' },
} as const;

export function checkCapabilities(capabilities: unknown, abilities: Abilities): CardRefusal[] {
  const refusals = checkShape(capabilities, 'capabilities', shape);
  if (!isMembers(capabilities)) return refusals;
  if (capabilities['pushNotifications'] === true && !abilities.hasPushStore) {
    const reason =
      'push notifications are kept with the tasks, sealed: serve with --tasks postgres or redis, and, unless the PostgreSQL is its own, with DUEWATCH_SEAL_KEY; or claim none';
    refusals.push({ claim: 'capabilities.pushNotifications', code: 'push-without-store', reason });
  }
  if (capabilities['extendedAgentCard'] === true) {
    const reason = 'the host serves one card, to everybody';
    refusals.push({ claim: 'capabilities.extendedAgentCard', code: 'extended-card-not-served', reason });
  }
  if (capabilities['stateTransitionHistory'] === true) {
    const reason = 'the host tells the states of a task as they come, and keeps the last';
    refusals.push({ claim: 'capabilities.stateTransitionHistory', code: 'capability-not-served', reason });
  }
  const implemented = abilities.extensions.map(uriOf);
  const known = new Set<unknown>();
  for (const [index, extension] of listOf(capabilities['extensions']).entries()) {
    const at = `capabilities.extensions[${index}]`;
    refusals.push(...checkShape(extension, at, extensionShape));
    const uri = isMembers(extension) ? extension['uri'] : undefined;
    if (known.has(uri)) {
      const reason = 'an extension before it, of the card or of the handler, has the same URI';
      refusals.push({ claim: at, code: 'extension-twice', reason });
    }
    if (uri !== undefined) known.add(uri);
    if (typeof uri !== 'string' || isRemindersExtension(extension) || implemented.includes(uri)) continue;
    const reason = `the handler does not list ${uri} among its extensions`;
    refusals.push({ claim: at, code: 'extension-not-implemented', reason });
  }
  return [...refusals, ...checkReminders(capabilities, abilities.takesReminders)];
}
