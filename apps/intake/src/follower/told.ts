// What the log was told last of a task, so that an agent which says the same again and again is not recorded each time. It
// is a hint that spares the log: what is told twice is decided as a repeat.
import type { UntimedInput } from '#event-log';
import { readObservation, type StreamPart } from '#protocol';
import { hashOf } from '../content-hash.ts';

/** What was not told before. */
export interface News {
  /** Absent where none was said. */
  readonly state?: string;
  readonly statusAt?: unknown;
  /** It was told before, and the record has it otherwise. */
  readonly isRepeated?: true;
  /** Hashes of the blocks in it, all of them. */
  readonly blocks: readonly string[];
}

/** Blocks that are remembered of one task, the oldest forgotten first. */
const blocksCount = 200;
/** A refused expectation may be taken by now: a block is told again after so long. */
const blockMemoryMs = 3_600_000;

export interface Showing {
  readonly nowMs: number;
  /** The state that the record has, which another may have told. */
  readonly recorded?: string;
  /** False where what was shown earlier may come later. */
  readonly isInOrder: boolean;
}

const nobody = { name: '', sources: [] };

export class Told {
  private last: Status | undefined;
  /** By hash, when each was told. */
  private readonly blocks = new Map<string, number>();

  /**
   * Undefined where nothing in it is news: what cannot be read, or has no block and says the state of before, or what was
   * told.
   */
  newsIn(agentId: string, part: StreamPart, { nowMs, recorded, isInOrder }: Showing): News | undefined {
    const read = readObservation({ agentId, ...part }, nobody);
    if (!read.ok) return undefined;
    const blocks = read.inputs.flatMap(blockOf);
    const status = read.inputs.map(statusOf).find((said) => said !== undefined);
    const said = { blocks, ...(status !== undefined && { state: status.state, statusAt: status.statusAt }) };
    if (status !== undefined && this.isNewState(status, isInOrder)) return said;
    if (blocks.some((block) => !this.blocks.has(block))) return said;
    const isOtherwise = status !== undefined && recorded !== undefined && recorded !== status.state;
    const isLongAgo = blocks.some((block) => nowMs - (this.blocks.get(block) ?? nowMs) >= blockMemoryMs);
    return isOtherwise || isLongAgo ? { ...said, isRepeated: true } : undefined;
  }

  private isNewState(status: Status, isInOrder: boolean): boolean {
    if (status.state !== this.last?.state) return true;
    // Of one state at two instants what came between may be on its way.
    return !isInOrder && (status.statusAt === undefined || status.statusAt !== this.last.statusAt);
  }

  /** It is in the log. */
  remember({ state, statusAt, blocks }: News, nowMs: number): void {
    if (state !== undefined) this.last = { state, statusAt };
    for (const block of blocks) {
      this.blocks.delete(block);
      this.blocks.set(block, nowMs);
    }
    for (const oldest of this.blocks.keys()) {
      if (this.blocks.size <= blocksCount) break;
      this.blocks.delete(oldest);
    }
  }
}

interface Status {
  readonly state: string;
  readonly statusAt: unknown;
}

function statusOf(input: UntimedInput): Status | undefined {
  if (input.type !== 'statusObserved' || typeof input.state !== 'string') return undefined;
  return { state: input.state, statusAt: input.statusAt };
}

function blockOf(input: UntimedInput): readonly string[] {
  switch (input.type) {
    case 'artifactObserved':
      return [hashOf(input.artifact)];
    case 'statusObserved':
      return input.message === undefined ? [] : [hashOf(input.message)];
    case 'factsReported':
      return [hashOf(input.facts)];
    default:
      return [];
  }
}
