// `dispatches`: the way of lapse tasks to their agents, and what becomes of those that are parked, over `/v1/dispatches`.
import { callApi, callPages } from '../api.ts';

interface DispatchListing {
  readonly agentId: string;
  readonly expectationId: string;
  readonly lapse: string;
  readonly lapsedAt: string;
  readonly state: string;
  readonly taskId?: string;
  readonly attempts: number;
  readonly outcome?: string;
  readonly cause?: string;
}

export interface ListOptions {
  readonly state?: string;
  readonly agent?: string;
  readonly json?: true;
}

export interface LapseOptions {
  readonly lapse: string;
  readonly reason?: string;
  readonly json?: true;
}

/** All of them, page by page, the latest first. */
export async function listDispatches({ state, agent, json }: ListOptions): Promise<void> {
  const query = { ...(state && { state }), ...(agent && { agentId: agent }) };
  for await (const dispatch of callPages<DispatchListing>('/v1/dispatches', query)) {
    process.stdout.write(json === true ? `${JSON.stringify(dispatch)}\n` : describe(dispatch));
  }
}

/** Throws `CommandError` where that lapse is not parked. */
export async function settleParked(
  what: 'retry' | 'discard',
  agentId: string,
  expectationId: string,
  { lapse, reason, json }: LapseOptions,
): Promise<void> {
  const body = { agentId, expectationId, lapse, ...(reason !== undefined && { reason }) };
  const answer = await callApi('POST', `/v1/dispatches/${what}`, body);
  const done = what === 'retry' ? 'is tried again' : 'is not sent any more';
  const named = [agentId, expectationId].map((text) => JSON.stringify(text)).join(' ');
  process.stdout.write(json === true ? `${JSON.stringify(answer)}\n` : `${named} ${lapse} ${done}\n`);
}

/** Texts of strangers are shown as JSON: nothing in them moves a terminal. */
function describe({ agentId, expectationId, lapse, lapsedAt, state, ...more }: DispatchListing): string {
  const { taskId, attempts, outcome, cause } = more;
  const why = cause === undefined ? '' : `  ${outcome ?? ''} ${JSON.stringify(cause)}`;
  const task = taskId === undefined ? '' : `  task ${JSON.stringify(taskId)}`;
  const named = [agentId, expectationId].map((text) => JSON.stringify(text)).join('  ');
  return `${named}  ${lapse}  ${lapsedAt}  ${state}  attempts ${attempts}${task}${why}\n`;
}
