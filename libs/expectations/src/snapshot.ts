// A tenant's state as plain parts, for a cache of the fold. Rows refer to each other by agent number and id.
import { forget } from './memory.ts';
import type { AgentSettings, Settings } from './settings.ts';
import type { Ancestor, Expectation, Namer } from './state/expectation.ts';
import { bySeq, resolve, Status } from './state/expectation.ts';
import type { FactMemory, FactRow } from './state/fact-memory.ts';
import type { Hash } from './hash.ts';
import type { State } from './state/state.ts';
import type { Task } from './state/task.ts';

/** Agent number and id; a task likewise. */
export type NameRef = readonly [agentIndex: number, id: string];

export type Words = readonly [number, number, number, number];

export interface AgentRow {
  readonly id: string;
  readonly params: unknown;
  readonly settings: AgentSettings;
  readonly refusals: readonly string[];
  readonly namelessCount: number;
}

export type TaskRow = readonly [
  agentIndex: number,
  id: string,
  contextId: string,
  state: string | null,
  statusAt: number | null,
  appliedAt: number | null,
  isOverstayed: boolean,
];

export type ClosedRow = readonly [
  agentIndex: number,
  id: string,
  contentHash: Words,
  subjectHash: readonly [number, number],
  satisfied: boolean,
  observedAt: number,
  closedAt: number,
  successor: NameRef | number | null,
];

export type SubjectRow = readonly [
  type: string,
  id: string,
  lastFact: number,
  satisfiedAtFact: number,
  satisfiedAt: number | null,
  numbers: readonly number[],
  observed: readonly number[],
  raisedAtFact: number,
];

export interface OpenRow {
  readonly name: NameRef;
  /** seq, marks, lineage, raisedAtFact. */
  readonly numbers: readonly [number, number, number, number];
  /** kind, subject's type and id, expects, factKey, taskId, contextId. */
  readonly texts: readonly [string, string, string, string, string, string, string];
  readonly contentHash: Words;
  readonly ancestors?: readonly (readonly [identity: Words, position: number])[];
  readonly grace?: string;
  readonly offset?: string;
  readonly anchor?: string;
  readonly after?: readonly string[];
  readonly asks?: string;
  /** projected due, due, due plus grace, horizon, recorded, retirement, lapsed; null where there is none. */
  readonly instants: readonly (number | null)[];
}

export type RecentRow = readonly [
  key: Words,
  fact: Words,
  reporter: string,
  receivedAt: number,
  observedAt: number,
  firstObservedAt: number,
  number: number,
  served: readonly number[],
];

/** Parts come in this order; those with rows come in runs. */
export type SnapshotPart =
  | {
      readonly part: 'head';
      readonly v: 1;
      readonly now: number | null;
      readonly settings: Settings;
      readonly recordedCount: number;
      readonly factCount: number;
      readonly closedStart: number;
    }
  | { readonly part: 'agents'; readonly rows: readonly AgentRow[] }
  | { readonly part: 'tasks'; readonly rows: readonly TaskRow[] }
  | { readonly part: 'unknown'; readonly rows: readonly (readonly [NameRef, readonly Namer[]])[] }
  | { readonly part: 'subjects'; readonly rows: readonly SubjectRow[] }
  | { readonly part: 'open'; readonly rows: readonly OpenRow[] }
  | { readonly part: 'closed'; readonly rows: readonly ClosedRow[] }
  | { readonly part: 'unmatched' | 'matched'; readonly rows: readonly FactRow[] }
  | { readonly part: 'recent'; readonly rows: readonly RecentRow[] }
  | { readonly part: 'taskStatuses'; readonly rows: readonly (readonly [number, NameRef])[] }
  | { readonly part: 'namings'; readonly rows: readonly (readonly [number, NameRef])[] };

const ROWS_A_PART = 1_000;

/**
 * The state in parts of at most 1,000 rows, each plain JSON. The state must not change until the last is taken.
 * What is over by the state's instant is forgotten first, so that equal states give equal parts.
 */
export function* takeSnapshot(state: State): Generator<SnapshotPart> {
  forget(state);
  yield {
    part: 'head',
    v: 1,
    now: finite(state.now),
    settings: state.settings,
    recordedCount: state.recordedCount,
    factCount: state.factCount,
    closedStart: state.closed.start,
  };
  yield* inRuns('agents', agentRows(state));
  yield* inRuns('tasks', taskRows(state));
  yield* inRuns('unknown', unknownRows(state));
  yield* inRuns('subjects', subjectRows(state));
  yield* inRuns('open', openRows(state));
  yield* inRuns('closed', closedRows(state));
  yield* inRuns('unmatched', factRows(state.unmatched));
  yield* inRuns('matched', factRows(state.matched));
  yield* inRuns('recent', recentRows(state));
  yield* inRuns('taskStatuses', taskStatusRows(state));
  yield* inRuns('namings', namingRows(state));
}

function* inRuns(part: Exclude<SnapshotPart['part'], 'head'>, rows: Iterable<unknown>): Generator<SnapshotPart> {
  let run: unknown[] = [];
  for (const row of rows) {
    run.push(row);
    if (run.length < ROWS_A_PART) continue;
    yield { part, rows: run } as SnapshotPart;
    run = [];
  }
  if (run.length > 0) yield { part, rows: run } as SnapshotPart;
}

function* agentRows(state: State): Generator<AgentRow> {
  for (const { id, params, settings, refusals, namelessCount } of state.agentList) {
    yield { id, params, settings, refusals: [...refusals], namelessCount };
  }
}

function* taskRows(state: State): Generator<TaskRow> {
  for (const agent of state.agentList) {
    for (const task of agent.tasks.values()) {
      const { id, contextId, statusAt, appliedAt, isOverstayed } = task;
      yield [agent.index, id, contextId, task.state, finite(statusAt), finite(appliedAt), isOverstayed];
    }
  }
}

function* unknownRows(state: State): Generator<readonly [NameRef, readonly Namer[]]> {
  for (const agent of state.agentList) {
    for (const named of agent.names.values()) {
      if (named.status === Status.unknown) yield [refOf(named), named.namers ?? []];
    }
  }
}

function* subjectRows(state: State): Generator<SubjectRow> {
  for (const ofType of state.subjects.values()) {
    for (const subject of ofType.values()) {
      const { type, id, lastFact, satisfiedAtFact, satisfiedAt } = subject;
      const { numbers, observed, raisedAtFact } = subject.rows();
      yield [type, id, lastFact, satisfiedAtFact, finite(satisfiedAt), numbers, observed, raisedAtFact];
    }
  }
}

function* openRows(state: State): Generator<OpenRow> {
  const open: Expectation[] = [];
  for (const agent of state.agentList) for (const named of agent.names.values()) if (named.isOpen) open.push(named);
  for (const expectation of open.sort(bySeq)) yield openRow(expectation);
}

function openRow(expectation: Expectation): OpenRow {
  const { subject, task, ancestors, grace, offset, anchor, asks } = expectation;
  const { seq, marks, lineage, raisedAtFact } = expectation;
  const { kind, expects, factKey, contextId } = expectation;
  const after = (expectation.after ?? []).map(resolve).filter((named) => named.status !== Status.closed);
  return {
    name: refOf(expectation),
    numbers: [seq, marks, lineage, raisedAtFact],
    texts: [kind, subject?.type ?? '', subject?.id ?? '', expects, factKey, task?.id ?? '', contextId],
    contentHash: wordsOf(expectation.contentHash),
    ...(ancestors === null ? {} : { ancestors: ancestors.map((ancestor) => rowOfAncestor(ancestor)) }),
    ...(grace === null ? {} : { grace: grace.text }),
    ...(offset === null ? {} : { offset: offset.text }),
    ...(anchor === null ? {} : { anchor: resolve(anchor).id }),
    ...(after.length === 0 ? {} : { after: after.map((named) => named.id) }),
    ...(asks === null ? {} : { asks: asks.id }),
    instants: [
      expectation.projectedDueAt,
      expectation.dueAt,
      expectation.overdueAt,
      finite(expectation.horizon),
      expectation.recordedAt,
      finite(expectation.retireAt),
      finite(expectation.lapsedAt),
    ],
  };
}

function rowOfAncestor({ identityHash, position }: Ancestor): readonly [Words, number] {
  return [wordsOf(identityHash), position];
}

function* closedRows(state: State): Generator<ClosedRow> {
  const { closed } = state;
  for (let position = closed.start; position < closed.start + closed.length; position += 1) {
    const { agentIndex, expectationId, contentHash, subjectHash, satisfied, observedAt, closedAt, successor } =
      closed.get(position);
    const to = successor === undefined ? null : typeof successor === 'number' ? successor : refOf(successor);
    yield [agentIndex, expectationId, wordsOf(contentHash), subjectHash, satisfied, observedAt, closedAt, to];
  }
}

function* factRows(memory: FactMemory): Generator<FactRow> {
  yield* memory.rows();
}

function* recentRows(state: State): Generator<RecentRow> {
  const { recent } = state;
  for (const position of recent.positions()) {
    const { keyHash, factHash, reporter, receivedAt, observedAt, firstObservedAt, number } = recent.get(position);
    const served = recent.servedOf(position).map((agent) => agent.index);
    yield [wordsOf(keyHash), wordsOf(factHash), reporter, receivedAt, observedAt, firstObservedAt, number, served];
  }
}

function* taskStatusRows(state: State): Generator<readonly [number, NameRef]> {
  for (const { at, task } of state.taskStatuses) if (task.appliedAt === at) yield [at, refOf(task)];
}

function* namingRows(state: State): Generator<readonly [number, NameRef]> {
  for (const { at, named } of state.namings) {
    if (named.status === Status.unknown && named.agent.names.get(named.id) === named) yield [at, refOf(named)];
  }
}

function refOf(named: Expectation | Task): NameRef {
  return [named.agent.index, named.id];
}

function wordsOf({ a, b, c, d }: Hash): Words {
  return [a, b, c, d];
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
