// A whole list as lines of JSON. It is read page by page as the client takes it: no more is held than one page, and
// neither a transaction nor a connection while the client is slow.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Page } from '#runtime';

/** `readPage` gets the cursor of the page before; undefined for the first. What fails before the first line is thrown as ever. */
export async function sendLines<Item>(
  response: Response,
  readPage: (next: string | undefined) => Promise<Page<Item>>,
): Promise<void> {
  const first = await readPage(undefined);
  response.type('application/x-ndjson');
  try {
    await pipeline(Readable.from(linesFrom(first, readPage)), response);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

async function* linesFrom<Item>(
  first: Page<Item>,
  readPage: (next: string) => Promise<Page<Item>>,
): AsyncGenerator<string> {
  let page = first;
  for (;;) {
    if (page.items.length > 0) yield page.items.map((item) => `${JSON.stringify(item)}\n`).join('');
    if (page.next === undefined) return;
    page = await readPage(page.next);
  }
}

/** The client has gone away: nobody is left to tell. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
