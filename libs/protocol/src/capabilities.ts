// What an agent can do beyond answering, as its card says: the same on cards of 1.0 and of 0.3.
import { isObject, member } from './shape.ts';

export interface AgentCapabilities {
  /** It streams what becomes of a task. */
  readonly streaming: boolean;
  /** It sends what becomes of a task to whoever asked it to. */
  readonly pushNotifications: boolean;
}

/** Absent means no. Never throws. */
export function readCapabilities(card: unknown): AgentCapabilities {
  const capabilities = isObject(card) ? member(card, 'capabilities') : undefined;
  const has = (name: string): boolean => isObject(capabilities) && member(capabilities, name) === true;
  return { streaming: has('streaming'), pushNotifications: has('pushNotifications') };
}
