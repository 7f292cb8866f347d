// A state from the parts of a snapshot: the same answers as the one it was taken of.
import { parseDuration } from './duration.ts';
import { evolveAgentDeclared } from './evolve/agent.ts';
import { join } from './evolve/lists.ts';
import type { Hash } from './hash.ts';
import { schedule } from './schedule.ts';
import type {
  AgentRow,
  ClosedRow,
  NameRef,
  OpenRow,
  RecentRow,
  SnapshotPart,
  SubjectRow,
  TaskRow,
  Words,
} from './snapshot.ts';
import type { Agent } from './state/agent.ts';
import { Expectation, linkAnchor, type Namer, Status } from './state/expectation.ts';
import { State } from './state/state.ts';
import type { Subject } from './state/subject.ts';
import { assert, unreachable } from './unreachable.ts';

/** Puts a snapshot together again; the parts come in the order in which they were taken. */
export function restoreSnapshot(parts: Iterable<SnapshotPart>): State {
  const restore = new SnapshotRestore();
  for (const part of parts) restore.add(part);
  return restore.end();
}

/** The same a part at a time, for whoever has other things to do between them. */
export class SnapshotRestore {
  readonly #state = new State();
  readonly #awaited = new Set<Expectation>();

  add(part: SnapshotPart): void {
    restorePart(this.#state, part, this.#awaited);
  }

  /** The state, once every part is added. */
  end(): State {
    assert(this.#awaited.size === 0, 'a snapshot holds every name that is held on to');
    return this.#state;
  }
}

/** `awaited` are names that open ones hold on to and whose own rows come later. */
function restorePart(state: State, part: SnapshotPart, awaited: Set<Expectation>): void {
  switch (part.part) {
    case 'head':
      state.configure(part.settings);
      state.now = part.now ?? -Infinity;
      state.forgottenUpTo = state.now;
      state.recordedCount = part.recordedCount;
      state.factCount = part.factCount;
      state.closed.restartAt(part.closedStart);
      return;
    case 'agents':
      for (const row of part.rows) restoreAgent(state, row);
      return;
    case 'tasks':
      for (const row of part.rows) restoreTask(state, row);
      return;
    case 'unknown':
      for (const [name, namers] of part.rows) restoreUnknown(state, name, namers);
      return;
    case 'subjects':
      for (const row of part.rows) restoreSubject(state, row);
      return;
    case 'open':
      for (const row of part.rows) restoreOpen(state, row, awaited);
      return;
    case 'closed':
      for (const row of part.rows) restoreClosed(state, row);
      return;
    case 'unmatched':
    case 'matched':
      for (const [a, b, c, d, at, number] of part.rows) state[part.part].add({ a, b, c, d }, at, number);
      return;
    case 'recent':
      for (const row of part.rows) restoreRecent(state, row);
      return;
    case 'taskStatuses':
      for (const [at, [agentIndex, id]] of part.rows) {
        const task = agentAt(state, agentIndex).tasks.get(id);
        if (task !== undefined) state.taskStatuses.push({ at, task });
      }
      return;
    case 'namings':
      for (const [at, name] of part.rows) state.namings.push({ at, named: nameOf(state, name) });
      return;
    default:
      unreachable(part);
  }
}

function restoreAgent(state: State, row: AgentRow): void {
  const agent = state.agent(row.id);
  evolveAgentDeclared(state, { type: 'agentDeclared', at: '', agentId: row.id, params: row.params });
  agent.settings = row.settings;
  agent.namelessCount = row.namelessCount;
  for (const refusal of row.refusals) agent.refusals.add(refusal);
}

function restoreTask(state: State, row: TaskRow): void {
  const [agentIndex, id, contextId, taskState, statusAt, appliedAt, isOverstayed] = row;
  const task = state.task(agentAt(state, agentIndex), id, contextId);
  task.state = taskState;
  task.statusAt = statusAt ?? -Infinity;
  task.appliedAt = appliedAt ?? -Infinity;
  task.isOverstayed = isOverstayed;
}

function restoreUnknown(state: State, [agentIndex, id]: NameRef, namers: readonly Namer[]): void {
  const agent = agentAt(state, agentIndex);
  addName(agent, id).namers = namers.length === 0 ? null : [...namers];
}

function restoreSubject(state: State, row: SubjectRow): void {
  const [type, id, lastFact, satisfiedAtFact, satisfiedAt, numbers, observed, raisedAtFact] = row;
  const subject: Subject = state.subject(type, id);
  subject.lastFact = lastFact;
  subject.satisfiedAtFact = satisfiedAtFact;
  subject.satisfiedAt = satisfiedAt ?? -Infinity;
  subject.restore(numbers, observed, raisedAtFact);
}

function restoreOpen(state: State, row: OpenRow, awaited: Set<Expectation>): void {
  const [agentIndex, id] = row.name;
  const agent = agentAt(state, agentIndex);
  const expectation = agent.names.get(id) ?? addName(agent, id);
  if (awaited.size > 0) awaited.delete(expectation);
  expectation.status = Status.open;
  [expectation.seq, expectation.marks, expectation.lineage, expectation.raisedAtFact] = row.numbers;
  const [kind, subjectType, subjectId, expects, factKey, taskId, contextId] = row.texts;
  expectation.kind = agent.kinds.get(kind)?.kind ?? kind;
  expectation.expects = expects;
  expectation.factKey = factKey;
  expectation.ancestors =
    row.ancestors?.map(([words, position]) => ({ identityHash: hashOfWords(words), position })) ?? null;
  expectation.grace = parseDuration(row.grace) ?? null;
  expectation.offset = parseDuration(row.offset) ?? null;
  expectation.takeRow(state.columns, hashOfWords(row.contentHash));
  restoreInstants(expectation, row.instants);
  const task = state.task(agent, taskId, contextId);
  const subject = state.subject(subjectType, subjectId);
  join(state, expectation, { task, contextId, subject, asksTaskId: row.asks });
  bindNames(expectation, row, awaited);
  schedule(state, expectation);
}

function restoreInstants(expectation: Expectation, instants: OpenRow['instants']): void {
  const [projectedDueAt, dueAt, overdueAt, horizon, recordedAt, retireAt, lapsedAt] = instants;
  expectation.setInstants(projectedDueAt ?? NaN, overdueAt ?? NaN, horizon ?? Infinity, recordedAt ?? NaN);
  expectation.setDue(dueAt ?? NaN, overdueAt ?? NaN);
  expectation.setLapsed(lapsedAt ?? -Infinity, retireAt ?? Infinity);
}

function bindNames(expectation: Expectation, row: OpenRow, awaited: Set<Expectation>): void {
  const { agent } = expectation;
  if (row.anchor !== undefined) linkAnchor(expectation, bind(agent, row.anchor, awaited));
  if (row.after !== undefined) expectation.after = row.after.map((id) => bind(agent, id, awaited));
}

/** What bears the name, for one more that names it; made where its own row comes later. */
function bind(agent: Agent, id: string, awaited: Set<Expectation>): Expectation {
  let named = agent.names.get(id);
  if (named === undefined) awaited.add((named = addName(agent, id)));
  if (named.status === Status.unknown) named.namedBy += 1;
  return named;
}

function addName(agent: Agent, id: string): Expectation {
  const named = new Expectation(agent, id);
  agent.names.set(id, named);
  return named;
}

function restoreClosed(state: State, row: ClosedRow): void {
  const [agentIndex, expectationId, contentHash, subjectHash, satisfied, observedAt, closedAt, to] = row;
  const successor = to === null ? undefined : typeof to === 'number' ? to : nameOf(state, to);
  const hash = hashOfWords(contentHash);
  state.closed.add({
    agentIndex,
    expectationId,
    contentHash: hash,
    subjectHash,
    satisfied,
    observedAt,
    closedAt,
    successor,
  });
}

function restoreRecent(state: State, row: RecentRow): void {
  const [key, fact, reporter, receivedAt, observedAt, firstObservedAt, number, served] = row;
  const keyHash = hashOfWords(key);
  const received = { receivedAt, observedAt, firstObservedAt };
  const position = state.recent.add({ keyHash, factHash: hashOfWords(fact), reporter, ...received, number });
  for (const agentIndex of served) state.recent.serve(position, agentAt(state, agentIndex));
}

function agentAt(state: State, index: number): Agent {
  const agent = state.agentList[index];
  assert(agent !== undefined, 'a snapshot holds every agent it names');
  return agent;
}

function nameOf(state: State, [agentIndex, id]: NameRef): Expectation {
  const named = agentAt(state, agentIndex).names.get(id);
  assert(named !== undefined, 'a snapshot holds every name it refers to');
  return named;
}

function hashOfWords([a, b, c, d]: Words): Hash {
  return { a, b, c, d };
}
