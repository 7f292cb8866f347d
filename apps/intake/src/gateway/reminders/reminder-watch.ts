// Learns from an agent's answer whether it has taken the reminders that a message carried, and whether their task is over.
import { isTerminal } from '#expectations';
import { isUsableId, taskIdOf } from '#protocol';
import { type Answer, stateOf } from '../answer.ts';
import type { AnswerWatch } from '../answer-watch.ts';
import type { Exchange } from '../exchange.ts';

/** What is done of it. Neither rejects for the world's faults: it is found out again later. */
export interface ReminderEnds {
  readonly carried: () => Promise<void>;
  /** Begins it; nobody waits. */
  readonly ended: (taskId: string) => void;
}

export class ReminderWatch implements Pick<AnswerWatch, 'see'> {
  /** The task whose message carries them, until the agent has said something to it. */
  private carrying: string | undefined;

  constructor(
    private readonly inner: Pick<AnswerWatch, 'see'>,
    private readonly exchange: Exchange,
    private readonly ends: ReminderEnds,
  ) {
    this.carrying = exchange.carried === undefined ? undefined : exchange.operation.message?.taskId;
  }

  /** As the watch within; what was taken is written before the answer passes, so that a client's next message knows it. */
  see(answer: Answer): Promise<void> | undefined {
    const inner = this.inner.see(answer);
    const over = this.over(answer);
    if (this.isTaken(answer)) return this.learn(inner, over);
    for (const taskId of over) this.ends.ended(taskId);
    return inner;
  }

  /** Where the answer may not pass, the agent has all the same what it has taken. */
  private async learn(inner: Promise<void> | undefined, over: readonly string[]): Promise<void> {
    inner?.catch(() => undefined);
    await this.ends.carried();
    for (const taskId of over) this.ends.ended(taskId);
    await inner;
  }

  private isTaken({ isError, seen }: Answer): boolean {
    const taskId = this.carrying;
    const [said] = seen;
    if (taskId === undefined || (said === undefined && !isError)) return false;
    this.carrying = undefined;
    if (isError || said === undefined || stateOf(said) === 'TASK_STATE_REJECTED') return false;
    const about = taskIdOf(said);
    return about === taskId || about === undefined;
  }

  /** Of a task that nobody has named before there can be no reminders, unless its stream goes on. */
  private over({ seen }: Answer): readonly string[] {
    const { agent, operation } = this.exchange;
    if (agent.takesReminders) return [];
    const named = [operation.message?.taskId, operation.taskId];
    return seen.flatMap((one) => {
      const taskId = taskIdOf(one);
      const state = stateOf(one);
      if (!isUsableId(taskId) || state === null || !isTerminal(state)) return [];
      return operation.kind === 'stream' || named.includes(taskId) ? [taskId] : [];
    });
  }
}
