// What was seen of an agent's work: an artifact, or a status with its message (semantics, *Task states*).
import { type Block, readBlock } from './block.ts';
import type { ArtifactObserved, StatusObserved } from './input.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { applyPasses } from './passes.ts';
import { questionsOf, satisfyQuestions, TASK_STATE_SOURCE } from './question.ts';
import type { Carrier } from './carrier.ts';
import { record, type Recorded } from './record.ts';
import { report } from './report.ts';
import type { Agent } from './state/agent.ts';
import type { Expectation } from './state/expectation.ts';
import { isInterrupted, isTerminal, type Task, withdrawingStates } from './state/task.ts';
import type { Turn } from './turn.ts';
import { withdraw, withdrawAll } from './withdraw.ts';

export function observeArtifact(turn: Turn, input: ArtifactObserved): void {
  const block = readBlock(input.artifact);
  if (block === undefined) return;
  const carrier = carrierOf(turn, input, false);
  applyPasses(turn, carrier, record(turn, carrier, block.expectations));
  applyRest(turn, carrier.agent, block);
}

/** First the state, then the block of its message, which is read even when the state is ignored. */
export function observeStatus(turn: Turn, input: StatusObserved): void {
  const isApplied = applyState(turn, input);
  const block = readBlock(input.message);
  if (block === undefined) return;
  const carrier = carrierOf(turn, input, true);
  const recorded = record(turn, carrier, block.expectations);
  applyPasses(turn, carrier, recorded);
  if (!isApplied && isInterrupted(input.state)) answerLateSeen(turn, input.taskId, recorded);
  applyRest(turn, carrier.agent, block);
}

function carrierOf(turn: Turn, input: ArtifactObserved | StatusObserved, isStatus: boolean): Carrier {
  const { agentId, taskId, contextId, activated } = input;
  return { agent: turn.state.agent(agentId), taskId, contextId, isActivated: activated !== false, isStatus };
}

/** Withdrawals, then facts: the order of a block's parts. */
function applyRest(turn: Turn, agent: Agent, block: Block): void {
  const { reason } = block;
  for (const id of block.withdraw) {
    const named = typeof id === 'string' ? agent.names.get(id) : undefined;
    if (named?.isOpen !== true) continue;
    withdraw(turn, named, { withdrawn: 'agent', ...(reason === undefined ? {} : { reason }) });
  }
  if (block.facts.length > 0) report(turn, `agent:${agent.id}`, block.facts);
}

/** True where the state was applied. */
function applyState(turn: Turn, input: StatusObserved): boolean {
  const { agentId, taskId, contextId, state } = input;
  const task = turn.state.agents.get(agentId)?.tasks.get(taskId);
  const statusAt = Math.min(parseInstant(input.statusAt), turn.now);
  const why = whyIgnored(task, state, statusAt);
  if (why !== undefined || typeof state !== 'string') {
    turn.emit({ type: 'statusIgnored', at: turn.at, agentId, taskId, why: why ?? 'not_a_state' });
    return false;
  }
  const before = task?.state ?? null;
  const at = { at: turn.at, agentId, taskId, contextId, state };
  turn.emit({ type: 'statusApplied', ...at, ...(Number.isNaN(statusAt) ? {} : { statusAt: formatInstant(statusAt) }) });
  if (task !== undefined) applyToExpectations(turn, task, before, state);
  return true;
}

function whyIgnored(
  task: Task | undefined,
  state: unknown,
  statusAt: number,
): 'terminal' | 'stale' | 'not_a_state' | undefined {
  if (typeof state !== 'string') return 'not_a_state';
  if (task === undefined) return undefined;
  if (isTerminal(task.state)) return 'terminal';
  return !isTerminal(state) && statusAt < task.statusAt ? 'stale' : undefined;
}

/** §8.1: canceled, failed and rejected withdraw; any other state that leaves an interruption answers. */
function applyToExpectations(turn: Turn, task: Task, before: string | null, state: string): void {
  const cause = withdrawingStates.get(state);
  if (cause !== undefined) withdrawAll(turn, [...new Set([...task.raised, ...task.questions])], cause);
  else if (isInterrupted(before) && !isInterrupted(state)) {
    satisfyQuestions(turn, questionsOf(task), 'state', TASK_STATE_SOURCE);
  }
}

/** The task had gone on before its question was seen: it is answered already. */
function answerLateSeen(turn: Turn, taskId: string, recorded: readonly Recorded[]): void {
  const isAbout = ({ asks }: Expectation): boolean => asks?.id === taskId;
  const late = recorded
    .map(({ expectation }) => expectation)
    .filter((question) => question.isOpen && isAbout(question));
  satisfyQuestions(turn, late, 'state', TASK_STATE_SOURCE);
}
