// The naive second model of a timekeeper: every inbox record in order, every tenant looked at for every one of them.
// It must share no code with apps/timekeeper; what a tenant's input decides is the core's (and the naive model's) word.
import { decodeInbox, type LedgerEvent, type LogRecord, type RefusalTellingReported } from '#event-log';
import { compareCodePoints, decide, formatInstant, type Input, nextDeadline, State } from '#expectations';

/** What one inbox record has decided, of all tenants, in order. */
export interface Decision {
  readonly offset: number;
  readonly at: string;
  readonly events: readonly { readonly tenant: string; readonly event: LedgerEvent }[];
}

/** An input as one tenant sees it: its own, or that time has passed. */
export interface Seen {
  readonly tenant: string | null;
  readonly input: Input;
}

export class NaivePartition {
  /** Every record decided so far, for the tenants' own judgement. */
  readonly seen: Seen[] = [];
  readonly states = new Map<string, State>();
  private nowMs = -Infinity;

  decide(record: LogRecord): Decision {
    this.nowMs = Math.max(this.nowMs, record.appendedAt);
    const at = formatInstant(this.nowMs);
    const events: { tenant: string; event: LedgerEvent }[] = [];
    const tell = (tenant: string, input: Input): void => {
      for (const event of decide(this.stateOf(tenant), input)) events.push({ tenant, event });
    };
    for (const tenant of this.dueTenants()) tell(tenant, { type: 'tick', at });
    const telling = readTelling(record);
    const input: Input = telling === undefined ? readInput(record, at) : { type: 'tick', at };
    this.seen.push({ tenant: input.type === 'tick' ? null : record.tenant, input });
    if (record.tenant !== null) {
      if (telling !== undefined) {
        events.push({ tenant: record.tenant, event: { ...telling, type: 'refusalTellingEnded', at } });
      } else if (isReadable(record)) tell(record.tenant, input);
      else events.push({ tenant: record.tenant, event: { type: 'inputIgnored', at, why: '' } });
    }
    return { offset: record.offset, at, events };
  }

  /** The earliest deadline of all tenants, or undefined. */
  earliestDeadline(): number | undefined {
    const deadlines = [...this.states.values()].map(nextDeadline).filter((deadline) => deadline !== undefined);
    return deadlines.length === 0 ? undefined : Math.min(...deadlines);
  }

  private dueTenants(): string[] {
    const due = [...this.states].flatMap(([tenant, state]) => {
      const deadline = nextDeadline(state);
      return deadline !== undefined && deadline < this.nowMs ? [{ tenant, deadline }] : [];
    });
    due.sort((left, right) => left.deadline - right.deadline || compareCodePoints(left.tenant, right.tenant));
    return due.map(({ tenant }) => tenant);
  }

  private stateOf(tenant: string): State {
    const state = this.states.get(tenant) ?? new State();
    this.states.set(tenant, state);
    return state;
  }
}

/** Garbage is marked by whoever appends it: the model need not know what cannot be read. */
export const GARBAGE = 'garbage';

function isReadable(record: LogRecord): boolean {
  return !new TextDecoder().decode(record.value).includes(GARBAGE);
}

/** What the core is not told: it stands in the ledger as the dispatcher has said it. */
function readTelling(record: LogRecord): RefusalTellingReported | undefined {
  if (record.tenant === null || !isReadable(record)) return undefined;
  const input = decodeInbox(record.value);
  return input.type === 'refusalTellingReported' ? input : undefined;
}

function readInput(record: LogRecord, at: string): Input {
  if (record.tenant === null || !isReadable(record)) return { type: 'tick', at };
  return { ...decodeInbox(record.value), at } as Input;
}
