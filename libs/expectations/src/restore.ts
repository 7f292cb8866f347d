// A state from the parts of a snapshot: the same answers as the one it was taken of.
import { parseDuration } from './duration.ts';
import { evolveAgentDeclared } from './evolve/agent.ts';
import { awaitFact } from './evolve/waiting.ts';
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
  const state = new State();
  const open: OpenRow[] = [];
  for (const part of parts) restorePart(state, part, open);
  for (const row of open) bindNames(state, row);
  for (const row of open) schedule(state, nameOf(state, row.name));
  return state;
}

function restorePart(state: State, part: SnapshotPart, open: OpenRow[]): void {
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
      for (const row of part.rows) restoreOpen(state, row, open);
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
  const named = new Expectation(agent, id);
  named.namers = namers.length === 0 ? null : [...namers];
  agent.names.set(id, named);
}

function restoreSubject(state: State, row: SubjectRow): void {
  const [type, id, lastFact, satisfiedAtFact, satisfiedAt, numbers, observed, raisedAtFact] = row;
  const subject: Subject = state.subject(type, id);
  subject.lastFact = lastFact;
  subject.satisfiedAtFact = satisfiedAtFact;
  subject.satisfiedAt = satisfiedAt ?? -Infinity;
  subject.restore(numbers, observed, raisedAtFact);
}

function restoreOpen(state: State, row: OpenRow, open: OpenRow[]): void {
  const [agentIndex, id] = row.name;
  const agent = agentAt(state, agentIndex);
  const expectation = new Expectation(agent, id);
  agent.names.set(id, expectation);
  expectation.status = Status.open;
  [expectation.seq, expectation.marks, expectation.lineage, expectation.raisedAtFact, expectation.predecessorAt] =
    row.numbers;
  const [kind, subjectType, subjectId, expects, factKey, taskId, contextId] = row.texts;
  expectation.kind = agent.kinds.get(kind)?.kind ?? kind;
  expectation.expects = expects;
  expectation.factKey = factKey;
  expectation.contentHash = hashOfWords(row.contentHash);
  expectation.identityHash = hashOfWords(row.identityHash);
  expectation.ancestors =
    row.ancestors?.map(([words, closedAt]) => ({ identityHash: hashOfWords(words), closedAt })) ?? null;
  expectation.grace = parseDuration(row.grace) ?? null;
  expectation.offset = parseDuration(row.offset) ?? null;
  restoreInstants(state, expectation, row.instants);
  const task = state.task(agent, taskId, contextId);
  expectation.task = task;
  expectation.contextId = task.contextId === contextId ? task.contextId : contextId;
  expectation.taskAt = task.raised.push(expectation) - 1;
  const subject = state.subject(subjectType, subjectId);
  expectation.subject = subject;
  expectation.subjectAt = subject.open.push(expectation) - 1;
  awaitFact(state, expectation);
  open.push(row);
}

function restoreInstants(state: State, expectation: Expectation, instants: OpenRow['instants']): void {
  const [projectedDueAt, dueAt, overdueAt, horizon, recordedAt, retireAt, lapsedAt] = instants;
  expectation.columns = state.columns;
  expectation.row = state.columns.take();
  expectation.setInstants(projectedDueAt ?? NaN, overdueAt ?? NaN, horizon ?? Infinity, recordedAt ?? NaN);
  expectation.setDue(dueAt ?? NaN, overdueAt ?? NaN);
  expectation.setLapsed(lapsedAt ?? -Infinity, retireAt ?? Infinity);
}

/** Once all are there: names, anchors and questions. */
function bindNames(state: State, row: OpenRow): void {
  const expectation = nameOf(state, row.name);
  const { agent } = expectation;
  if (row.anchor !== undefined) linkAnchor(expectation, hold(agent, row.anchor));
  if (row.after !== undefined) expectation.after = row.after.map((id) => hold(agent, id));
  if (row.asks === undefined) return;
  const asks = state.task(agent, row.asks, expectation.contextId);
  expectation.asks = asks;
  expectation.questionAt = asks.questions.push(expectation) - 1;
}

function hold(agent: Agent, id: string): Expectation {
  const named = agent.names.get(id);
  assert(named !== undefined, 'a snapshot holds every name that is held on to');
  if (named.status === Status.unknown) named.namedBy += 1;
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
  const [key, fact, reporter, receivedAt, observedAt, number, served] = row;
  const keyHash = hashOfWords(key);
  const position = state.recent.add({ keyHash, factHash: hashOfWords(fact), reporter, receivedAt, observedAt, number });
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
