// What passes the gateway of this process, in numbers. A label is never an agent's or a tenant's.
import { Injectable } from '@nestjs/common';
import { type MetricFamily, type MetricSample, type MetricSource, problemErrorMap, type ProblemType } from '#runtime';
import { ForwardedSends } from './forwarded-sends.ts';
import { bindings, type GatewayInterface } from './gateway-interfaces.ts';
import { operationKinds, type OperationKind } from './operation.ts';

type Labels = Readonly<Record<string, string>>;

@Injectable()
export class GatewayMetrics implements MetricSource {
  readonly name = 'gateway';
  /** All there can be, from the beginning: a series that is not there cannot be told from one that was lost. */
  private readonly answers = counters(
    bindings.flatMap((binding) =>
      operationKinds.flatMap((operation) =>
        ['2xx', '3xx', '4xx', '5xx'].map((outcome) => ({ binding, operation, outcome })),
      ),
    ),
  );
  private readonly refusals = counters(Object.keys(problemErrorMap).map((reason) => ({ reason })));
  private readonly echoesMissing = counters([{}]);
  private readonly answersUnrecorded = counters([{}]);
  private readonly lookUps = counters([{ outcome: 'found' }, { outcome: 'unseen' }]);

  constructor(private readonly sends: ForwardedSends) {}

  /** An answer's head has come. */
  answered({ binding }: GatewayInterface, operation: OperationKind, status: number): void {
    count(this.answers, { binding, operation, outcome: `${Math.floor(status / 100)}xx` });
  }

  refused(reason: ProblemType): void {
    count(this.refusals, { reason });
  }

  /** The agent took a message and did not say that it had activated the extension (§7). */
  echoMissing(): void {
    count(this.echoesMissing, {});
  }

  /** An answer has passed, or could not pass, without being in the log; it is looked up. */
  unrecorded(): void {
    count(this.answersUnrecorded, {});
  }

  /** A send was looked up to its end. */
  lookedUp(outcome: 'found' | 'unseen'): void {
    count(this.lookUps, { outcome });
  }

  async collect(): Promise<readonly MetricFamily[]> {
    return [
      {
        name: 'duewatch_gateway_answers_total',
        help: 'Answers of agents to requests that were forwarded, by the class of their HTTP status',
        type: 'counter',
        samples: samples(this.answers),
      },
      {
        name: 'duewatch_gateway_refusals_total',
        help: 'Requests that the gateway answered itself, by the type of the problem',
        type: 'counter',
        samples: samples(this.refusals),
      },
      {
        name: 'duewatch_gateway_echoes_missing_total',
        help: 'Messages that an agent took without saying that the extension is activated',
        type: 'counter',
        samples: samples(this.echoesMissing),
      },
      {
        name: 'duewatch_gateway_answers_unrecorded_total',
        help: 'Answers that could not be told to the log; they are looked up at the agent',
        type: 'counter',
        samples: samples(this.answersUnrecorded),
      },
      {
        name: 'duewatch_gateway_look_ups_total',
        help: 'Sends without an end that were looked up; unseen: what the agent made of it is not known',
        type: 'counter',
        samples: samples(this.lookUps),
      },
      {
        name: 'duewatch_gateway_sends_in_progress',
        help: 'Messages that were forwarded and are not answered to the end',
        type: 'gauge',
        samples: [{ value: this.sends.heldCount }],
      },
    ];
  }
}

type Counters = ReadonlyMap<string, { readonly labels: Labels; value: number }>;

function counters(all: readonly Labels[]): Counters {
  return new Map(all.map((labels) => [JSON.stringify(labels), { labels, value: 0 }]));
}

function count(of: Counters, labels: Labels): void {
  const counter = of.get(JSON.stringify(labels));
  if (counter !== undefined) counter.value += 1;
}

function samples(of: Counters): readonly MetricSample[] {
  return [...of.values()].map(({ labels, value }) => ({ labels, value }));
}
