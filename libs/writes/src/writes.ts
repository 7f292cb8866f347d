// How an edge tells the log something and answers with what was decided. It must never answer from anything but the ledger.
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import {
  type Appended,
  encodeInbox,
  type EventLog,
  formatPosition,
  type NewRecord,
  parsePosition,
  partitionOf,
  type Position,
  type ReminderReported,
  type UntimedInput,
} from '#event-log';
import {
  CLOCK,
  type Clock,
  EVENT_LOG,
  fairTurns,
  Problem,
  type ShareAnswer,
  type Shares,
  sliceBytes,
  TenantShares,
  TenantTurns,
} from '#runtime';
import { answerWrite, type WriteAnswer, type WritePlan } from './answers/write-answer.ts';
import type { DecidedWrite } from './decided.ts';
import { findDecisions, type WritePlace } from './find-decisions.ts';
import { LedgerTail, type TailTicket } from './ledger-tail.ts';
import { UnansweredWrites } from './unanswered-writes.ts';

export const UNDECIDED_SHARES = Symbol('UndecidedShares');

/** One request's inputs, a record each, and how they relate to what the client sent. */
export interface Write {
  readonly tenant: string;
  readonly inputs: readonly UntimedInput[];
  readonly plan: WritePlan;
  readonly waitMs: number;
}

@Injectable()
export class Writes implements OnModuleDestroy {
  private readonly logger = new Logger(Writes.name);
  private readonly tails = new Map<number, LedgerTail>();
  private readonly undecided: TenantShares;
  /** Of what nobody waits for an answer to: it must not be what others are refused for. */
  private readonly told = new TenantShares(toldShares);
  /** What was decided long ago is read from the log, of which everybody needs a connection. */
  private readonly turns = new TenantTurns({ running: 2, waiting: 100 });
  /** By the position of a write that is not decided. */
  private readonly searchedTo = new Map<string, number>();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly unanswered: UnansweredWrites,
    @Inject(UNDECIDED_SHARES) shares: Shares,
  ) {
    this.undecided = new TenantShares(shares);
  }

  /** Appends and waits. Throws `LogUnavailableError` only where the append was not made, and `Problem` as `answerWrite` does. */
  async submit(write: Write): Promise<WriteAnswer> {
    if (write.inputs.length === 0) return answerWrite(write.plan, [], undefined);
    const { records, bytes } = await recordsOf(write);
    const free = this.admit(write.tenant, bytes);
    const partition = partitionOf(write.tenant, this.log.partitionCount);
    const { ticket, appended } = await this.append(partition, records, free);
    const position = positionOf(appended);
    const decided = await ticket.decisions(write.tenant, appended.offsets, write.waitMs, free);
    if (decided.isComplete) return answerWrite(write.plan, eventsOf(decided, appended.offsets), position);
    await this.keep(write, position, { offsets: appended.offsets, ledgerFrom: ticket.ledgerFrom, plan: write.plan });
    return undecided(position);
  }

  /**
   * Appends what nobody waits for an answer to; resolves once it is durable. False, and nothing is appended, while too much
   * that was told so is not decided yet. Throws `LogUnavailableError`, after which it may be in the log or not.
   */
  async tell(tenant: string, inputs: readonly (UntimedInput | ReminderReported)[]): Promise<boolean> {
    const records = inputs.map((input) => ({ tenant, value: encodeInbox(input) }));
    const bytes = records.reduce((sum, { value }) => sum + value.length, 0);
    if (this.told.take(tenant, bytes) !== 'taken') return false;
    const free = (): void => this.told.free(tenant, bytes);
    const { ticket, appended } = await this.append(partitionOf(tenant, this.log.partitionCount), records, free);
    void ticket.decisions(tenant, appended.offsets, 0, free);
    return true;
  }

  /**
   * The answer to a write that was answered 202; of any other input of the tenant, what was decided of it. Throws
   * `Problem` where there is none, and as `answerWrite` does.
   */
  async answerLater(tenant: string, position: string): Promise<WriteAnswer> {
    const place = parsePosition(position);
    const partition = partitionOf(tenant, this.log.partitionCount);
    if (place?.partition !== partition) throw unknownPosition();
    const kept = await this.unanswered.find(tenant, position);
    if (kept === undefined && !(await this.isInputOf(tenant, place))) throw unknownPosition();
    const offsets = kept?.offsets ?? [place.offset];
    const decided = await this.find(position, { partition, tenant, offsets, ledgerFrom: kept?.ledgerFrom ?? 0 });
    if (!decided.isComplete) return undecided(position);
    const events = eventsOf(decided, offsets);
    return kept === undefined
      ? { kind: 'taken', body: { position, events: events.flat() } }
      : answerWrite(kept.plan, events, position);
  }

  /** Whoever asks again and again for what is held does not read the ledger from there again. */
  private async find(position: string, place: Omit<WritePlace, 'searchedTo'>): Promise<DecidedWrite> {
    const searchedTo = this.searchedTo.get(position) ?? 0;
    const found = await this.turns.within(place.tenant, () => findDecisions(this.log, { ...place, searchedTo }));
    this.searchedTo.delete(position);
    if (!found.write.isComplete) this.searchedTo.set(position, found.searchedTo);
    for (const oldest of this.searchedTo.keys()) {
      if (this.searchedTo.size <= mostSearched) break;
      this.searchedTo.delete(oldest);
    }
    return found.write;
  }

  /** Another tenant's input may have brought this one's deadlines up: only the record itself says whose it is. */
  private async isInputOf(tenant: string, { partition, offset }: Position): Promise<boolean> {
    const [record] = await this.log.read('inbox', partition, { from: offset, limit: 1 });
    return record?.offset === offset && record.tenant === tenant;
  }

  /** Whether something small would be let in by `tell` now. */
  hasRoomToTell(tenant: string): boolean {
    return this.told.look(tenant, 1) === 'taken';
  }

  /** Throws `Problem` where a write of about so many bytes would not be let in now. */
  assertRoom(tenant: string, bytes: number): void {
    assertTaken(this.undecided.look(tenant, bytes));
  }

  /** What of all tenants is in the log, through this process, and not known to be decided. */
  get undecidedTotal(): { readonly bytes: number; readonly count: number } {
    return this.undecided.total;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.tails.values()].map((tail) => tail.close()));
  }

  /** What a tenant has in the log and not decided is bounded: whoever shares its partition waits for all of it. */
  private admit(tenant: string, bytes: number): () => void {
    assertTaken(this.undecided.take(tenant, bytes));
    return () => this.undecided.free(tenant, bytes);
  }

  private async append(
    partition: number,
    records: readonly NewRecord[],
    free: () => void,
  ): Promise<{ readonly ticket: TailTicket; readonly appended: Appended }> {
    let ticket: TailTicket | undefined;
    try {
      ticket = await this.tail(partition).join();
      return { ticket, appended: await this.log.append(partition, records) };
    } catch (error) {
      ticket?.leave();
      free();
      throw error;
    }
  }

  /** The write is in the log either way, so the client is told so even where its later answer cannot be kept. */
  private async keep(write: Write, position: string, kept: Parameters<UnansweredWrites['keep']>[2]): Promise<void> {
    try {
      await this.unanswered.keep(write.tenant, position, kept);
    } catch (error) {
      this.logger.error(`the write at ${position} cannot be answered later: ${String(error)}`);
    }
  }

  private tail(partition: number): LedgerTail {
    const tail = this.tails.get(partition) ?? new LedgerTail(this.log, this.clock, partition);
    this.tails.set(partition, tail);
    return tail;
  }
}

/** Of so many undecided writes it is known how far they were searched for. */
const mostSearched = 1_000;

/** Bytes that one write may have in the log. Ids stand in every record of it, so a small body could have very many. */
const maxWriteBytes = 32_000_000;

/** What may be in the log and not decided: of a tenant so little that it is decided within seconds. */
export const undecidedShares: Shares = {
  ...{ tenantBytes: 16_000_000, tenantCount: 10_000 },
  ...{ allBytes: 256_000_000, allCount: 50_000 },
};

/** The same of what nobody waits for: a feed goes on as fast as it is decided, with so much ahead of it. */
const toldShares: Shares = {
  ...{ tenantBytes: 4_000_000, tenantCount: 1_000 },
  ...{ allBytes: 64_000_000, allCount: 20_000 },
};

function assertTaken(answer: ShareAnswer): void {
  if (answer === 'taken') return;
  throw answer === 'tenantFull'
    ? new Problem('tenant-overloaded', 'too much that your tenant has sent is not decided yet: send it again')
    : new Problem('overloaded', 'too much is not decided yet: send it again');
}

async function recordsOf({ tenant, inputs }: Write): Promise<{ records: readonly NewRecord[]; bytes: number }> {
  const records: NewRecord[] = [];
  let bytes = 0;
  let turnAt = sliceBytes;
  for (const input of inputs) {
    const value = encodeInbox(input);
    bytes += value.length;
    if (bytes > maxWriteBytes) {
      const detail = `what it says takes more than ${maxWriteBytes} bytes in the log: send it in parts`;
      throw new Problem('body-too-large', detail);
    }
    records.push({ tenant, value });
    if (bytes < turnAt) continue;
    await fairTurns.next(tenant);
    turnAt = bytes + sliceBytes;
  }
  return { records, bytes };
}

function positionOf({ partition, offsets }: Appended): string {
  return formatPosition({ partition, offset: offsets.at(-1) ?? 0 });
}

function eventsOf(decided: DecidedWrite, offsets: readonly number[]) {
  return offsets.map((offset) => decided.events.get(offset) ?? []);
}

function unknownPosition(): Problem {
  return new Problem('not-found', 'nothing of yours is known at this position');
}

function undecided(position: string): WriteAnswer {
  return { kind: 'undecided', body: { position }, location: `/v1/decisions/${position}` };
}
