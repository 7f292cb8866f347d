// A vector through the core at virtual time: no log, no clock, no services.
import { decide } from './decide.ts';
import type { Event, LapseBlock } from './event.ts';
import type { Input } from './input.ts';
import { compareCodePoints } from './order.ts';
import type { RefusalCode } from './refusal.ts';
import { State } from './state/state.ts';
import { assert } from './unreachable.ts';

/** One vector: settings, and inputs in log order. */
export interface Vector {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly inputs: readonly Input[];
}

/** An expectation as a vector's `expected.records` shows it. */
export interface VectorRecord {
  readonly agentId: string;
  readonly expectationId: string;
  status: 'open' | 'satisfied' | 'withdrawn';
  readonly projectedDueAt: string;
  dueAt: string;
  readonly lineage: number;
  readonly lapses: string[];
  satisfiedAt?: string;
  observedAt?: string;
  source?: string;
  late?: boolean;
  reportedLate?: boolean;
  withdrawn?: string;
  supersededBy?: string;
  /** True, or absent. */
  suspended?: true;
}

export interface VectorLapse {
  readonly agentId: string;
  readonly contextId: string;
  readonly taskId: string;
  readonly messageId: string;
  readonly lapse: LapseBlock;
}

export interface VectorRefusal {
  readonly agentId: string;
  readonly expectationId: string | null;
  readonly code: RefusalCode;
}

/** In the shape of a vector's `expected`. */
export interface Outcome {
  readonly records: readonly VectorRecord[];
  readonly lapses: readonly VectorLapse[];
  readonly refusals: readonly VectorRefusal[];
}

/** Decides every input of a vector in order. Throws where an input's `at` is no instant. */
export function simulate(vector: Vector): Outcome {
  const state = new State();
  const outcome = new OutcomeFold();
  const { config, inputs } = vector;
  const first = inputs[0];
  if (config !== undefined && first !== undefined)
    decide(state, { type: 'configured', at: first.at, settings: config });
  for (const input of inputs) for (const event of decide(state, input)) outcome.apply(event);
  return outcome.result();
}

/** The outcome as a fold of the events. */
class OutcomeFold {
  private readonly records: VectorRecord[] = [];
  private readonly latest = new Map<string, VectorRecord>();
  private readonly lapses: VectorLapse[] = [];
  private readonly refusals: VectorRefusal[] = [];

  apply(event: Event): void {
    switch (event.type) {
      case 'expectationRecorded':
        this.recorded(event);
        return;
      case 'expectationSuspended':
        this.of(event).suspended = true;
        return;
      case 'expectationReleased':
        delete this.of(event).suspended;
        return;
      case 'expectationReanchored':
        this.of(event).dueAt = event.dueAt;
        delete this.of(event).suspended;
        return;
      case 'expectationSatisfied': {
        delete this.of(event).suspended;
        const { satisfiedAt, observedAt, source, late, reportedLate } = event;
        Object.assign(this.of(event), { status: 'satisfied', satisfiedAt, observedAt, source, late, reportedLate });
        return;
      }
      case 'expectationWithdrawn': {
        delete this.of(event).suspended;
        const { withdrawn, supersededBy } = event;
        Object.assign(
          this.of(event),
          { status: 'withdrawn', withdrawn },
          supersededBy === undefined ? {} : { supersededBy },
        );
        return;
      }
      case 'expectationLapsed': {
        const { agentId, contextId, taskId, messageId, lapse } = event;
        this.of(event).lapses.push(lapse.lapse);
        this.lapses.push({ agentId, contextId, taskId, messageId, lapse });
        return;
      }
      case 'expectationRefused':
        if (event.reported)
          this.refusals.push({ agentId: event.agentId, expectationId: event.expectationId, code: event.code });
        return;
      default:
    }
  }

  result(): Outcome {
    const records = this.records.sort(
      (left, right) =>
        compareCodePoints(left.agentId, right.agentId) || compareCodePoints(left.expectationId, right.expectationId),
    );
    return { records, lapses: this.lapses, refusals: this.refusals };
  }

  private recorded(event: Event & { readonly type: 'expectationRecorded' }): void {
    const { agentId, expectationId, projectedDueAt, dueAt, lineage } = event;
    const record: VectorRecord = { agentId, expectationId, status: 'open', projectedDueAt, dueAt, lineage, lapses: [] };
    this.records.push(record);
    this.latest.set(keyOf(event), record);
  }

  private of(event: { readonly agentId: string; readonly expectationId: string }): VectorRecord {
    const record = this.latest.get(keyOf(event));
    assert(record !== undefined, 'an event speaks of what was recorded');
    return record;
  }
}

function keyOf(event: { readonly agentId: string; readonly expectationId: string }): string {
  return JSON.stringify([event.agentId, event.expectationId]);
}
