// What the watcher says in a tenant's ledger of its own work, beside what the core decides. No part of the core's state.
import type { DispatchActEvent } from './dispatch-act.ts';
import type { ReminderRecorded } from './reminder-act.ts';

interface OfWatcher {
  /** The instant of the input that it is the outcome of, RFC 3339. */
  readonly at: string;
}

/** The decider threw on the input, and threw again when it came back: it has no other outcome, and a replay skips it. */
export interface InputParked extends OfWatcher {
  readonly type: 'inputParked';
  readonly cause: string;
}

/** The tenant's state is at fault: from this input on, its inputs and deadlines wait for its release. */
export interface TenantHeld extends OfWatcher {
  readonly type: 'tenantHeld';
  readonly cause: string;
}

/** What waited has been decided, at its own instants; the tenant is decided as any other again. */
export interface TenantReleased extends OfWatcher {
  readonly type: 'tenantReleased';
  /** The inbox offset from which it was held. */
  readonly heldOffset: number;
  /** Who asked for it. */
  readonly by: string;
}

/** The release was asked for, and what waited still cannot be decided: the tenant stays held. */
export interface TenantReleaseRefused extends OfWatcher {
  readonly type: 'tenantReleaseRefused';
  readonly cause: string;
}

export type WatcherEvent =
  InputParked | TenantHeld | TenantReleased | TenantReleaseRefused | DispatchActEvent | ReminderRecorded;

const types: ReadonlySet<string> = new Set<WatcherEvent['type']>([
  'inputParked',
  'tenantHeld',
  'tenantReleased',
  'tenantReleaseRefused',
  'dispatchPaused',
  'dispatchResumed',
  'dispatchRetried',
  'dispatchDiscarded',
  'refusalTellingEnded',
  'reminderRecorded',
]);

/** Whether an event is the watcher's own and none of the core's. */
export function isWatcherEvent(event: { readonly type: string }): event is WatcherEvent {
  return types.has(event.type);
}
