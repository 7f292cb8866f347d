// Which lapses wait to become tasks, and from when on each may be tried: a fold of what the core decides.
import {
  defaultSettings,
  type Event,
  type ExpectationLapsed,
  type LapseKind,
  parseDuration,
  parseInstant,
} from '#expectations';

/** A lapse that is to be submitted. */
export interface DueLapse {
  readonly lapsed: ExpectationLapsed;
  /** How often it was tried. */
  readonly attemptsCount: number;
  readonly fromMs: number;
}

const settleMs = parseDuration(defaultSettings.skippedSettleTime)?.ms ?? 0;
const firstWaitMs = 1_000;
const longestWaitMs = 300_000;

export class DueLapses {
  private readonly waiting = new Map<string, DueLapse>();

  /** Those that were waiting when a checkpoint was made. */
  restore(waiting: readonly DueLapse[]): void {
    for (const due of waiting) this.waiting.set(keyOf(due.lapsed.expectationId, due.lapsed.lapse.lapse), due);
  }

  /** The earliest first. */
  get all(): readonly DueLapse[] {
    return [...this.waiting.values()].toSorted((one, other) => one.fromMs - other.fromMs);
  }

  fold(event: Event): void {
    switch (event.type) {
      case 'expectationLapsed': {
        // Feeds race: the fact of a skipped step is given the time to come, too.
        const fromMs = parseInstant(event.at) + (event.lapse.lapse === 'skipped' ? settleMs : 0);
        this.waiting.set(keyOf(event.expectationId, event.lapse.lapse), { lapsed: event, attemptsCount: 0, fromMs });
        return;
      }
      case 'dispatchAttempted':
        this.update(event.expectationId, event.lapse, (due) => ({ ...due, attemptsCount: event.attempt }));
        return;
      case 'dispatchFailed': {
        const waitMs = Math.min(firstWaitMs * 2 ** (event.attempt - 1), longestWaitMs);
        this.update(event.expectationId, event.lapse, (due) => ({ ...due, fromMs: parseInstant(event.at) + waitMs }));
        return;
      }
      case 'dispatchAcknowledged':
      case 'dispatchVoided':
        this.waiting.delete(keyOf(event.expectationId, event.lapse));
        return;
      default:
    }
  }

  private update(expectationId: string, lapse: LapseKind, change: (due: DueLapse) => DueLapse): void {
    const due = this.waiting.get(keyOf(expectationId, lapse));
    if (due !== undefined) this.waiting.set(keyOf(expectationId, lapse), change(due));
  }
}

function keyOf(expectationId: string, lapse: LapseKind): string {
  return `${lapse}:${expectationId}`;
}
