// Request bodies, with ids, keys and sentences of the lengths of the example in §8. Each id and key is handed out once.
import { AGENT_ID, SOURCE } from './tenants.ts';

const EXTENSION = 'https://rsaxb.com/a2a/expectations/v1';
const STEPS = ['manifest', 'departure', 'arrival'] as const;
const HOUR_MS = 3_600_000;

export class Bodies {
  private raisedCount = 0;
  private unmatchedCount = 0;
  private satisfiedCount = 0;
  private readonly waiting: string[] = [];

  /** Artifacts, each of a task of its own; `dueAt` is told the place among `count`, and gives epoch milliseconds. */
  expectations(
    count: number,
    anArtifact: number,
    dueAt: (nth: number) => number = () => Date.now() + 240 * HOUR_MS,
  ): Buffer {
    const observations: unknown[] = [];
    for (let nth = 0; nth < count; nth += anArtifact) {
      const length = Math.min(anArtifact, count - nth);
      observations.push(this.observation(Array.from({ length }, (_, offset) => this.expectation(dueAt(nth + offset)))));
    }
    return Buffer.from(JSON.stringify(observations));
  }

  /** Facts that nothing waits for. */
  unmatched(count: number): Buffer {
    return this.report(count, () => `shipment.scanned:QX-26-${eight((this.unmatchedCount += 1))}`);
  }

  /** Facts of which each satisfies one of the expectations raised before. */
  satisfying(count: number): Buffer {
    return this.report(count, () => {
      const factKey = this.waiting[this.satisfiedCount];
      if (factKey === undefined) throw new Error('the bench is wrong: every expectation is satisfied');
      this.satisfiedCount += 1;
      return factKey;
    });
  }

  single(): Buffer {
    return Buffer.from(JSON.stringify(fact(`shipment.scanned:QX-26-${eight((this.unmatchedCount += 1))}`)));
  }

  private report(count: number, key: () => string): Buffer {
    return Buffer.from(JSON.stringify(Array.from({ length: count }, () => fact(key()))));
  }

  private observation(expectations: readonly unknown[]): unknown {
    const id = eight(this.raisedCount);
    const metadata = { [EXTENSION]: { expectations } };
    const artifact = { artifactId: `booking-${id}`, parts: [], metadata };
    const of = { taskId: `7a3c1f9e-0000-4000-8000-0000${id}`, contextId: `0c4e5a11-0000-4000-8000-0000${id}` };
    return { agentId: AGENT_ID, artifactUpdate: { ...of, artifact } };
  }

  private expectation(dueAt: number): unknown {
    const number = (this.raisedCount += 1);
    const step = STEPS[number % 3] ?? 'manifest';
    const id = `PA-26-${eight(number)}`;
    const factKey = `shipment.${step}:${id}`;
    this.waiting.push(factKey);
    return {
      expectationId: `exp-${eight(number)}-${step}`,
      kind: `shipment.${step}`,
      subject: { type: 'shipment', id: `PA-26-${eight(number - (number % 3))}` },
      expects: `the airline ${step} for ${id}`,
      satisfiedBy: { factKey },
      dueAt: new Date(dueAt).toISOString(),
      grace: 'PT0S',
      basis: 'observed',
    };
  }
}

function fact(factKey: string): unknown {
  const subject = { type: 'shipment', id: factKey.slice(factKey.indexOf(':') + 1) };
  return { factKey, observedAt: new Date(Date.now() - 1_000).toISOString(), source: SOURCE, subject };
}

function eight(number: number): string {
  return String(number).padStart(8, '0');
}
