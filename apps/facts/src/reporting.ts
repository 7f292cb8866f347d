// Takes facts: who reported each, whether it is plausible, then to the log in reports, answered with what was decided.
// It must never believe a source that the key may not claim.
import { Inject, Injectable } from '@nestjs/common';
import { FactsReading, plausibleAround } from '#protocol';
import { type BodyItem, type BodyItems, type Caller, CLOCK, type Clock, fairTurns } from '#runtime';
import {
  edgeResult,
  isImplausible,
  plannedFact,
  type PlannedFact,
  Quarantine,
  type WriteAnswer,
  Writes,
} from '#writes';

/** Facts that are read in one turn of the event loop. */
const sliceFactsCount = 200;

@Injectable()
export class Reporting {
  constructor(
    private readonly writes: Writes,
    private readonly quarantine: Quarantine,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws `Problem` where a single fact is refused. */
  async report({ single, items }: BodyItems, caller: Caller, waitMs: number): Promise<WriteAnswer> {
    const values = items.flatMap((item) => ('value' in item ? [item.value] : []));
    const { inputs, facts } = await this.read(values, caller);
    const noRoom = await this.quarantine.keep(caller.tenant, facts.filter(isImplausible));
    const planned = facts.map((fact) => plannedFact(fact, noRoom));
    const plan = { kind: 'facts' as const, single, facts: planOf(items, planned) };
    return this.writes.submit({ tenant: caller.tenant, inputs, plan, waitMs });
  }

  private async read(values: readonly unknown[], caller: Caller): Promise<FactsReading> {
    const reading = new FactsReading(caller, { plausible: plausibleAround(this.clock.now()) });
    for (const value of values) {
      reading.add(value);
      if (reading.facts.length % sliceFactsCount === 0) await fairTurns.next(caller.tenant);
    }
    return reading;
  }
}

/** A line that is no JSON is refused in its place among the facts. */
function planOf(items: readonly BodyItem[], facts: readonly PlannedFact[]): readonly PlannedFact[] {
  const planned = facts.values();
  return items.map((item) => {
    if ('refused' in item) return { result: edgeResult('refused', 'malformed', item.refused) };
    const { value } = planned.next();
    return value ?? { result: edgeResult('refused', 'malformed', 'it was not read') };
  });
}
