// What passes the gateway of this process, in numbers. A label is never an agent's or a tenant's.
import { Injectable } from '@nestjs/common';
import type { MetricFamily, MetricSample, MetricSource, ProblemType } from '#runtime';
import { ForwardedSends } from './forwarded-sends.ts';
import type { GatewayInterface } from './gateway-interfaces.ts';
import type { OperationKind } from './operation.ts';

type Labels = Readonly<Record<string, string>>;

@Injectable()
export class GatewayMetrics implements MetricSource {
  readonly name = 'gateway';
  private readonly counts = new Map<string, Map<string, { readonly labels: Labels; value: number }>>();

  constructor(private readonly sends: ForwardedSends) {}

  /** An answer's head has come. */
  answered({ binding, version }: GatewayInterface, operation: OperationKind, status: number): void {
    const known = version === '1.0' || version === '0.3' ? version : 'other';
    const outcome = `${Math.floor(status / 100)}xx`;
    this.count('answers', { binding, version: known, operation, outcome });
  }

  refused(reason: ProblemType): void {
    this.count('refusals', { reason });
  }

  /** The agent took a message and did not say that it had activated the extension (§7). */
  echoMissing(): void {
    this.count('echoes', {});
  }

  /** An answer has passed, or could not pass, without being in the log; it is looked up. */
  unrecorded(): void {
    this.count('unrecorded', {});
  }

  /** A send was looked up to its end. */
  lookedUp(outcome: 'found' | 'unseen'): void {
    this.count('lookUps', { outcome });
  }

  async collect(): Promise<readonly MetricFamily[]> {
    return [
      {
        name: 'duewatch_gateway_answers_total',
        help: 'Answers of agents to requests that were forwarded, by the class of their HTTP status',
        type: 'counter',
        samples: this.samples('answers'),
      },
      {
        name: 'duewatch_gateway_refusals_total',
        help: 'Requests that the gateway answered itself, by the type of the problem',
        type: 'counter',
        samples: this.samples('refusals'),
      },
      {
        name: 'duewatch_gateway_echoes_missing_total',
        help: 'Messages that an agent took without saying that the extension is activated',
        type: 'counter',
        samples: this.samples('echoes'),
      },
      {
        name: 'duewatch_gateway_answers_unrecorded_total',
        help: 'Answers that could not be told to the log; they are looked up at the agent',
        type: 'counter',
        samples: this.samples('unrecorded'),
      },
      {
        name: 'duewatch_gateway_look_ups_total',
        help: 'Sends without an end that were looked up; unseen: what the agent made of it is not known',
        type: 'counter',
        samples: this.samples('lookUps'),
      },
      {
        name: 'duewatch_gateway_sends_in_progress',
        help: 'Messages that were forwarded and are not answered to the end',
        type: 'gauge',
        samples: [{ value: this.sends.heldCount }],
      },
    ];
  }

  private count(name: string, labels: Labels): void {
    const of = this.counts.get(name) ?? new Map<string, { readonly labels: Labels; value: number }>();
    this.counts.set(name, of);
    const key = JSON.stringify(labels);
    const known = of.get(key);
    if (known === undefined) of.set(key, { labels, value: 1 });
    else known.value += 1;
  }

  private samples(name: string): readonly MetricSample[] {
    return [...(this.counts.get(name)?.values() ?? [])].map(({ labels, value }) => ({ labels, value }));
  }
}
