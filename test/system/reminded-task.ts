// A task that runs at a real agent that takes reminders, in this process, and what its turn is told.
import { type CardServer, exampleCard, startCardServer, until } from '#testing';
import { RemindedService } from '../agent-host/reminded-service.ts';
import { pathOf } from '../agent-host/served-agent.ts';

export class RemindedTask {
  private readonly service = new RemindedService();
  private cards: CardServer | undefined;
  taskId = '';

  /** The URL of the agent's card. */
  async start(kinds: readonly object[]): Promise<string> {
    await this.service.start();
    this.cards = await startCardServer();
    const card = exampleCard({ kinds }) as { readonly capabilities: object };
    const url = `${this.service.served.url}${pathOf(this.service.way)}`;
    const [protocolBinding, protocolVersion] = this.service.way;
    this.cards.card = {
      ...card,
      supportedInterfaces: [{ url, protocolBinding, protocolVersion }],
      capabilities: { ...card.capabilities, reminders: { inject: true } },
    };
    this.taskId = await this.service.holding();
    return this.cards.url;
  }

  /** Resolves once one of the steps of its turn has brought each of these. */
  untilTold(...texts: readonly string[]): Promise<void> {
    const { seen } = this.service;
    return until(
      () => {
        seen.stepsCount += 1;
        return texts.every((text) => seen.steps.some((step) => step.includes(text)));
      },
      `to be told: ${texts.join(', ')}`,
    );
  }

  async close(): Promise<void> {
    this.service.seen.isOpen = true;
    await this.service.close();
    await this.cards?.close();
  }
}
