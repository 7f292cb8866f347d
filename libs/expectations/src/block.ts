// The extension's block in the metadata of an artifact or a message: three lists, applied in this order.
import { type Content, isContent } from './raised.ts';

/** The extension's URI, which keys the block (§8). */
export const EXTENSION_URI = 'https://rsaxb.com/a2a/expectations/v1';

export interface Block {
  readonly expectations: readonly unknown[];
  readonly withdraw: readonly unknown[];
  readonly reason: string | undefined;
  readonly facts: readonly unknown[];
}

const none: readonly unknown[] = [];

/** The block a carrier (artifact or message) holds, if any. A part that is not a list counts as empty. */
export function readBlock(carrier: unknown): Block | undefined {
  const metadata = isContent(carrier) ? carrier['metadata'] : undefined;
  const block = isContent(metadata) ? metadata[EXTENSION_URI] : undefined;
  if (!isContent(block)) return undefined;
  return {
    expectations: list(block, 'expectations'),
    withdraw: list(block, 'withdraw'),
    reason: typeof block['reason'] === 'string' ? block['reason'] : undefined,
    facts: list(block, 'facts'),
  };
}

function list(block: Content, part: string): readonly unknown[] {
  const value = block[part];
  return Array.isArray(value) ? (value as readonly unknown[]) : none;
}
