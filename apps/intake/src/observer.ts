// Takes observations: what was seen of agents' work, to the log, answered with what was decided of each.
// It must never record anything of an agent that the tenant has not registered.
import { Inject, Injectable } from '@nestjs/common';
import { listedItemsCount, type ObservationRead, plausibleAround, readObservation } from '#protocol';
import {
  AgentDirectory,
  assertItemCount,
  type BodyItem,
  type BodyItems,
  type Caller,
  CLOCK,
  type Clock,
  fairTurns,
  Problem,
} from '#runtime';
import {
  type ImplausibleFact,
  isImplausible,
  plannedFact,
  type PlannedObservation,
  Quarantine,
  type RefusedObservation,
  type WriteAnswer,
  Writes,
} from '#writes';

/** Items that are read in one turn of the event loop, and what of one observation goes past. */
const sliceItemsCount = 200;

type TakenObservation = Extract<ObservationRead, { readonly ok: true }>;

@Injectable()
export class Observer {
  constructor(
    private readonly directory: AgentDirectory,
    private readonly writes: Writes,
    private readonly quarantine: Quarantine,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws `Problem` where a single observation is refused as a whole. */
  async observe({ single, items }: BodyItems, caller: Caller, waitMs: number): Promise<WriteAnswer> {
    const values = items.map(valueOf);
    assertItemCount(values.reduce<number>((sum, value) => sum + listedItemsCount(value), 0));
    const plausible = plausibleAround(this.clock.now());
    const reads: ObservationRead[] = [];
    let listedCount = 0;
    for (const [index, value] of values.entries()) {
      reads.push(readObservation(value, caller, { path: single ? '$' : `$[${index}]`, plausible }));
      listedCount += listedItemsCount(value);
      if (listedCount < sliceItemsCount) continue;
      listedCount = 0;
      await fairTurns.next(caller.tenant);
    }
    const agentIds = reads.flatMap((read) => (read.ok ? [read.agentId] : []));
    const known = await this.directory.registered(caller.tenant, agentIds);
    const [only] = reads;
    if (single && only !== undefined) assertTaken(only, known);
    const noRoom = await this.quarantine.keep(
      caller.tenant,
      reads.flatMap((read) => (isTaken(read, known) ? [...read.keptOut, ...read.facts.filter(isImplausible)] : [])),
    );
    return this.writes.submit({
      tenant: caller.tenant,
      inputs: reads.flatMap((read) => (isTaken(read, known) ? read.inputs : [])),
      plan: { kind: 'observations', items: reads.map((read) => toPlan(read, known, noRoom)) },
      waitMs,
    });
  }
}

function valueOf(item: BodyItem): unknown {
  return 'value' in item ? item.value : undefined;
}

function isTaken(read: ObservationRead, known: ReadonlySet<string>): read is TakenObservation {
  return read.ok && known.has(read.agentId);
}

function assertTaken(read: ObservationRead, known: ReadonlySet<string>): void {
  if (!read.ok) {
    throw new Problem('observation-refused', refusalMessage(read), { errors: read.refusals });
  }
  if (!known.has(read.agentId)) {
    throw new Problem('agent-unknown', unknownMessage(read.agentId), { agentId: read.agentId });
  }
}

function toPlan(
  read: ObservationRead,
  known: ReadonlySet<string>,
  noRoom: ReadonlySet<ImplausibleFact>,
): PlannedObservation | RefusedObservation {
  if (!read.ok) return { code: 'invalid', message: refusalMessage(read) };
  if (!known.has(read.agentId)) return { code: 'agent_unknown', message: unknownMessage(read.agentId) };
  return {
    agentId: read.agentId,
    recordCount: read.inputs.length,
    notes: read.notes.map(({ input, ...note }) => ({ ...note, ...ofRecord(input) })),
    facts: read.facts.map((fact) => plannedFact(fact, noRoom)),
    keptOut: read.keptOut.map((report) => ({
      index: report.index,
      message: report.message,
      ...ofRecord(report.input),
      ...(noRoom.has(report) && { isRefused: true }),
    })),
  };
}

function ofRecord(input: number | undefined): { readonly record?: number } {
  return input === undefined ? {} : { record: input };
}

function refusalMessage({ refusals }: Extract<ObservationRead, { readonly ok: false }>): string {
  return refusals.map(({ path, message }) => `${path} ${message}`).join('; ');
}

function unknownMessage(agentId: string): string {
  return `the agent ${JSON.stringify(agentId)} is not registered: PUT /v1/agents/{agentId} first`;
}
