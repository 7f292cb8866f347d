// What is asked and told of dispatch beside the core, and how it stands in the tenant's ledger from then on: pauses, what
// becomes of a lapse that is parked, and whether an agent was told what was refused. Nothing that is judged depends on it.
import type { LapseKind } from '#expectations';

/** Which lapses a pause holds: those that fit all of it; the whole tenant's where it is empty. */
export interface DispatchScope {
  readonly agentId?: string;
  readonly kind?: string;
  readonly subject?: { readonly type: string; readonly id: string };
}

interface Pause {
  /** Given by who asks, once for all: of two pauses of one id only the first counts, also when it has ended. */
  readonly pauseId: string;
  readonly scope: DispatchScope;
  readonly reason: string;
  /** From when on, RFC 3339; at once where it is absent. */
  readonly from?: string;
  /** Until when, exclusive. */
  readonly until: string;
  readonly by: string;
}

interface PauseEnd {
  readonly pauseId: string;
  readonly by: string;
}

interface OfLapse {
  readonly agentId: string;
  readonly expectationId: string;
  readonly lapse: LapseKind;
  readonly by: string;
}

/** Lapse tasks are not to be submitted for a while. */
export interface DispatchPauseRequested extends Pause {
  readonly type: 'dispatchPauseRequested';
}

/** A pause is to end before its time. */
export interface DispatchPauseEndRequested extends PauseEnd {
  readonly type: 'dispatchPauseEndRequested';
}

/** A parked lapse is to be submitted after all. */
export interface DispatchRetryRequested extends OfLapse {
  readonly type: 'dispatchRetryRequested';
  readonly reason?: string;
}

/** A parked lapse is not to be submitted any more. */
export interface DispatchDiscardRequested extends OfLapse {
  readonly type: 'dispatchDiscardRequested';
  readonly reason: string;
}

/** Where in the ledger of the same tenant a refusal stands. */
export interface RefusalPlace {
  readonly ledgerOffset: number;
  readonly eventIndex: number;
}

interface RefusalTelling {
  readonly agentId: string;
  readonly contextId: string;
  /** `unknown`: it may have been told, and is not told again. `dropped`: it is never told, for the cause given. */
  readonly outcome: 'told' | 'unknown' | 'dropped';
  readonly cause?: string;
  /** The task that the agent has made of it. */
  readonly taskId?: string;
  readonly refusals: readonly RefusalPlace[];
}

/** The dispatcher says how the telling of refusals has ended. */
export interface RefusalTellingReported extends RefusalTelling {
  readonly type: 'refusalTellingReported';
}

export type DispatchAct =
  | DispatchPauseRequested
  | DispatchPauseEndRequested
  | DispatchRetryRequested
  | DispatchDiscardRequested
  | RefusalTellingReported;

interface Recorded {
  /** The instant of the act, RFC 3339. */
  readonly at: string;
}

/** Dispatch of what fits the scope is held until then. Judgement goes on. */
export interface DispatchPaused extends Pause, Recorded {
  readonly type: 'dispatchPaused';
}

/** The pause of this id, if there is one, ends now where it has not ended. */
export interface DispatchResumed extends PauseEnd, Recorded {
  readonly type: 'dispatchResumed';
}

/** The lapse, if it is parked, is submitted again. */
export interface DispatchRetried extends OfLapse, Recorded {
  readonly type: 'dispatchRetried';
  readonly reason?: string;
}

/** The lapse, unless it is with its agent, is void. What may be with the agent is looked for, and never sent again. */
export interface DispatchDiscarded extends OfLapse, Recorded {
  readonly type: 'dispatchDiscarded';
  readonly reason: string;
}

/** The agent was told, or will not be, what of its own was refused. */
export interface RefusalTellingEnded extends RefusalTelling, Recorded {
  readonly type: 'refusalTellingEnded';
}

export type DispatchActEvent =
  DispatchPaused | DispatchResumed | DispatchRetried | DispatchDiscarded | RefusalTellingEnded;

const recordedAs = {
  dispatchPauseRequested: 'dispatchPaused',
  dispatchPauseEndRequested: 'dispatchResumed',
  dispatchRetryRequested: 'dispatchRetried',
  dispatchDiscardRequested: 'dispatchDiscarded',
  refusalTellingReported: 'refusalTellingEnded',
} as const satisfies Readonly<Record<DispatchAct['type'], DispatchActEvent['type']>>;

export function isDispatchAct(input: { readonly type: string }): input is DispatchAct {
  return Object.hasOwn(recordedAs, input.type);
}

/** The act as the ledger records it. Whether it changes anything is told by what the ledger holds before it. */
export function recordAct(act: DispatchAct, at: string): DispatchActEvent {
  switch (act.type) {
    case 'dispatchPauseRequested': {
      const { pauseId, scope, reason, from, until, by } = act;
      const { agentId, kind, subject } = scope;
      const known = {
        ...(agentId !== undefined && { agentId }),
        ...(kind !== undefined && { kind }),
        ...(subject !== undefined && { subject: { type: subject.type, id: subject.id } }),
      };
      return {
        type: recordedAs[act.type],
        at,
        pauseId,
        scope: known,
        reason,
        ...(from !== undefined && { from }),
        until,
        by,
      };
    }
    case 'dispatchPauseEndRequested':
      return { type: recordedAs[act.type], at, pauseId: act.pauseId, by: act.by };
    case 'dispatchRetryRequested': {
      const { agentId, expectationId, lapse, reason, by } = act;
      return {
        ...{ type: recordedAs[act.type], at, agentId, expectationId, lapse },
        ...(reason !== undefined && { reason }),
        by,
      };
    }
    case 'dispatchDiscardRequested': {
      const { agentId, expectationId, lapse, reason, by } = act;
      return { type: recordedAs[act.type], at, agentId, expectationId, lapse, reason, by };
    }
    case 'refusalTellingReported': {
      const { agentId, contextId, outcome, cause, taskId, refusals } = act;
      return {
        ...{ type: recordedAs[act.type], at, agentId, contextId, outcome },
        ...(cause !== undefined && { cause }),
        ...(taskId !== undefined && { taskId }),
        refusals: refusals.map(({ ledgerOffset, eventIndex }) => ({ ledgerOffset, eventIndex })),
      };
    }
  }
}
