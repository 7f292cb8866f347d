// An agent that takes lapses, in this process, and the card of it that declares the load's kind.
import { jest } from '@jest/globals';
import { type CardServer, exampleCard, FakeAgent, startCardServer } from '#testing';

export class ListeningAgent {
  private constructor(
    readonly fake: FakeAgent,
    private readonly cards: CardServer,
  ) {}

  static async start(params: Readonly<Record<string, unknown>> = {}): Promise<ListeningAgent> {
    // The SDK warns of each task that a lapse refers to: this agent has none of them.
    jest.spyOn(console, 'warn').mockReturnValue(undefined);
    const fake = await FakeAgent.start();
    const cards = await startCardServer();
    const { supportedInterfaces } = fake.card as { readonly supportedInterfaces: unknown };
    const kinds = [{ kind: 'flight.departure', subjectType: 'flight', describes: 'a departure', basis: 'contract' }];
    cards.card = { ...exampleCard({ kinds, ...params }), supportedInterfaces };
    return new ListeningAgent(fake, cards);
  }

  get cardUrl(): string {
    return this.cards.url;
  }

  /** The ids of the messages it took, in order: one that came twice is there twice. */
  readonly received = async (): Promise<readonly string[]> => this.fake.received.map(({ messageId }) => messageId);

  async stop(): Promise<void> {
    await this.fake.stop();
    await this.cards.close();
  }
}
