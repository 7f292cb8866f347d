// What the log was told last of a task, so that an agent which says the same again and again is not recorded each time. It
// is a hint that spares the log: what is told twice is decided as a repeat.
import { createHash } from 'node:crypto';
import type { UntimedInput } from '#event-log';
import { readObservation, type StreamPart } from '#protocol';

/** What was not told before. */
export interface News {
  /** Absent where none was said. */
  readonly state?: string;
  /** It was told before, and the record has it otherwise. */
  readonly isRepeated?: true;
  /** Hashes of the blocks in it, all of them. */
  readonly blocks: readonly string[];
}

/** Blocks that are remembered of one task, the oldest forgotten first. */
const blocksCount = 200;

const nobody = { name: '', sources: [] };

export class Told {
  private state: string | undefined;
  private readonly blocks = new Set<string>();

  /**
   * Undefined where nothing in it is news: what cannot be read, or has no block and says the state of before, or what was
   * told. `recorded` is the state that the record has, which another may have told.
   */
  newsIn(agentId: string, part: StreamPart, recorded?: string): News | undefined {
    const read = readObservation({ agentId, ...part }, nobody);
    if (!read.ok) return undefined;
    const blocks = read.inputs.flatMap(blockOf);
    const state = read.inputs.map(stateOf).find((said) => said !== undefined);
    const said = { blocks, ...(state !== undefined && { state }) };
    if ((state !== undefined && state !== this.state) || blocks.some((block) => !this.blocks.has(block))) return said;
    const isOtherwise = state !== undefined && recorded !== undefined && recorded !== state;
    return isOtherwise ? { ...said, isRepeated: true } : undefined;
  }

  /** It is in the log. */
  remember({ state, blocks }: News): void {
    this.state = state ?? this.state;
    for (const block of blocks) {
      this.blocks.delete(block);
      this.blocks.add(block);
    }
    for (const oldest of this.blocks) {
      if (this.blocks.size <= blocksCount) break;
      this.blocks.delete(oldest);
    }
  }
}

function stateOf(input: UntimedInput): string | undefined {
  return input.type === 'statusObserved' && typeof input.state === 'string' ? input.state : undefined;
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

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
