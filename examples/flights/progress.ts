// Tells a person how far the replay has come, now and then.
import type { Clock } from '#runtime';
import { instantText } from './flights.ts';
import { type Replay, replayedAt } from './replay.ts';
import type { Outcome } from './watcher-api.ts';

const intervalMs = 10_000;

export class Progress {
  private readonly counts = { booked: 0, told: 0, refused: 0, pending: 0 };
  private printedAt = 0;

  constructor(
    private readonly replay: Replay,
    private readonly agentUrl: string,
    private readonly clock: Clock,
  ) {}

  add(what: 'booked' | 'told', count: number, { pending, refusals }: Outcome): void {
    this.counts[what] += count;
    this.counts.refused += refusals.length;
    if (pending) this.counts.pending += 1;
    for (const refusal of refusals) console.error(`not taken: ${refusal}`);
  }

  async printNowAndThen(): Promise<void> {
    if (this.clock.now() >= this.printedAt + intervalMs) await this.print();
  }

  async print(): Promise<void> {
    this.printedAt = this.clock.now();
    const { booked, told, refused, pending } = this.counts;
    const lapses = (await (await fetch(`${this.agentUrl}/lapses`)).json()) as unknown[];
    const time = instantText(replayedAt(this.printedAt, this.replay)).slice(0, 16).replace('T', ' ');
    const odd = refused + pending === 0 ? '' : `, ${refused} not taken, ${pending} answers late`;
    console.log(`${time}Z: ${booked} flights booked, ${told} facts told, ${lapses.length} lapses at the agent${odd}`);
  }
}
