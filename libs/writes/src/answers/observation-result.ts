// What was decided of one observation, per expectation, as clients read it. It must never judge: it only reads events.
import type { LedgerEvent } from '#event-log';
import { type FactResult, factResults, type PlannedFact, reportResults } from './fact-result.ts';
import { keptOutResult } from './planned-fact.ts';

export interface ExpectationResult {
  /** Null where it gives no id that could be read. */
  readonly expectationId: string | null;
  readonly outcome: 'recorded' | 'repeated' | 'refused';
  readonly code?: string;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

export interface WithdrawnExpectation {
  readonly expectationId: string;
  /** The cause. */
  readonly withdrawn: string;
  readonly reason?: string;
  readonly supersededBy?: string;
}

export interface ObservationResult {
  /** Only where the observation as a whole was refused: nothing of it is in the log. */
  readonly outcome?: 'refused';
  readonly code?: string;
  readonly message?: string;
  readonly expectations: readonly ExpectationResult[];
  readonly facts: readonly FactResult[];
  readonly withdrawn: readonly WithdrawnExpectation[];
  /** What was ignored, and why; and what is to be said of what was not (§14). */
  readonly notes?: readonly { readonly path: string; readonly message: string }[];
}

/** What the edge said of a part of the observation. With `record` and `index`: why that item will be refused. */
export interface PlannedNote {
  readonly part: string;
  /** Which of the observation's records, and the place in the list there. */
  readonly record?: number;
  readonly index?: number;
  readonly path: string;
  readonly message: string;
}

/** An observation that was appended, as so many records of the write. JSON. */
export interface PlannedObservation {
  readonly agentId: string;
  readonly recordCount: number;
  readonly notes: readonly PlannedNote[];
  /** A client's own facts; those of the agent are found in the records. */
  readonly facts: readonly PlannedFact[];
  /** Facts of the agent that were quarantined, in the order they were listed. */
  readonly keptOut: readonly PlannedKeptOut[];
}

export interface PlannedKeptOut {
  /** Which of the observation's records the rest of its list is in; absent where nothing of it is in any. */
  readonly record?: number;
  /** Its place in the list as it was sent. */
  readonly index: number;
  readonly message: string;
  /** True where the quarantine had no room for it. */
  readonly isRefused?: boolean;
}

/** The result of one observation from the events of each of its records, in order. */
export function observationResult(
  planned: PlannedObservation,
  records: readonly (readonly LedgerEvent[])[],
): ObservationResult {
  const { agentId, notes } = planned;
  const reasons = refusalReasons(notes);
  const ignored = notes.filter(
    (note) => note.index === undefined || note.record === undefined || note.part === 'withdraw',
  );
  return {
    expectations: records.flatMap((events, record) =>
      explained(
        events.flatMap((event) => expectationResult(event, agentId)),
        reasons.get(`expectations ${record}`),
      ),
    ),
    facts: planned.facts.length > 0 ? factResults(planned.facts, records) : agentFacts(planned, records, reasons),
    withdrawn: records.flatMap((events) => events.flatMap((event) => withdrawnExpectation(event, agentId))),
    ...(ignored.length > 0 && { notes: ignored.map(({ path, message }) => ({ path, message })) }),
  };
}

export function isAnyRefused(result: ObservationResult): boolean {
  return (
    result.outcome === 'refused' ||
    [...result.expectations, ...result.facts].some(({ outcome }) => outcome === 'refused')
  );
}

/** Why items will be refused: by part and record, then by the item's place. */
type Reasons = ReadonlyMap<string, ReadonlyMap<number, string>>;

function refusalReasons(notes: readonly PlannedNote[]): Reasons {
  const reasons = new Map<string, Map<number, string>>();
  for (const { part, record, index, message } of notes) {
    if (record === undefined || index === undefined) continue;
    const list = `${part} ${record}`;
    const ofList = reasons.get(list) ?? new Map<number, string>();
    reasons.set(list, ofList.set(index, message));
  }
  return reasons;
}

/** A record answers each item of its list once and in order, so an item's place finds its result. */
function explained<Result extends { readonly outcome: string; readonly message?: string }>(
  results: readonly Result[],
  reasons: ReadonlyMap<number, string> | undefined,
): readonly Result[] {
  if (reasons === undefined) return results;
  return results.map((result, index) => {
    const message = result.outcome === 'refused' ? reasons.get(index) : undefined;
    return message === undefined ? result : { ...result, message };
  });
}

/** The agent's own facts, those kept out of the log in their places among the others. */
function agentFacts(
  { keptOut }: PlannedObservation,
  records: readonly (readonly LedgerEvent[])[],
  reasons: Reasons,
): readonly FactResult[] {
  const ofRecords = records.map((events, record) => [
    ...explained(factsInOrder(events), reasons.get(`facts ${record}`)),
  ]);
  const ofNone: FactResult[] = [];
  for (const { record, index, message, isRefused } of keptOut) {
    const results = record === undefined ? ofNone : (ofRecords[record] ?? ofNone);
    results.splice(index, 0, keptOutResult(message, isRefused === true));
  }
  return [...ofRecords, ofNone].flat();
}

function factsInOrder(events: readonly LedgerEvent[]): readonly FactResult[] {
  return [...reportResults(events)].sort(([one], [other]) => one - other).map(([, result]) => result);
}

/** Deadlines that fired first may have touched other agents; those are no part of the answer. */
function expectationResult(event: LedgerEvent, agentId: string): readonly ExpectationResult[] {
  if (!('agentId' in event) || event.agentId !== agentId) return [];
  if (event.type === 'expectationRecorded') {
    const { expectationId, warnings } = event;
    return [{ expectationId, outcome: 'recorded', ...(warnings.length > 0 && { warnings }) }];
  }
  if (event.type === 'expectationRepeated') return [{ expectationId: event.expectationId, outcome: 'repeated' }];
  if (event.type !== 'expectationRefused') return [];
  return [{ expectationId: event.expectationId, outcome: 'refused', code: event.code, message: event.message }];
}

/** A retirement is the watcher's own doing at a deadline, not the observation's. */
function withdrawnExpectation(event: LedgerEvent, agentId: string): readonly WithdrawnExpectation[] {
  if (event.type !== 'expectationWithdrawn' || event.agentId !== agentId || event.withdrawn === 'retired') return [];
  const { expectationId, withdrawn, reason, supersededBy } = event;
  return [
    {
      expectationId,
      withdrawn,
      ...(reason !== undefined && { reason }),
      ...(supersededBy !== undefined && { supersededBy }),
    },
  ];
}
