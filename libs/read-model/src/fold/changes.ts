// What a batch of ledger records changes in the tables, collapsed in memory: rows to insert, and patches to rows that
// are stored already. Nothing is read to make it, so a batch costs no round trip a row.
import { isTerminal, type LapseKind } from '#expectations';
import { identityHash } from '../stored-text.ts';
import type { DeclarationRow, SettingRow } from '../tables/declaration.entity.ts';
import type { ExpectationRow } from '../tables/expectation.entity.ts';
import type { HoldRow, ParkedInputRow } from '../tables/hold.entity.ts';
import type { ExpectationName, FactRow, FactSubjectRow } from '../tables/fact.entity.ts';
import type { DispatchState, LapseRow } from '../tables/lapse.entity.ts';
import type { PauseRow } from '../tables/pause.entity.ts';
import type { RefusalRow } from '../tables/refusal.entity.ts';
import type { AwaitedTaskRow } from '../tables/awaited-task.entity.ts';
import type { TaskRow } from '../tables/task.entity.ts';

/** Where an event stands: its tenant, the ledger record, and its place in it. */
export interface Origin {
  readonly tenant: string;
  readonly ledgerOffset: number;
  readonly eventIndex: number;
}

/** Changed fields of the stored expectation that is open under the hash. */
export type ExpectationPatch = Pick<ExpectationRow, 'expectationHash'> & Partial<ExpectationRow>;

/** Changed fields of a stored lapse. */
export type LapsePatch = Pick<LapseRow, 'expectationHash' | 'occurrence' | 'lapse'> & Partial<LapseRow>;

/** What a stored fact has satisfied besides. */
export type FactPatch = Pick<FactRow, 'tenant' | 'factNumber'> & { readonly satisfied: ExpectationName[] };

/** Which hold a release ends. */
export type HeldWhere = Pick<HoldRow, 'partition' | 'inboxOffset' | 'tenant'>;

/** A release of a hold that is stored. */
export interface Released extends HeldWhere {
  readonly releasedAt: string;
  readonly releasedBy: string;
}

/**
 * Occurrences here count on from what is stored: 0 is the latest stored one of its id, 1 the first that this batch
 * records. The writer adds what is stored.
 */
export class Changes {
  readonly recorded: ExpectationRow[] = [];
  readonly expectationPatches = new Map<string, ExpectationPatch>();
  readonly lapsed = new Map<string, LapseRow>();
  readonly lapsePatches = new Map<string, LapsePatch>();
  /** What changes a lapse only where that has not come to its end before; these come before the other patches. */
  readonly unfinishedPatches = new Map<string, LapsePatch>();
  /** What changes a lapse only where that is parked; these come before all other patches. */
  readonly parkedPatches = new Map<string, LapsePatch>();
  readonly pauses = new Map<string, PauseRow>();
  /** Of stored pauses, by their hashes; these come before the pauses of the batch. */
  readonly pauseEnds = new Map<string, { readonly endedAt: string; readonly endedBy: string }>();
  readonly facts = new Map<string, FactRow>();
  readonly factPatches = new Map<string, FactPatch>();
  readonly factSubjects: FactSubjectRow[] = [];
  readonly refusals: RefusalRow[] = [];
  /** How telling of refusals has ended, of this batch's and of stored ones; these come after the refusals. */
  readonly tellings = new Map<string, Partial<RefusalRow>>();
  readonly tasks = new Map<string, TaskRow>();
  readonly declarations = new Map<string, DeclarationRow>();
  readonly settings = new Map<string, SettingRow>();
  readonly holds: HoldRow[] = [];
  readonly releases: Released[] = [];
  readonly parkedInputs: ParkedInputRow[] = [];
  /** Tasks that have ended in this batch, also those that go on in it: what was submitted as one before is concluded. */
  readonly endedTasks = new Set<string>();
  /** Tasks that a lapse was submitted as in this batch, of which it had said nothing before: their stored state counts. */
  readonly acknowledgedTasks = new Set<string>();
  /** Tasks that something depends on since this batch, by task and then by what it is. */
  private readonly awaitedTasks = new Map<string, Map<string, Awaited>>();
  private readonly submittedAs = new Map<string, Partial<LapseRow>[]>();
  private readonly newest = new Map<string, ExpectationRow>();

  /** A first or further use of the id. */
  record(row: ExpectationRow): void {
    row.occurrence = this.occurrenceOf(row.expectationHash) + 1;
    this.newest.set(row.expectationHash, row);
    this.recorded.push(row);
  }

  occurrenceOf(expectationHash: string): number {
    return this.newest.get(expectationHash)?.occurrence ?? 0;
  }

  /** The expectation to change: the row of this batch, or a patch to the stored one. */
  expectation(expectationHash: string): Partial<ExpectationRow> {
    const row = this.newest.get(expectationHash) ?? this.expectationPatches.get(expectationHash);
    if (row !== undefined) return row;
    const patch: ExpectationPatch = { expectationHash };
    this.expectationPatches.set(expectationHash, patch);
    return patch;
  }

  /** The lapse to change, likewise; of the latest occurrence of its expectation. */
  lapse(expectationHash: string, lapse: LapseKind): Partial<LapseRow> {
    const occurrence = this.occurrenceOf(expectationHash);
    const key = lapseKey({ expectationHash, occurrence, lapse });
    const row = this.lapsed.get(key) ?? this.lapsePatches.get(key);
    if (row !== undefined) return row;
    const patch: LapsePatch = { expectationHash, occurrence, lapse };
    this.lapsePatches.set(key, patch);
    return patch;
  }

  /** Ends a hold: the row of this batch, or a stored one. */
  release({ partition, inboxOffset, tenant }: HeldWhere, releasedAt: string, releasedBy: string): void {
    const row = this.holds.find(
      (hold) => hold.partition === partition && hold.inboxOffset === inboxOffset && hold.tenant === tenant,
    );
    if (row === undefined) this.releases.push({ partition, inboxOffset, tenant, releasedAt, releasedBy });
    else Object.assign(row, { releasedAt, releasedBy });
  }

  /** The lapse to change unless it is with its agent, or void; undefined where that is known of this batch. */
  unfinishedLapse(expectationHash: string, lapse: LapseKind): Partial<LapseRow> | undefined {
    const occurrence = this.occurrenceOf(expectationHash);
    const key = lapseKey({ expectationHash, occurrence, lapse });
    const row = this.lapsed.get(key) ?? this.lapsePatches.get(key) ?? this.unfinishedPatches.get(key);
    if (row !== undefined) return finalStates.some((state) => state === row.dispatchState) ? undefined : row;
    const patch = { expectationHash, occurrence, lapse };
    this.unfinishedPatches.set(key, patch);
    return patch;
  }

  /** The lapse, where it is parked, is pending from then on. */
  retryLapse(expectationHash: string, lapse: LapseKind, at: string): void {
    const occurrence = this.occurrenceOf(expectationHash);
    const key = lapseKey({ expectationHash, occurrence, lapse });
    const row = this.lapsed.get(key) ?? this.lapsePatches.get(key) ?? this.unfinishedPatches.get(key);
    const retried = { dispatchState: 'pending', dispatchChangedAt: at } as const;
    if (row?.dispatchState === undefined) {
      this.parkedPatches.set(key, { expectationHash, occurrence, lapse, ...retried });
    } else if (row.dispatchState === 'parked') Object.assign(row, retried);
  }

  /** Keeps a pause, unless there is one of its id in this batch; one that is stored stays, too. */
  pause(row: PauseRow): void {
    if (!this.pauses.has(row.pauseHash)) this.pauses.set(row.pauseHash, row);
  }

  /** Ends a pause before its time: the row of this batch, and a stored one. The first end counts. */
  endPause(pauseHash: string, endedAt: string, endedBy: string): void {
    const row = this.pauses.get(pauseHash);
    const isInTime = row?.endedAt === null && Date.parse(endedAt) < Date.parse(row.untilAt);
    if (isInTime) Object.assign(row, { endedAt, endedBy });
    if (!this.pauseEnds.has(pauseHash)) this.pauseEnds.set(pauseHash, { endedAt, endedBy });
  }

  /** The lapse is with its agent as this task, which may have ended before. */
  submitted(lapse: Partial<LapseRow>, taskHash: string): void {
    const task = this.tasks.get(taskHash);
    if (task === undefined) this.acknowledgedTasks.add(taskHash);
    else if (isTerminal(task.state)) lapse.dispatchState = 'concluded';
    const lapses = this.submittedAs.get(taskHash) ?? [];
    this.submittedAs.set(taskHash, lapses);
    lapses.push(lapse);
  }

  /** Something depends on the task from here on, unless it is over by here; `of`: the expectation, while that is open. */
  awaitTask(row: AwaitedTaskRow, of?: ExpectationRow): void {
    const state = this.tasks.get(row.taskHash)?.state;
    if (state !== undefined && isTerminal(state)) return;
    const reasons = this.awaitedTasks.get(row.taskHash) ?? new Map<string, Awaited>();
    this.awaitedTasks.set(row.taskHash, reasons);
    const known = reasons.get(row.awaitedFor);
    if (known === undefined || !isStillAwaited(known))
      reasons.set(row.awaitedFor, { row, of, isKnown: state !== undefined });
  }

  /** What is awaited at the end of the batch. */
  get awaited(): readonly Awaited[] {
    return [...this.awaitedTasks.values()].flatMap((reasons) => [...reasons.values()]).filter(isStillAwaited);
  }

  /** The task is over: so is what was submitted as it up to here, and nothing of it is awaited. */
  taskEnded(taskHash: string): void {
    this.endedTasks.add(taskHash);
    this.awaitedTasks.delete(taskHash);
    for (const lapse of this.submittedAs.get(taskHash) ?? []) {
      const isStill = lapse.dispatchTaskHash === taskHash && lapse.dispatchState === 'submitted';
      if (isStill) lapse.dispatchState = 'concluded';
    }
  }

  /** The list to which a fact's satisfactions are added. */
  satisfiedBy(tenant: string, factNumber: number): ExpectationName[] {
    const key = factRowKey({ tenant, factNumber });
    const row = this.facts.get(key) ?? this.factPatches.get(key);
    if (row !== undefined) return row.satisfied as ExpectationName[];
    const patch: FactPatch = { tenant, factNumber, satisfied: [] };
    this.factPatches.set(key, patch);
    return patch.satisfied;
  }
}

/** A task that something depends on since a batch. */
export interface Awaited {
  readonly row: AwaitedTaskRow;
  readonly of: ExpectationRow | undefined;
  /** The batch itself says that the task goes on; else what is stored of it counts. */
  readonly isKnown: boolean;
}

function isStillAwaited({ of }: Awaited): boolean {
  return of === undefined || of.status === 'open';
}

/** After these no failure of an attempt means anything. */
export const finalStates = ['submitted', 'concluded', 'voided'] as const satisfies readonly DispatchState[];

export function lapseKey(row: Pick<LapseRow, 'expectationHash' | 'occurrence' | 'lapse'>): string {
  return `${row.expectationHash}:${row.occurrence}:${row.lapse}`;
}

export function factRowKey(row: Pick<FactRow, 'tenant' | 'factNumber'>): string {
  return `${row.factNumber}:${row.tenant}`;
}

export function expectationHashOf(tenant: string, event: ExpectationName): string {
  return identityHash(tenant, event.agentId, event.expectationId);
}
