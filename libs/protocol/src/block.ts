// The extension's block as it may enter the log: its known parts, within the limits, item by item.
// It must never drop an expectation or a fact silently: what is over the limits becomes a stub the decider refuses.
import { isExpectationsUri, METADATA_KEY } from './extension.ts';
import { type ItemPart, isUsableId, itemFault, jsonBytes, limits, stubOf } from './limits.ts';
import { personalNote } from './personal.ts';
import { isList, isObject, isStorable, isWithinLength, type JsonObject } from './shape.ts';

/** A block of v1 (Expectations §8, §8.1, §9.2), its items unjudged. */
export interface Block {
  readonly expectations?: readonly unknown[];
  readonly withdraw?: readonly string[];
  readonly reason?: string;
  readonly facts?: readonly unknown[];
}

/** What the edge did to one item, or part, of a block, for whoever sent it. */
export interface BlockNote {
  /** `privacy`: only to be said; the item enters the log as it is. */
  readonly part: ItemPart | 'withdraw' | 'reason' | 'block' | 'privacy';
  /** The item's place in its list; absent for a part, and for what is only to be said. */
  readonly index?: number;
  /** JSON path from the request's item. */
  readonly path: string;
  readonly message: string;
}

export interface BlockRead {
  /** Undefined where nothing was carried. */
  readonly block: Block | undefined;
  readonly notes: readonly BlockNote[];
  /** True where a list is too long to be answered item by item: the request is to be refused whole. */
  readonly excessive: boolean;
}

const nothing: BlockRead = { block: undefined, notes: [], excessive: false };

/** The lists that a block may have. */
export const blockLists = ['expectations', 'withdraw', 'facts'] as const;

/** Reads the block out of an artifact's or message's `metadata`. `path` names the metadata in the request. */
export function readBlock(metadata: unknown, path: string): BlockRead {
  const raw = isObject(metadata) && Object.hasOwn(metadata, METADATA_KEY) ? metadata[METADATA_KEY] : undefined;
  if (raw === undefined) return { ...nothing, notes: versionNotes(metadata, path) };
  const blockPath = `${path}["${METADATA_KEY}"]`;
  if (!isObject(raw)) {
    return { ...nothing, notes: [{ part: 'block', path: blockPath, message: 'is not an object and was ignored' }] };
  }
  const reader = new BlockReader(raw, blockPath);
  return reader.excessive
    ? { ...nothing, excessive: true }
    : { block: reader.block(), notes: reader.notes, excessive: false };
}

// §15: what is carried under a version that is not understood here says nothing, and whoever sent it should know.
function versionNotes(metadata: unknown, path: string): readonly BlockNote[] {
  const uri = isObject(metadata) ? Object.keys(metadata).find(isExpectationsUri) : undefined;
  if (uri === undefined) return [];
  const message = `is of a version that is not understood and was ignored; ${METADATA_KEY} is read`;
  return [{ part: 'block', path: `${path}["${uri}"]`, message }];
}

/** Of one block. */
const personalNotesCount = 20;

/** One block's reading: what is left of its bytes, and what is to be said about it. */
class BlockReader {
  readonly notes: BlockNote[] = [];
  readonly excessive: boolean;
  private readonly raw: JsonObject;
  private readonly path: string;
  private personalCount = 0;
  private readonly left = { items: limits.blockBytes as number, stubs: limits.blockBytes as number };

  constructor(raw: JsonObject, path: string) {
    this.raw = raw;
    this.path = path;
    this.excessive = blockLists.some((part) => {
      const list = raw[part];
      return isList(list) && list.length > limits.listedItemsCount;
    });
  }

  block(): Block {
    const expectations = this.items('expectations');
    const withdraw = this.withdrawals();
    const reason = this.reason();
    const facts = this.items('facts');
    return {
      ...(expectations && { expectations }),
      ...(withdraw && { withdraw }),
      ...(reason !== undefined && { reason }),
      ...(facts && { facts }),
    };
  }

  private items(part: ItemPart): readonly unknown[] | undefined {
    return this.list(part)?.map((item, index) => {
      const fault =
        index >= limits.blockItemsCount ? 'is past the 1,000 that one block may carry' : itemFault(item, part);
      if (fault === undefined && this.take(jsonBytes(item))) {
        this.notePersonal(item, part, index);
        return item;
      }
      this.note(part, fault ?? 'is past the 512 kB that one block may carry', index);
      const stub = stubOf(item, part);
      return this.take(jsonBytes(stub), 'stubs') ? stub : null;
    });
  }

  // An id that cannot be in the record names nothing there, and what names nothing changes nothing.
  private withdrawals(): readonly string[] | undefined {
    return this.list('withdraw')?.filter((id, index): id is string => {
      const isKept = isUsableId(id) && this.take(jsonBytes(id));
      if (!isKept) this.note('withdraw', 'names nothing that could have been recorded', index);
      return isKept;
    });
  }

  private reason(): string | undefined {
    const reason = this.raw['reason'];
    if (reason === undefined) return undefined;
    if (typeof reason === 'string' && isStorable(reason) && isWithinLength(reason, limits.textCharacters))
      return reason;
    this.note('reason', 'is not a text of at most 4,000 characters and was ignored');
    return undefined;
  }

  private list(part: 'expectations' | 'withdraw' | 'facts'): readonly unknown[] | undefined {
    const value = this.raw[part];
    if (value === undefined || isList(value)) return value;
    this.note(part, 'is not a list and was ignored');
    return undefined;
  }

  // Stubs have bytes of their own: what is refused for want of room still keeps its id.
  private take(bytes: number, of: 'items' | 'stubs' = 'items'): boolean {
    if (bytes > this.left[of]) return false;
    this.left[of] -= bytes;
    return true;
  }

  // §14. A few are enough to see what is meant.
  private notePersonal(item: unknown, part: ItemPart, index: number): void {
    if (this.personalCount >= personalNotesCount) return;
    const note = personalNote(item, part);
    if (note === undefined) return;
    this.personalCount += 1;
    const path = `${this.path}.${part}[${index}].${note.path}`;
    this.notes.push({ part: 'privacy', path, message: note.message });
  }

  private note(part: BlockNote['part'], message: string, index?: number): void {
    const path = `${this.path}.${part}${index === undefined ? '' : `[${index}]`}`;
    this.notes.push({ part, path, message, ...(index !== undefined && { index }) });
  }
}
