// The bodies that handlers get: one JSON value, or items from one, an array or lines. It must never judge their content.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from '../problem/problem.ts';
import type { Caller } from '../caller.ts';
import { fairTurns } from '../fair-turns.ts';
import { parseJson, parseJsonInTurns } from './json-text.ts';
import { maxItemCount, maxLineBytes, sliceBytes } from './limits.ts';
import { readBytes } from './read-bytes.ts';

/** One item of a body: its value, or why its line cannot be read. */
export type BodyItem = { readonly value: unknown } | { readonly refused: string };

export interface BodyItems {
  /** True where the body is one JSON value that is no array. */
  readonly single: boolean;
  readonly items: readonly BodyItem[];
}

const jsonType = /^application\/([\w.-]+\+)?json$/;
const linesType = /^application\/(x-)?ndjson$/;

/** Injects the body as one JSON value. */
export const JsonBody = createParamDecorator(async (_: unknown, context: ExecutionContext): Promise<unknown> => {
  const request = context.switchToHttp().getRequest<Request>();
  if (!jsonType.test(mediaTypeOf(request))) throw wrongMediaType('application/json');
  return wholeValue(await readBytes(request, context.switchToHttp().getResponse<Response>()), request);
});

/** Injects the body as `BodyItems`: one, an array, or (with `lines`) NDJSON. */
export const ItemsBody = createParamDecorator(
  async (options: { readonly lines: boolean }, context: ExecutionContext): Promise<BodyItems> => {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const type = mediaTypeOf(request);
    if (options.lines && linesType.test(type)) return lineItems(await readBytes(request, response), request);
    if (!jsonType.test(type)) {
      throw wrongMediaType(options.lines ? 'application/json or application/x-ndjson' : 'application/json');
    }
    return valueItems(await wholeValue(await readBytes(request, response), request));
  },
);

/** The type in small letters. Throws `Problem` where the body is said to be in another charset than UTF-8. */
export function mediaTypeOf(request: Request): string {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/.exec(each)?.[1]).find(Boolean);
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/.test(charset)) {
    throw new Problem('unsupported-media-type', `the charset must be utf-8, not ${JSON.stringify(charset)}`);
  }
  return type.trim();
}

function wrongMediaType(wanted: string): Problem {
  return new Problem('unsupported-media-type', `the Content-Type must be ${wanted}`);
}

async function wholeValue(bytes: Uint8Array, request: Asked): Promise<unknown> {
  const parsed = await parseJsonInTurns(bytes, () => fairTurns.next(tenantOf(request)));
  if ('value' in parsed) return parsed.value;
  if (parsed.isTooLarge === true) throw new Problem('body-too-large', `the body is too much: ${parsed.refused}`);
  throw new Problem('malformed-body', `the body is not JSON as it must be: ${parsed.refused}`);
}

type Asked = Request & { readonly caller?: Caller };

function tenantOf({ caller }: Asked): string {
  return caller?.tenant ?? '';
}

function valueItems(value: unknown): BodyItems {
  if (!Array.isArray(value)) return { single: true, items: [{ value }] };
  assertItemCount(value.length);
  return { single: false, items: value.map((item: unknown) => ({ value: item })) };
}

/** Blank lines are no items, but are counted. */
async function lineItems(bytes: Uint8Array, request: Asked): Promise<BodyItems> {
  const items: BodyItem[] = [];
  let start = 0;
  let turnAt = sliceBytes;
  for (let number = 1; start < bytes.length; number += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    start = end + 1;
    if (start > turnAt) {
      await fairTurns.next(tenantOf(request));
      turnAt = start + sliceBytes;
    }
    if (line.every(isBlank)) continue;
    assertItemCount(items.length + 1);
    items.push(lineItem(line, number));
  }
  return { single: false, items };
}

function lineItem(line: Uint8Array, number: number): BodyItem {
  if (line.length > maxLineBytes) return { refused: `line ${number} is longer than ${maxLineBytes} bytes` };
  const parsed = parseJson(line);
  return 'refused' in parsed ? { refused: `line ${number} is not JSON as it must be: ${parsed.refused}` } : parsed;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** Throws `Problem` where a request has more items than it may, however deep in it they are listed. */
export function assertItemCount(count: number): void {
  if (count > maxItemCount) throw new Problem('body-too-large', `a request may have at most ${maxItemCount} items`);
}
