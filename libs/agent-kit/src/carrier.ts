// The artifact or message that carries a block (Expectations §8), as A2A's JSON or the SDK's form has it.
import { type Block, EXTENSION_URI, METADATA_KEY, readBlock } from '#protocol/pure';

export interface Carrier {
  metadata?: { readonly [name: string]: unknown } | undefined;
  extensions?: readonly string[];
}

/** A block could not be carried whole: a bug of the kit. */
class BlockCutError extends Error {
  override readonly name = 'BlockCutError';
}

/** The carrier with the block and the extension's URI on it, besides what it had. */
export function carriedBy<Carried extends object>(carrier: Carried & Carrier, block: Block): Carried {
  const metadata = { ...carrier.metadata, [METADATA_KEY]: block };
  const cut = readBlock(metadata, 'metadata').notes.find(({ part }) => part !== 'privacy');
  if (cut !== undefined) throw new BlockCutError(`${cut.path} ${cut.message}`);
  const extensions = [...new Set([...(carrier.extensions ?? []), EXTENSION_URI])];
  return { ...carrier, metadata, extensions };
}
