// An agent that is told reminders, and what a test asks of it.
import type { Task } from '@a2a-js/sdk';
import { until } from '#testing';
import { inject, type Injected } from './inject.ts';
import { remindedAgent, Seen } from './reminded-agent.ts';
import { isMessage, request, ServedAgent, type SendOptions, type Way } from './served-agent.ts';

export const capabilities = { streaming: true, reminders: { inject: true, emit: true } };

export class RemindedService {
  readonly seen = new Seen();
  /** How it is called. */
  way: Way = ['JSONRPC', '1.0'];
  private agent: ServedAgent | undefined;

  async start(): Promise<void> {
    this.agent = await ServedAgent.start(remindedAgent(this.seen), { card: { capabilities } });
  }

  async close(): Promise<void> {
    await this.agent?.close();
  }

  get served(): ServedAgent {
    if (this.agent === undefined) throw new Error('it is not started');
    return this.agent;
  }

  /** Nothing is seen, nothing let through. */
  forget(): void {
    Object.assign(this.seen, { isOpen: false, stepsCount: 0 });
    this.seen.turns.length = 0;
    this.seen.steps.length = 0;
  }

  injected(taskId: string, reminder: unknown): Promise<Injected> {
    return inject(this.served.url, this.way, taskId, reminder);
  }

  /** A Message is shown as a task without an id. */
  async sent(text: string, options: SendOptions & { readonly metadata?: object } = {}): Promise<Task> {
    const { metadata, ...others } = options;
    const asked = request(text, others);
    if (metadata !== undefined && asked.message !== undefined) asked.message.metadata = { ...metadata };
    const answer = await (await this.served.client(this.way)).sendMessage(asked);
    if (!isMessage(answer)) return answer;
    return { id: '', contextId: answer.contextId, status: undefined, artifacts: [], history: [], metadata: undefined };
  }

  async get(id: string): Promise<Task> {
    return (await this.served.client(this.way)).getTask({ tenant: '', id });
  }

  /** What the last turn with this text was told from its beginning. */
  told(text: string): readonly string[] | undefined {
    return this.seen.of(text)?.reminders;
  }

  /** Goes on with the task, and tells what its turn was told. */
  async turn(taskId: string, text: string): Promise<readonly string[] | undefined> {
    await this.sent(text, { taskId });
    return this.told(text);
  }

  /** A turn that runs until a test lets it end. */
  async holding(): Promise<string> {
    const { id } = await this.sent('hold', { configuration: { returnImmediately: true } });
    await until(() => this.told('hold') !== undefined, 'the turn');
    return id;
  }
}
