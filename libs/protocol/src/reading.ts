// One observation's reading so far: the inputs it comes to, what is said of its items, and why it is refused.
// Of an artifact or message it keeps ids, role and the extension's block, never parts.
import type { UntimedInput } from '#event-log';
import { roleName } from './a2a-names.ts';
import { type Block, type BlockNote, readBlock } from './block.ts';
import { METADATA_KEY } from './extension.ts';
import { isUsableId, limits } from './limits.ts';
import { type JsonObject, member } from './shape.ts';

/** Why an item cannot be read at all, and where. */
export interface EdgeRefusal {
  /** JSON path in the request. */
  readonly path: string;
  readonly message: string;
}

/** What was said of one item, or part, of a block. */
export type ObservationNote = BlockNote & {
  /** Which of `inputs` the item is in; absent where it is in none. */
  readonly input?: number;
};

/** An artifact or message that carries a block, as it enters the log. */
export interface Carrier {
  readonly kept: JsonObject;
  readonly block: Block;
  readonly notes: readonly BlockNote[];
  /** JSON path of the block. */
  readonly path: string;
}

export class Reading {
  readonly refusals: EdgeRefusal[] = [];
  readonly inputs: UntimedInput[] = [];
  readonly notes: ObservationNote[] = [];

  refuse(path: string, message: string): void {
    this.refusals.push({ path, message });
  }

  /** A required id; refused, and empty, where it cannot be one. */
  id(object: JsonObject, name: string, path: string): string {
    const value = member(object, name);
    if (isUsableId(value)) return value;
    this.refuse(`${path}.${name}`, 'must be a text of 1 to 1,024 characters, without NUL or half characters');
    return '';
  }

  /** Adds an input and what is to be said of the items in it. */
  tell(input: UntimedInput, notes: readonly BlockNote[] = []): void {
    const index = this.inputs.push(input) - 1;
    this.notes.push(...notes.map((note) => ({ ...note, input: index })));
  }

  /** The artifact or message if it carries a block. */
  carrier(object: JsonObject, idName: 'artifactId' | 'messageId', path: string): Carrier | undefined {
    const { block, notes, excessive } = readBlock(member(object, 'metadata'), `${path}.metadata`);
    const blockPath = `${path}.metadata["${METADATA_KEY}"]`;
    if (excessive) {
      this.refuse(blockPath, `has a list of more than ${limits.listedItemsCount.toLocaleString('en')} items`);
    }
    if (block === undefined) {
      this.notes.push(...notes);
      return undefined;
    }
    const id = member(object, idName);
    const role = idName === 'messageId' ? roleName(member(object, 'role')) : undefined;
    const kept = {
      ...(isUsableId(id) && { [idName]: id }),
      ...(role && { role }),
      metadata: { [METADATA_KEY]: block },
    };
    return { kept, block, notes, path: blockPath };
  }
}
