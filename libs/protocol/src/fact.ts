// The edge for facts (Expectations §9.2): from the facts of one body to reports for the log, in order.
// It must never judge a fact's form: a malformed one is refused by the decider, in the record.
import { parseInstant, type UntimedInput } from '#expectations';
import { isUsableId, itemFault, jsonBytes, limits, stubOf } from './limits.ts';
import { personalNote } from './personal.ts';
import { type Principal, reporterOf } from './reporter.ts';
import { isObject } from './shape.ts';

export type FactsReportedInput = Extract<UntimedInput, { type: 'factsReported' }>;

/** How far from its receipt an `observedAt` is believed (semantics, *Facts*). */
export interface PlausibilityWindow {
  /** The receipt, epoch milliseconds. */
  readonly nowMs: number;
  readonly aheadMs: number;
  readonly behindMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The default window: 10 minutes ahead, 90 days behind. */
export function plausibleAround(nowMs: number): PlausibilityWindow {
  return { nowMs, aheadMs: 10 * MINUTE_MS, behindMs: 90 * DAY_MS };
}

/** What the edge did with one fact. */
export type FactRead =
  | {
      readonly outcome: 'told';
      /** Which of `inputs`, and the place in its `facts`. */
      readonly input: number;
      readonly index: number;
      /** Why the decider will refuse it, where only a stub of it was told. */
      readonly message?: string;
      /** What is to be said of it all the same (§14). */
      readonly warning?: string;
    }
  | {
      readonly outcome: 'refused';
      readonly code: 'invalid' | 'source_not_allowed';
      readonly path: string;
      readonly message: string;
    }
  | {
      readonly outcome: 'quarantined';
      readonly reporter: string;
      readonly fact: unknown;
      readonly path: string;
      readonly message: string;
    };

export interface FactsRead {
  /** Reports of at most 500 facts, one reporter each, in the order of the body. */
  readonly inputs: readonly FactsReportedInput[];
  /** One a fact, in the order of the body. */
  readonly facts: readonly FactRead[];
}

export interface FactsOptions {
  /** The JSON path of the list; `$` unless told. */
  readonly path?: string;
  /** Without it every instant is believed. */
  readonly plausible?: PlausibilityWindow;
}

/** Reads the facts that a principal sends. Never reorders, never joins facts of different reporters. */
export function readFacts(facts: readonly unknown[], principal: Principal, options: FactsOptions = {}): FactsRead {
  const reading = new FactsReading(principal, options);
  for (const fact of facts) reading.add(fact);
  return { inputs: reading.inputs, facts: reading.facts };
}

/** The same, one after the other: many facts take a while to read. */
export class FactsReading implements FactsRead {
  readonly facts: FactRead[] = [];
  private readonly reports = new Reports();

  constructor(
    private readonly principal: Principal,
    private readonly options: FactsOptions = {},
  ) {}

  get inputs(): readonly FactsReportedInput[] {
    return this.reports.inputs;
  }

  add(fact: unknown): void {
    this.facts.push(this.read(fact, `${this.options.path ?? '$'}[${this.facts.length}]`));
  }

  private read(fact: unknown, path: string): FactRead {
    const { principal, options, reports } = this;
    const claim = reporterOf(fact, principal);
    if ('refused' in claim) {
      return { outcome: 'refused', code: claim.code, path: `${path}.source`, message: claim.refused };
    }
    const fault = itemFault(fact, 'facts');
    if (fault !== undefined) {
      // The source may be what is wrong with it.
      const reporter = isUsableId(claim.reporter) ? claim.reporter : principal.name;
      return { outcome: 'told', ...reports.tell(reporter, stubOf(fact, 'facts')), message: fault };
    }
    const oddity = options.plausible && implausibility(fact, options.plausible);
    if (oddity !== undefined) {
      return { outcome: 'quarantined', reporter: claim.reporter, fact, path: `${path}.observedAt`, message: oddity };
    }
    const note = personalNote(fact, 'facts');
    const warning = note === undefined ? {} : { warning: `${note.path} ${note.message}` };
    return { outcome: 'told', ...reports.tell(claim.reporter, fact), ...warning };
  }
}

/** Why the instant is not believed; undefined where it is, or where it is no instant (the decider says so). */
export function implausibility(fact: unknown, window: PlausibilityWindow): string | undefined {
  const observedAt = isObject(fact) ? parseInstant(fact['observedAt']) : NaN;
  if (observedAt > window.nowMs + window.aheadMs) {
    return `observedAt is more than ${window.aheadMs / MINUTE_MS} minutes ahead of its receipt`;
  }
  if (observedAt < window.nowMs - window.behindMs) {
    const behind = `observedAt is more than ${window.behindMs / DAY_MS} days behind its receipt`;
    return isWithin(observedAt * 1_000, window) ? `${behind}: seconds may have been taken for milliseconds` : behind;
  }
  return undefined;
}

function isWithin(instant: number, { nowMs, aheadMs, behindMs }: PlausibilityWindow): boolean {
  return instant <= nowMs + aheadMs && instant >= nowMs - behindMs;
}

/** The reports made so far; the last one takes the next fact while reporter, count and bytes allow. */
class Reports {
  readonly inputs: (FactsReportedInput & { readonly facts: unknown[] })[] = [];
  private bytes = 0;

  tell(reporter: string, fact: unknown): { readonly input: number; readonly index: number } {
    const bytes = jsonBytes(fact);
    let last = this.inputs.at(-1);
    const isFull = last !== undefined && last.facts.length >= limits.reportFactsCount;
    if (last === undefined || last.reporter !== reporter || isFull || this.bytes + bytes > limits.blockBytes) {
      last = { type: 'factsReported', reporter, facts: [] };
      this.inputs.push(last);
      this.bytes = 0;
    }
    this.bytes += bytes;
    return { input: this.inputs.length - 1, index: last.facts.push(fact) - 1 };
  }
}
