// What reading one observation gathers: inputs for the log, notes, facts that are not believed, and what is wrong.
// It must never hold a part of an artifact or message beside its ids and its block.
import type { UntimedInput } from '#expectations';
import { roleName } from './a2a-names.ts';
import { type Block, type BlockNote, readBlock } from './block.ts';
import { METADATA_KEY } from './extension.ts';
import type { PlausibilityWindow } from './fact.ts';
import { believe, type ImplausibleReport } from './implausible-facts.ts';
import { isUsableId, limits } from './limits.ts';
import { reporterOfAgent } from './reporter.ts';
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

/** An agent's fact that was kept out of `inputs`. */
export type KeptOut = ImplausibleReport & {
  /** Which of `inputs` the rest of its list is in; absent where nothing of it is in any. */
  readonly input?: number;
};

/** An artifact or message that carries a block, as it enters the log. */
export interface Carrier {
  readonly kept: JsonObject;
  readonly block: Block;
  readonly notes: readonly BlockNote[];
  readonly implausible: readonly ImplausibleReport[];
  /** JSON path of the block. */
  readonly path: string;
}

export class Reading {
  readonly refusals: EdgeRefusal[] = [];
  readonly inputs: UntimedInput[] = [];
  readonly notes: ObservationNote[] = [];
  readonly keptOut: KeptOut[] = [];
  private readonly window: PlausibilityWindow | undefined;

  /** Without a window every instant is believed. */
  constructor(window?: PlausibilityWindow) {
    this.window = window;
  }

  /** Past a bound it is only said that there is more. */
  refuse(path: string, message: string): void {
    if (this.refusals.length > limits.refusalsCount) return;
    const isLast = this.refusals.length === limits.refusalsCount;
    this.refusals.push(isLast ? { path, message: 'is wrong too, and there may be more' } : { path, message });
  }

  /** A required id; refused, and empty, where it cannot be one. */
  id(object: JsonObject, name: string, path: string): string {
    const value = member(object, name);
    if (isUsableId(value)) return value;
    this.refuse(`${path}.${name}`, 'must be a text of 1 to 1,024 characters, without NUL or half characters');
    return '';
  }

  /** Adds an input and what is to be said of the items in it. */
  tell(input: UntimedInput, carrier?: Pick<Carrier, 'notes' | 'implausible'>): void {
    const index = this.inputs.push(input) - 1;
    for (const note of carrier?.notes ?? []) this.notes.push({ ...note, input: index });
    for (const report of carrier?.implausible ?? []) this.keptOut.push({ ...report, input: index });
  }

  /** The artifact or message if it carries a block. Where it is an agent's own word, `agentId` says whose. */
  carrier(
    object: JsonObject,
    idName: 'artifactId' | 'messageId',
    path: string,
    agentId: string | undefined,
  ): Carrier | undefined {
    const read = readBlock(member(object, 'metadata'), `${path}.metadata`);
    const blockPath = `${path}.metadata["${METADATA_KEY}"]`;
    if (read.excessive) {
      this.refuse(blockPath, `has a list of more than ${limits.listedItemsCount.toLocaleString('en')} items`);
    }
    if (read.block === undefined) {
      this.notes.push(...read.notes);
      return undefined;
    }
    const { block, notes, implausible } = believe(
      { block: read.block, notes: read.notes },
      {
        reporter: reporterOfAgent(agentId ?? ''),
        path: blockPath,
        window: agentId === undefined ? undefined : this.window,
      },
    );
    return { kept: keptOf(object, idName, block), block, notes, implausible, path: blockPath };
  }
}

function keptOf(object: JsonObject, idName: 'artifactId' | 'messageId', block: Block): JsonObject {
  const id = member(object, idName);
  const role = idName === 'messageId' ? roleName(member(object, 'role')) : undefined;
  return {
    ...(isUsableId(id) && { [idName]: id }),
    ...(role && { role }),
    metadata: { [METADATA_KEY]: block },
  };
}
