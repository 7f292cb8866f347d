// Records what an artifact or a status message raises: each expectation judged alone, in the order listed.
import type { ExpectationRefused } from './event.ts';
import { refusalKey } from './evolve/agent.ts';
import type { Carrier } from './carrier.ts';
import { formatHash, type Hash, isSame } from './hash.ts';
import { formatInstant } from './instant.ts';
import { judge } from './judge.ts';
import { findExactly, type Named } from './names.ts';
import { type Raised, readRaised } from './raised.ts';
import type { Refusal } from './refusal.ts';
import { type Expectation, Mark } from './state/expectation.ts';
import type { Turn } from './turn.ts';
import { assert } from './unreachable.ts';
import { warningsOf } from './warnings.ts';
import { withdraw } from './withdraw.ts';

/** What was recorded, with its content as read. */
export interface Recorded {
  readonly expectation: Expectation;
  readonly raised: Raised;
}

/** Judges each of a list; returns those recorded, in order. */
export function record(turn: Turn, carrier: Carrier, contents: readonly unknown[]): Recorded[] {
  const recorded: Recorded[] = [];
  for (const content of contents) {
    const read = readRaised(content);
    if ('unreadable' in read) {
      const { expectationId, contentHash, message } = read.unreadable;
      refuse(turn, carrier, expectationId, contentHash, { code: 'invalid', message });
      continue;
    }
    const { raised } = read;
    const named = findExactly(turn.state, carrier.agent, raised.expectationId);
    if (isRepeat(named, raised)) {
      const of = { agentId: carrier.agent.id, expectationId: raised.expectationId };
      turn.emit({ type: 'expectationRepeated', at: turn.at, ...of });
      continue;
    }
    const refusal = judge(turn.state, carrier, raised, named);
    if (refusal !== undefined) refuse(turn, carrier, raised.expectationId, raised.contentHash, refusal);
    else recorded.push({ expectation: admit(turn, carrier, raised), raised });
  }
  return recorded;
}

/** The same id with the same content changes nothing, open or closed. */
function isRepeat(named: Named, raised: Raised): boolean {
  const hash = named?.open?.contentHash ?? named?.closed?.contentHash;
  return hash != null && isSame(hash, raised.contentHash);
}

/** Told always; reported unless it was for the same reason before. */
function refuse(turn: Turn, carrier: Carrier, expectationId: string | null, hash: Hash, refusal: Refusal): void {
  const { agent, taskId, contextId } = carrier;
  const contentHash = formatHash(hash);
  const reported = expectationId === null || !agent.refusals.has(refusalKey(refusal.code, contentHash));
  const of = { at: turn.at, agentId: agent.id, expectationId, taskId, contextId };
  const event: ExpectationRefused = { type: 'expectationRefused', ...of, ...refusal, contentHash, reported };
  turn.emit(event);
}

/** Records it, and withdraws what it supersedes at that moment (§8.1). */
function admit(turn: Turn, carrier: Carrier, raised: Raised): Expectation {
  const { agent, taskId, contextId } = carrier;
  const { expectationId } = raised;
  const replaced = raised.supersedes === null ? undefined : findExactly(turn.state, agent, raised.supersedes)?.open;
  const dueAt = formatInstant(raised.dueAt);
  turn.emit({
    type: 'expectationRecorded',
    at: turn.at,
    agentId: agent.id,
    expectationId,
    taskId,
    contextId,
    content: raised.content,
    projectedDueAt: dueAt,
    dueAt,
    lineage: replaced === undefined ? 0 : replaced.lineage + 1,
    question: isQuestion(carrier, raised, replaced),
    warnings: warningsOf(turn.state, carrier, raised),
  });
  if (replaced !== undefined) withdraw(turn, replaced, { withdrawn: 'superseded', supersededBy: expectationId });
  const expectation = agent.names.get(expectationId);
  assert(expectation !== undefined, 'what was recorded has a name');
  return expectation;
}

/** Raised by a status message about its own task, or the successor, on the same subject, of one that was. */
function isQuestion(carrier: Carrier, raised: Raised, replaced: Expectation | undefined): boolean {
  if (carrier.isStatus && raised.subjectType === 'task' && raised.subjectId === carrier.taskId) return true;
  if (replaced?.is(Mark.question) !== true) return false;
  return replaced.subject?.type === raised.subjectType && replaced.subject.id === raised.subjectId;
}
