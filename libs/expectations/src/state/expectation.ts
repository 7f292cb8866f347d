// One name of an agent's, and what stands behind it while it is open. What names it holds this object, so that
// nothing is rewritten when it is recorded, superseded or closed.
import type { Duration } from '../duration.ts';
import type { Hash } from '../hash.ts';
import type { LapseKind } from '../input.ts';
import { assert } from '../unreachable.ts';
import type { Agent } from './agent.ts';
import type { Columns, Page } from './columns.ts';
import type { Subject } from './subject.ts';
import type { Task } from './task.ts';

/** `unknown` is named and not recorded. */
export const Status = { unknown: 0, open: 1, closed: 2 } as const;

/** Marks of an open expectation, and per lapse whether it still waits to be submitted. */
export const Mark = {
  overdue: 1,
  skipped: 2,
  stalled: 4,
  suspended: 8,
  question: 16,
  pendingOverdue: 32,
  pendingSkipped: 64,
  pendingStalled: 128,
} as const;

export const lapseKinds: readonly LapseKind[] = ['overdue', 'skipped', 'stalled'];

const LAPSED = Mark.overdue | Mark.skipped | Mark.stalled;
const PENDING_SHIFT = 5;

/** An ancestor, and where it is remembered, if it still is. */
export interface Ancestor {
  readonly identityHash: Hash;
  readonly position: number;
}

/** A satisfied expectation whose `after` named what was not recorded then. */
export interface Namer {
  readonly expectationId: string;
  readonly seq: number;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly closedAt: number;
}

export class Expectation {
  status: (typeof Status)[keyof typeof Status] = Status.unknown;
  /** What replaced it; names of the old one mean the new one. */
  successor: Expectation | null = null;
  /** Open expectations that name it, while it is not recorded. */
  namedBy = 0;
  namers: Namer[] | null = null;

  /** The order of recording among all of the tenant. */
  seq = 0;
  marks = 0;
  lineage = 0;
  row = 0;
  heapAt = -1;
  subjectAt = 0;
  taskAt = 0;
  questionAt = 0;
  /** How many facts there were when it was raised. */
  raisedAtFact = 0;
  /** Where its instants and its content's hash are while it is open. */
  page: Page | null = null;
  subject: Subject | null = null;
  task: Task | null = null;
  /** The task whose question it is. */
  asks: Task | null = null;
  kind = '';
  expects = '';
  factKey = '';
  contextId = '';
  /** What it replaced, and what that replaced that was known then; its immediate predecessor last. */
  ancestors: readonly Ancestor[] | null = null;
  grace: Duration | null = null;
  /** What it is anchored to and not yet re-anchored from. */
  anchor: Expectation | null = null;
  offset: Duration | null = null;
  after: readonly Expectation[] | null = null;
  /** What is anchored to it: a list through `anchorNext`. */
  anchoredHead: Expectation | null = null;
  anchoredTail: Expectation | null = null;
  anchorNext: Expectation | null = null;
  anchorPrevious: Expectation | null = null;

  constructor(
    readonly agent: Agent,
    readonly id: string,
  ) {}

  is(mark: number): boolean {
    return (this.marks & mark) !== 0;
  }

  get isOpen(): boolean {
    return this.status === Status.open;
  }

  get hasLapsed(): boolean {
    return (this.marks & LAPSED) !== 0;
  }

  get lapses(): readonly LapseKind[] {
    return lapseKinds.filter((kind) => this.is(Mark[kind]));
  }

  isPending(kind: LapseKind): boolean {
    return this.is(Mark[kind] << PENDING_SHIFT);
  }

  setPending(kind: LapseKind, pending: boolean): void {
    const mark = Mark[kind] << PENDING_SHIFT;
    this.marks = pending ? this.marks | mark : this.marks & ~mark;
  }

  get projectedDueAt(): number {
    return this.column(0);
  }
  /** Current: set once more when its anchor is satisfied (§9.3). */
  get dueAt(): number {
    return this.column(1);
  }
  /** Current due plus grace. */
  get overdueAt(): number {
    return this.column(2);
  }
  /** Infinity where there is none. */
  get horizon(): number {
    return this.column(3);
  }
  get recordedAt(): number {
    return this.column(4);
  }
  /** Infinity until it has lapsed. */
  get retireAt(): number {
    return this.column(5);
  }

  /** When it lapsed last; -Infinity until it has. */
  get lapsedAt(): number {
    return this.column(6);
  }

  get contentHash(): Hash {
    return this.ownPage.hash(this.row);
  }

  /** It opens: its numbers get a row. */
  takeRow(columns: Columns, contentHash: Hash): void {
    const number = columns.take();
    this.page = columns.pageOf(number);
    this.row = number - this.page.start;
    this.page.putHash(this.row, contentHash);
  }

  /** It has closed: its row is another's. */
  giveBackRow(columns: Columns): void {
    columns.giveBack(this.ownPage.start + this.row);
    this.page = null;
  }

  setInstants(projectedDueAt: number, overdueAt: number, horizon: number, recordedAt: number): void {
    const page = this.ownPage;
    page.put(this.row, 0, projectedDueAt);
    page.put(this.row, 3, horizon);
    page.put(this.row, 4, recordedAt);
    this.setDue(projectedDueAt, overdueAt);
    this.setLapsed(-Infinity, Infinity);
  }

  setDue(dueAt: number, overdueAt: number): void {
    const page = this.ownPage;
    page.put(this.row, 1, dueAt);
    page.put(this.row, 2, overdueAt);
  }

  setLapsed(lapsedAt: number, retireAt: number): void {
    const page = this.ownPage;
    page.put(this.row, 5, retireAt);
    page.put(this.row, 6, lapsedAt);
  }

  private column(number: number): number {
    return this.ownPage.get(this.row, number);
  }

  private get ownPage(): Page {
    assert(this.page !== null, 'only what is open has instants');
    return this.page;
  }
}

/** What a name means now: the latest in its line of successors. Shortens the way for the next who asks. */
export function resolve(named: Expectation): Expectation {
  let latest = named;
  while (latest.successor !== null) latest = latest.successor;
  for (let at = named; at.successor !== null && at.successor !== latest;) {
    const next: Expectation = at.successor;
    at.successor = latest;
    at = next;
  }
  return latest;
}

/** In the order of recording. */
export function bySeq(left: { readonly seq: number }, right: { readonly seq: number }): number {
  return left.seq - right.seq;
}

const none: readonly Expectation[] = [];

/** What hangs from it and is not yet re-anchored, in the order of recording. */
export function anchoredTo(anchor: Expectation): readonly Expectation[] {
  if (anchor.anchoredHead === null) return none;
  const anchored: Expectation[] = [];
  for (let at: Expectation | null = anchor.anchoredHead; at !== null; at = at.anchorNext) anchored.push(at);
  return anchored.sort(bySeq);
}

/** Hangs one from what its anchor's name means now. */
export function linkAnchor(anchored: Expectation, named: Expectation): void {
  const anchor = resolve(named);
  anchored.anchor = named;
  anchored.anchorPrevious = anchor.anchoredTail;
  anchored.anchorNext = null;
  if (anchor.anchoredTail === null) anchor.anchoredHead = anchored;
  else anchor.anchoredTail.anchorNext = anchored;
  anchor.anchoredTail = anchored;
}

export function unlinkAnchor(anchored: Expectation): void {
  if (anchored.anchor === null) return;
  const anchor = resolve(anchored.anchor);
  const { anchorPrevious, anchorNext } = anchored;
  if (anchorPrevious === null) anchor.anchoredHead = anchorNext;
  else anchorPrevious.anchorNext = anchorNext;
  if (anchorNext === null) anchor.anchoredTail = anchorPrevious;
  else anchorNext.anchorPrevious = anchorPrevious;
  anchored.anchor = anchored.anchorNext = anchored.anchorPrevious = null;
}

/** All that hangs from the old one hangs from its successor: two lists become one, however long they are. */
export function moveAnchored(from: Expectation, to: Expectation): void {
  if (from.anchoredHead === null) return;
  if (to.anchoredTail === null) to.anchoredHead = from.anchoredHead;
  else {
    to.anchoredTail.anchorNext = from.anchoredHead;
    from.anchoredHead.anchorPrevious = to.anchoredTail;
  }
  to.anchoredTail = from.anchoredTail;
  from.anchoredHead = from.anchoredTail = null;
}
