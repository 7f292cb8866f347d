// An operator's acts on what is quarantined. Its row is changed before and after the append, so that a crash between
// leaves it to be released again: it is never lost, and the core makes the repeat harmless.
import { Injectable } from '@nestjs/common';
import type { UntimedInput } from '#event-log';
import { type Caller, Problem, type QuarantinedFact } from '#runtime';
import { Quarantine, type WriteAnswer, Writes } from '#writes';

@Injectable()
export class Operating {
  constructor(
    private readonly writes: Writes,
    private readonly quarantine: Quarantine,
  ) {}

  /**
   * Tells the log the fact as reported by its reporter, whatever its instant. Once more appends nothing and says so.
   * Throws `Problem` where there is none, or it was discarded.
   */
  async release(id: string, { tenant, name }: Caller, waitMs: number): Promise<WriteAnswer> {
    if (!(await this.quarantine.beginRelease(tenant, id))) return releasedBefore(await this.find(tenant, id));
    const { reporter, fact } = await this.find(tenant, id);
    const answer = await this.writes.submit({
      tenant,
      inputs: [reportOf(reporter, fact)],
      // Not answered as a single one, which is thrown where it is refused: it is in the record either way.
      plan: { kind: 'facts', single: false, facts: [{ record: 0, place: 0 }] },
      waitMs,
    });
    await this.quarantine.endRelease(tenant, id, { by: name, position: String(answer.body['position']) });
    return answer;
  }

  /** Never tells the log. Once more changes nothing. Throws `Problem` where there is none, or it may be in the log. */
  async discard(id: string, { tenant, name }: Caller, reason: string): Promise<QuarantinedFact> {
    await this.quarantine.discard(tenant, id, { by: name, reason });
    const fact = await this.find(tenant, id);
    if (fact.state === 'discarded') return fact;
    const what = fact.state === 'released' ? settledText(fact) : 'its release has begun, and can only be done again';
    throw new Problem('already-settled', what, { id, state: fact.state });
  }

  private async find(tenant: string, id: string): Promise<QuarantinedFact> {
    const fact = await this.quarantine.find(tenant, id);
    if (fact === undefined) throw new Problem('not-found', 'nothing of this id is quarantined');
    return fact;
  }
}

function reportOf(reporter: string, fact: string): UntimedInput {
  return { type: 'factsReported', reporter: JSON.parse(reporter) as string, facts: [JSON.parse(fact) as unknown] };
}

function releasedBefore(fact: QuarantinedFact): WriteAnswer {
  const message = settledText(fact);
  if (fact.state !== 'released') throw new Problem('already-settled', message, { state: fact.state });
  const result = { outcome: 'repeated', code: 'already_released', message, satisfied: [] };
  return { kind: 'taken', body: { results: [result], position: fact.position } };
}

function settledText({ state, settledBy, settledAt }: QuarantinedFact): string {
  return `it was ${state} by ${JSON.stringify(settledBy)} at ${settledAt?.toISOString() ?? ''}`;
}
