// Inputs made of the very events they should lead to, so that a test says what it is about once.
import type {
  ArtifactObserved,
  ExpectationRecorded,
  FactRecorded,
  FactsReported,
  StatusObserved,
  Tick,
} from '#expectations';
import { t } from '../ledger/events.ts';

const extensionUri = 'https://rsaxb.com/a2a/expectations/v1';

interface BlockDraft {
  readonly expectations?: readonly unknown[];
  readonly withdraw?: readonly unknown[];
  readonly reason?: string;
  readonly facts?: readonly unknown[];
}

/** An artifact of the task `task-1` of the agent `booking`, with the extension's block. */
export function artifact(block: BlockDraft, fields: Partial<ArtifactObserved> = {}): ArtifactObserved {
  const of = { agentId: 'booking', taskId: 'task-1', contextId: 'context-1' };
  return { type: 'artifactObserved', at: t(0), ...of, artifact: { metadata: { [extensionUri]: block } }, ...fields };
}

/** The artifact that raises what should be recorded; its task and instant are the first one's. */
export function raising(...recorded: readonly ExpectationRecorded[]): ArtifactObserved {
  const [first] = recorded;
  if (first === undefined) throw new Error('raise at least one');
  const { at, agentId, taskId, contextId } = first;
  return artifact({ expectations: recorded.map(({ content }) => content) }, { at, agentId, taskId, contextId });
}

/** The report of facts that should be recorded; its reporter and instant are the first one's. */
export function reporting(...recorded: readonly FactRecorded[]): FactsReported {
  const [first] = recorded;
  if (first === undefined) throw new Error('report at least one');
  const facts = recorded.map(({ fact }) => fact);
  return { type: 'factsReported', at: first.at, reporter: first.reporter, facts };
}

/** A status of the task `task-1` of the agent `booking`; `block` is that of its message. */
export function status(fields: Partial<StatusObserved> & { readonly block?: BlockDraft } = {}): StatusObserved {
  const { block, ...given } = fields;
  const message = block === undefined ? {} : { message: { metadata: { [extensionUri]: block } } };
  const of = { agentId: 'booking', taskId: 'task-1', contextId: 'context-1' };
  return { type: 'statusObserved', at: t(10), ...of, state: 'TASK_STATE_WORKING', ...message, ...given };
}

export function tick(at: string): Tick {
  return { type: 'tick', at };
}
