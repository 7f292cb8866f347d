// Looks for the task that a lapse has made before, among those of its context.
import { ListTasksRequest, type Task } from '@a2a-js/sdk';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { formatInstant, parseInstant } from '#expectations';

const pageSize = 100;
const mostPages = 50;

/** Clocks may differ by so much: the watcher's says when it lapsed, the agent's since when a task is as it is. */
const skewMs = 3_600_000;

/** Where and since when: no task of a lapse is older than the lapse. */
export interface WhereToLook {
  readonly contextId: string;
  readonly lapsedAt: string;
}

/**
 * What was found among the tasks that have changed since; their statuses must say when. `tooMany`: it was not among the 5,000
 * that changed last. Rejects where the handler does.
 */
export async function findLapseTask(
  handler: Pick<A2ARequestHandler, 'listTasks'>,
  { contextId, lapsedAt }: WhereToLook,
  context: ServerCallContext,
  isIt: (task: Task) => boolean,
): Promise<Task | 'none' | 'tooMany'> {
  const statusTimestampAfter = formatInstant(parseInstant(lapsedAt) - skewMs);
  let pageToken = '';
  for (let page = 0; page < mostPages; page += 1) {
    const asked = ListTasksRequest.fromJSON({ contextId, pageSize, pageToken, statusTimestampAfter });
    const { tasks, nextPageToken } = await handler.listTasks(asked, context);
    const found = tasks.find(isIt);
    if (found !== undefined) return found;
    if (nextPageToken === '') return 'none';
    pageToken = nextPageToken;
  }
  return 'tooMany';
}
