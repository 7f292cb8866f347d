// A journal as text: a heading, then lines of JSON, each behind its checksum. What is appended together is one line, so that a
// crash leaves all of it or none. Pure.
import { crc32 } from 'node:zlib';
import type { Input, SnapshotPart } from '#expectations';
import type { Checkpoint, JournalContent } from './timing-journal.ts';

/** What stands in the file cannot be what was written. It must be put right by a person: what is expected depends on it. */
export class JournalCorruptError extends Error {
  override readonly name = 'JournalCorruptError';
  readonly retryable = false;

  constructor(
    /** From 1. */
    readonly line: number,
    reason: string,
  ) {
    super(`line ${line} of the journal ${reason}`);
  }
}

type Line =
  | { readonly inputs: readonly Input[] }
  | { readonly checkpoint: Omit<Checkpoint, 'state'> & { readonly partsCount: number } }
  | { readonly part: SnapshotPart };

export const heading = 'duewatch-timing-journal 1\n';

export function linesOfInputs(inputs: readonly Input[]): Buffer {
  return Buffer.from(encoded({ inputs }));
}

/** The whole of a journal that begins with the checkpoint. */
export function linesOfCheckpoint({ state, ...checkpoint }: Checkpoint): Buffer {
  const lines = [{ checkpoint: { ...checkpoint, partsCount: state.length } }, ...state.map((part) => ({ part }))];
  return Buffer.from(heading + lines.map(encoded).join(''));
}

export interface ReadLines {
  readonly content: JournalContent;
  /** How many bytes of it are whole; what comes after them was cut by a crash, and is as if it had not been. */
  readonly wholeBytes: number;
}

/** Throws a `JournalCorruptError`. Only the last line can have been cut, or have come in parts: nobody waits for it any more. */
export function readLines(bytes: Buffer): ReadLines {
  if (bytes.length < heading.length && heading.startsWith(bytes.toString('latin1'))) {
    return { content: { inputs: [] }, wholeBytes: 0 };
  }
  if (!bytes.toString('latin1', 0, heading.length).startsWith(heading)) {
    throw new JournalCorruptError(1, 'is not the heading of one that this version writes');
  }
  const lines: Line[] = [];
  let at = heading.length;
  for (let end = bytes.indexOf(0x0a, at); end !== -1; end = bytes.indexOf(0x0a, at)) {
    const line = decoded(bytes.subarray(at, end));
    if (line === undefined) {
      if (bytes.indexOf(0x0a, end + 1) === -1) break;
      throw new JournalCorruptError(lines.length + 2, 'is not what was written');
    }
    lines.push(line);
    at = end + 1;
  }
  return { content: contentOf(lines), wholeBytes: at };
}

function contentOf(lines: readonly Line[]): JournalContent {
  const [first] = lines;
  const checkpoint = first !== undefined && 'checkpoint' in first ? first.checkpoint : undefined;
  const begun = checkpoint === undefined ? 0 : checkpoint.partsCount + 1;
  const state = lines.slice(1, begun).flatMap((line) => ('part' in line ? [line.part] : []));
  // A checkpoint is kept whole before it takes the place of anything.
  if (checkpoint !== undefined && state.length < checkpoint.partsCount) {
    throw new JournalCorruptError(state.length + 3, 'is no part of the checkpoint, which has more');
  }
  const inputs = lines.slice(begun).flatMap((line, index) => {
    if ('inputs' in line) return line.inputs;
    throw new JournalCorruptError(begun + index + 2, 'is of no kind that is known here');
  });
  if (checkpoint === undefined) return { inputs };
  const { partsCount: _, ...read } = checkpoint;
  return { checkpoint: { ...read, state }, inputs };
}

function encoded(line: Line): string {
  const json = JSON.stringify(line);
  return `${checksumOf(json)} ${json}\n`;
}

function decoded(bytes: Buffer): Line | undefined {
  const text = bytes.toString();
  const json = text.slice(9);
  return text.slice(0, 9) === `${checksumOf(json)} ` ? (JSON.parse(json) as Line) : undefined;
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}
