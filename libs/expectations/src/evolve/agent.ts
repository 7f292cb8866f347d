// What is told of an agent: its card, its settings, its refusals, its tasks' states.
import type { AgentDeclaredEvent, ConfiguredEvent, ExpectationRefused, StatusApplied } from '../event.ts';
import { parseInstant } from '../instant.ts';
import { isContent, isName } from '../raised.ts';
import type { DeclaredKind } from '../state/agent.ts';
import type { State } from '../state/state.ts';

/** The card as last read counts, for what is recorded after it (§6). What cannot be read of it declares nothing. */
export function evolveAgentDeclared(state: State, event: AgentDeclaredEvent): void {
  const agent = state.agent(event.agentId);
  const params = isContent(event.params) ? event.params : {};
  const kinds = new Map<string, DeclaredKind>();
  for (const declared of Array.isArray(params['kinds']) ? (params['kinds'] as readonly unknown[]) : []) {
    if (!isContent(declared) || !isName(declared['kind']) || kinds.has(declared['kind'])) continue;
    kinds.set(declared['kind'], { kind: declared['kind'], subjectType: declared['subjectType'] });
  }
  agent.params = event.params;
  agent.kinds = kinds;
  agent.keepsTime = params['keepsTime'] === true;
}

export function evolveConfigured(state: State, event: ConfiguredEvent): void {
  if (event.agentId === undefined) {
    state.configure(event.settings);
  } else {
    const agent = state.agent(event.agentId);
    agent.settings = { ...agent.settings, ...event.settings };
  }
  for (const agent of state.agentList) state.refused.add(agent);
}

export function evolveRefused(state: State, event: ExpectationRefused): void {
  if (!event.reported) return;
  const agent = state.agent(event.agentId);
  agent.refusals.add(
    event.expectationId === null ? `${++agent.namelessCount}` : refusalKey(event.code, event.contentHash),
  );
  state.refused.add(agent);
}

/** A refusal is the same as an earlier one when code and content (with the id in it) are. */
export function refusalKey(code: string, contentHash: string): string {
  return `${code} ${contentHash}`;
}

export function evolveStatus(state: State, event: StatusApplied): void {
  const task = state.task(state.agent(event.agentId), event.taskId, event.contextId);
  task.state = event.state;
  if (event.statusAt !== undefined) task.statusAt = Math.max(task.statusAt, parseInstant(event.statusAt));
  task.appliedAt = state.now;
  task.isOverstayed = false;
  state.taskStatuses.push({ at: state.now, task });
}
