// The tasks that an executor works on, or that wait for an answer: what of them was canceled, and in which context each is.

interface Work {
  readonly contextId: string;
  isCanceled: boolean;
}

/** Questions may stay unanswered for good: of so many tasks the context is known. */
const mostTasks = 10_000;

export class TasksUnderWay {
  private readonly tasks = new Map<string, Work>();

  /** A task works, or works on. */
  begin(taskId: string, contextId: string): Readonly<Work> {
    const work = { contextId, isCanceled: false };
    this.tasks.delete(taskId);
    this.tasks.set(taskId, work);
    const [oldest] = this.tasks.keys();
    if (this.tasks.size > mostTasks && oldest !== undefined) this.tasks.delete(oldest);
    return work;
  }

  end(taskId: string): void {
    this.tasks.delete(taskId);
  }

  /** The context that it was in; empty where that is not known. */
  cancel(taskId: string): string {
    const work = this.tasks.get(taskId);
    this.tasks.delete(taskId);
    if (work !== undefined) work.isCanceled = true;
    return work?.contextId ?? '';
  }
}
