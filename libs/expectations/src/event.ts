// What the watcher has decided: the closed union of a tenant's ledger events, in order. Past tense.
// A public contract; every projection is a fold of these and needs no rule of its own.
import type { DispatchOutcome, InstantText, Json, LapseKind } from './input.ts';
import type { RefusalCode } from './refusal.ts';
import type { Settings } from './settings.ts';
import type { WarningCode } from './warning.ts';

/** `{ type, id }`; opaque to the watcher (§5). */
export interface Subject {
  readonly type: string;
  readonly id: string;
}

/** Why an expectation was withdrawn (§8.1; `retired` is the watcher's own). */
export type WithdrawalCause = 'task_canceled' | 'task_failed' | 'task_rejected' | 'superseded' | 'agent' | 'retired';

/** What satisfied it: a fact as it came, one that came early, an answer seen by the client, or the task's state (§11). */
export type SatisfiedBy = 'fact' | 'early' | 'answer' | 'state';

/** The block of §10.1, as the agent receives it. */
export interface LapseBlock {
  readonly expectationId: string;
  readonly kind: string;
  readonly subject: Subject;
  readonly expects: string;
  readonly lapse: LapseKind;
  readonly projectedDueAt: InstantText;
  readonly dueAt: InstantText;
  readonly lapsedAt: InstantText;
  readonly lastFactAt?: InstantText;
  readonly satisfiedAfter?: readonly string[];
  readonly lineage: number;
}

interface OfExpectation {
  /** The instant of the input that caused it. */
  readonly at: InstantText;
  readonly agentId: string;
  readonly expectationId: string;
}

export interface AgentDeclaredEvent {
  readonly type: 'agentDeclared';
  readonly at: InstantText;
  readonly agentId: string;
  readonly params: unknown;
}

export interface ConfiguredEvent {
  readonly type: 'configured';
  readonly at: InstantText;
  readonly agentId?: string;
  /** Only what the input set, already checked. */
  readonly settings: Partial<Settings>;
}

/** The input changed nothing and refused nothing. */
export interface InputIgnored {
  readonly type: 'inputIgnored';
  readonly at: InstantText;
  readonly why: string;
}

export interface ExpectationRecorded extends OfExpectation {
  readonly type: 'expectationRecorded';
  readonly taskId: string;
  readonly contextId: string;
  /** As raised, unknown fields included. */
  readonly content: { readonly [key: string]: Json };
  readonly projectedDueAt: InstantText;
  readonly dueAt: InstantText;
  readonly lineage: number;
  /** It asks something of a person and ends with its task's interruption (§11). */
  readonly question: boolean;
  readonly warnings: readonly WarningCode[];
}

export interface ExpectationRepeated extends OfExpectation {
  readonly type: 'expectationRepeated';
}

export interface ExpectationRefused {
  readonly type: 'expectationRefused';
  readonly at: InstantText;
  readonly agentId: string;
  /** Null where the content gives no id that could be read. */
  readonly expectationId: string | null;
  readonly taskId: string;
  readonly contextId: string;
  readonly code: RefusalCode;
  /** For a person: what is wrong and, for a field, where. */
  readonly message: string;
  /** 32 hexadecimal digits. */
  readonly contentHash: string;
  /** False for one that was refused for the same reason before (within *Memory*). */
  readonly reported: boolean;
}

/** Its anchor has lapsed or is itself suspended: never overdue until its own anchor says more (§9.3). */
export interface ExpectationSuspended extends OfExpectation {
  readonly type: 'expectationSuspended';
  /** The id of the anchor it waits behind. */
  readonly behind: string;
}

/** Its anchor was withdrawn without a successor: the projected due time counts again. */
export interface ExpectationReleased extends OfExpectation {
  readonly type: 'expectationReleased';
}

/** Its anchor was satisfied: the current due time is set, once (§9.3). */
export interface ExpectationReanchored extends OfExpectation {
  readonly type: 'expectationReanchored';
  readonly anchorId: string;
  readonly dueAt: InstantText;
}

export interface ExpectationSatisfied extends OfExpectation {
  readonly type: 'expectationSatisfied';
  readonly satisfiedAt: InstantText;
  readonly observedAt: InstantText;
  readonly source: string;
  readonly late: boolean;
  readonly reportedLate: boolean;
  /** The fact that did it; absent for an answer (`how` is `answer` or `state`). */
  readonly factKey?: string;
  readonly factNumber?: number;
  readonly how: SatisfiedBy;
}

export interface ExpectationWithdrawn extends OfExpectation {
  readonly type: 'expectationWithdrawn';
  readonly withdrawn: WithdrawalCause;
  readonly reason?: string;
  readonly supersededBy?: string;
}

export interface ExpectationLapsed extends OfExpectation {
  readonly type: 'expectationLapsed';
  readonly taskId: string;
  readonly contextId: string;
  /** `lapse:<expectationId>:<kind>:<dueAt>` (§10.1). */
  readonly messageId: string;
  readonly lapse: LapseBlock;
  /** True: the agent keeps its own time; recorded, not submitted. */
  readonly selfTimed: boolean;
}

interface OfFact {
  readonly at: InstantText;
  readonly reporter: string;
  /** The fact's place in its report, from 0; events of one report come in the order observed. */
  readonly index: number;
}

export interface FactRecorded extends OfFact {
  readonly type: 'factRecorded';
  /** The fact's number among all facts of its tenant's ledger; rises. */
  readonly factNumber: number;
  /** As reported, unknown fields included. */
  readonly fact: { readonly [key: string]: Json };
  /** What the fact says, never later than the receipt. */
  readonly observedAt: InstantText;
  /** The subject it names and those of what it satisfies, each once. */
  readonly subjects: readonly Subject[];
}

/** A fact seen before. `satisfies` is true where it now satisfies what has waited (semantics, *Facts*). */
export interface FactRepeated extends OfFact {
  readonly type: 'factRepeated';
  /** As reported this time. */
  readonly fact: { readonly [key: string]: Json };
  /** What the fact says, never later than this receipt. */
  readonly observedAt: InstantText;
  readonly satisfies: boolean;
}

export interface FactRefused extends OfFact {
  readonly type: 'factRefused';
  readonly factKey: string | null;
  readonly code: 'invalid';
  readonly message: string;
}

export interface StatusApplied {
  readonly type: 'statusApplied';
  readonly at: InstantText;
  readonly agentId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly state: string;
  /** The latest `statusAt` of the task where the status gave one, never later than the receipt. */
  readonly statusAt?: InstantText;
}

/** A state that was not applied; its message's block still was. */
export interface StatusIgnored {
  readonly type: 'statusIgnored';
  readonly at: InstantText;
  readonly agentId: string;
  readonly taskId: string;
  readonly why: 'terminal' | 'stale' | 'not_a_state';
}

interface OfDispatch extends OfExpectation {
  readonly lapse: LapseKind;
  readonly attempt: number;
}

/** Leave to send. */
export interface DispatchAttemptedEvent extends OfDispatch {
  readonly type: 'dispatchAttempted';
  /** As it was asked: an earlier attempt may be with the agent, which cannot tell. */
  readonly possibleDuplicate?: true;
}

export interface DispatchAcknowledgedEvent extends OfDispatch {
  readonly type: 'dispatchAcknowledged';
  readonly taskId?: string;
}

export interface DispatchFailedEvent extends OfDispatch {
  readonly type: 'dispatchFailed';
  readonly outcome: DispatchOutcome;
  readonly cause: string;
}

/** It is not to be sent (any more): what lapsed was closed first. Decided when it closes, or in answer to an attempt (`attempt` 0 for the former). */
export interface DispatchVoided extends OfDispatch {
  readonly type: 'dispatchVoided';
  readonly cause: 'satisfied' | 'withdrawn' | 'acknowledged' | 'unknown';
}

export type Event =
  | AgentDeclaredEvent
  | ConfiguredEvent
  | InputIgnored
  | ExpectationRecorded
  | ExpectationRepeated
  | ExpectationRefused
  | ExpectationSuspended
  | ExpectationReleased
  | ExpectationReanchored
  | ExpectationSatisfied
  | ExpectationWithdrawn
  | ExpectationLapsed
  | FactRecorded
  | FactRepeated
  | FactRefused
  | StatusApplied
  | StatusIgnored
  | DispatchAttemptedEvent
  | DispatchAcknowledgedEvent
  | DispatchFailedEvent
  | DispatchVoided;
