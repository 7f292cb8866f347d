// Asks the booking agent over A2A, as any client would: by its card, with the extension activated.
import { Message, Task } from '@a2a-js/sdk';
import { type Client, ClientFactory, ServiceParameters, withA2AExtensions } from '@a2a-js/sdk/client';
import { expectationsUri } from './extension.ts';
import type { Booking } from './flights.ts';

const answerTimeoutMs = 30_000;

export class BookingClient {
  private constructor(private readonly client: Client) {}

  /** Reads the agent's card and chooses a way to talk to it. */
  static async connect(agentUrl: string): Promise<BookingClient> {
    return new BookingClient(await new ClientFactory().createFromUrl(agentUrl));
  }

  /** Has the flights booked; returns the finished Task as A2A JSON. Throws where the agent did not book them. */
  async book(messageId: string, flights: readonly Booking[]): Promise<unknown> {
    const message = Message.fromJSON({ messageId, role: 'ROLE_USER', parts: [{ data: { flights } }] });
    const answer = await this.client.sendMessage(
      { tenant: '', message, metadata: undefined, configuration: undefined },
      {
        serviceParameters: ServiceParameters.create(withA2AExtensions(expectationsUri)),
        signal: AbortSignal.timeout(answerTimeoutMs),
      },
    );
    if (!('status' in answer)) throw new Error('the agent answered with a message, not with a task');
    // The booking itself stays between client and agent; a watcher needs what came of it.
    const task = Task.toJSON({ ...answer, history: [] }) as { status?: { state?: string } };
    if (task.status?.state !== 'TASK_STATE_COMPLETED') throw new Error(`not booked: ${JSON.stringify(task.status)}`);
    return task;
  }
}
