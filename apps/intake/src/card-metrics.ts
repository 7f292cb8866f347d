// What became of reading agents' cards again, as `/metrics` shows it.
import { Injectable } from '@nestjs/common';
import type { MetricFamily, MetricSource } from '#runtime';

/** `overtaken`: the agent was registered anew meanwhile, or the process is to stop, so nothing was kept. */
export const cardOutcomes = ['unchanged', 'changed', 'failed', 'overtaken'] as const;

export type CardOutcome = (typeof cardOutcomes)[number];

@Injectable()
export class CardMetrics implements MetricSource {
  readonly name = 'cards';
  private readonly counts = new Map<CardOutcome, number>();
  private droppedCount = 0;

  read(outcome: CardOutcome): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }

  /** So many kinds are declared no more. */
  dropped(count: number): void {
    this.droppedCount += count;
  }

  async collect(): Promise<readonly MetricFamily[]> {
    return [
      {
        name: 'duewatch_card_reads_total',
        help: "Readings of registered agents' cards, registrations aside",
        type: 'counter',
        samples: cardOutcomes.map((outcome) => ({ labels: { outcome }, value: this.counts.get(outcome) ?? 0 })),
      },
      {
        name: 'duewatch_card_kinds_dropped_total',
        help: 'Kinds that cards declared once and then no more: what is raised of them is refused',
        type: 'counter',
        samples: [{ value: this.droppedCount }],
      },
    ];
  }
}
