// Which tasks an expectation depends on.
import { identityHash } from '../stored-text.ts';
import type { AwaitedTaskRow } from '../tables/awaited-task.entity.ts';
import type { ExpectationRow } from '../tables/expectation.entity.ts';

/** The task that raised it; and of a question the one it is about, whose going on answers it (§11). */
export function awaitedBy(row: ExpectationRow): readonly AwaitedTaskRow[] {
  const { expectationHash, ledgerOffset, tenant, agentId, question, subjectId } = row;
  const taskIds = new Set([row.taskId, ...(question ? [subjectId] : [])]);
  return [...taskIds].map((taskId) => {
    const taskHash = identityHash(tenant, agentId, taskId);
    return { taskHash, awaitedFor: expectationHash, ledgerOffset, tenant, agentId, taskId };
  });
}
