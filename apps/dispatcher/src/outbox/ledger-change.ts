// What a ledger event means to the outbox. Pure; all other events mean nothing to it.
import type { DispatchPaused, DispatchResumed, LedgerEvent, RefusalPlace } from '#event-log';
import type { ConfiguredEvent, DispatchOutcome, ExpectationLapsed } from '#expectations';
import type { RefusalChange } from '../refusals/refusal-change.ts';
import { agentKeyOf, lapseKeyOf, tenantKeyOf } from './lapse-key.ts';

export type LedgerChange =
  | {
      readonly type: 'lapsed';
      readonly lapseKey: string;
      readonly agentKey: string;
      readonly tenant: string;
      readonly event: ExpectationLapsed;
    }
  | { readonly type: 'granted'; readonly lapseKey: string; readonly agentKey: string; readonly attempt: number }
  | { readonly type: 'acknowledged'; readonly lapseKey: string; readonly agentKey: string }
  | {
      readonly type: 'failed';
      readonly lapseKey: string;
      readonly agentKey: string;
      readonly attempt: number;
      readonly outcome: DispatchOutcome;
    }
  | { readonly type: 'voided'; readonly lapseKey: string; readonly agentKey: string; readonly attempt: number }
  | { readonly type: 'declared'; readonly agentKey: string }
  | { readonly type: 'retried' | 'discarded'; readonly lapseKey: string; readonly agentKey: string }
  | { readonly type: 'paused'; readonly tenant: string; readonly event: DispatchPaused }
  | { readonly type: 'resumed'; readonly tenant: string; readonly event: DispatchResumed }
  | { readonly type: 'settleTimeSet'; readonly scopeKey: string; readonly duration: string }
  | RefusalChange;

/** The change, or undefined. The tenant is the record's own; `place` is where the event stands in the ledger. */
export function toChange(tenant: string, event: LedgerEvent, place: RefusalPlace): LedgerChange | undefined {
  switch (event.type) {
    case 'expectationLapsed':
      if (event.selfTimed) return undefined;
      return { type: 'lapsed', tenant, event, ...keysOf(tenant, event, event.lapse.lapse) };
    case 'dispatchAttempted':
      return { type: 'granted', attempt: event.attempt, ...keysOf(tenant, event, event.lapse) };
    case 'dispatchAcknowledged':
      return { type: 'acknowledged', ...keysOf(tenant, event, event.lapse) };
    case 'dispatchFailed':
      return { type: 'failed', attempt: event.attempt, outcome: event.outcome, ...keysOf(tenant, event, event.lapse) };
    case 'dispatchVoided':
      return { type: 'voided', attempt: event.attempt, ...keysOf(tenant, event, event.lapse) };
    case 'agentDeclared':
      return { type: 'declared', agentKey: agentKeyOf(tenant, event.agentId) };
    case 'dispatchRetried':
      return { type: 'retried', ...keysOf(tenant, event, event.lapse) };
    case 'dispatchDiscarded':
      return { type: 'discarded', ...keysOf(tenant, event, event.lapse) };
    case 'dispatchPaused':
      return { type: 'paused', tenant, event };
    case 'dispatchResumed':
      return { type: 'resumed', tenant, event };
    case 'expectationRefused':
      return { type: 'refused', tenant, event, place };
    case 'refusalTellingEnded':
      return { type: 'refusalTellingEnded', tenant, event };
    case 'configured':
      return settleTimeOf(tenant, event);
    default:
      return undefined;
  }
}

function settleTimeOf(tenant: string, { agentId, settings }: ConfiguredEvent): LedgerChange | undefined {
  const duration = settings.skippedSettleTime;
  if (duration === undefined) return undefined;
  const scopeKey = agentId === undefined ? tenantKeyOf(tenant) : agentKeyOf(tenant, agentId);
  return { type: 'settleTimeSet', scopeKey, duration };
}

type OfExpectation = { readonly agentId: string; readonly expectationId: string };

function keysOf(tenant: string, { agentId, expectationId }: OfExpectation, lapse: ExpectationLapsed['lapse']['lapse']) {
  return { agentKey: agentKeyOf(tenant, agentId), lapseKey: lapseKeyOf(tenant, agentId, expectationId, lapse) };
}
