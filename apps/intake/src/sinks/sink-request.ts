// What a client asks when it sets a sink, checked. What is wrong with it must never repeat its secrets.
import type { LapseKind } from '#expectations';
import {
  type Fields,
  invalidField,
  readFields,
  readText,
  readTexts,
  type SinkAddress,
  type SinkRule,
  sinkTypes,
} from '#runtime';
import { readHeaderName, readHeaderValue } from '../agent-auth-request.ts';

export interface SinkRequest {
  readonly address: SinkAddress;
  readonly rule: SinkRule;
}

const known = ['type', 'url', 'secret', 'header', 'lapses', 'agentId', 'kind', 'groupBySeconds'];
const lapseKinds: readonly LapseKind[] = ['overdue', 'skipped', 'stalled'];
const defaultGroupSeconds = 30;
const mostGroupSeconds = 3_600;

/** Throws `Problem` naming the field. */
export function readSinkId(value: unknown): string {
  const text = readText(value, 'sinkId', 64);
  if (!/^[A-Za-z0-9._-]+$/.test(text)) throw invalidField('sinkId', 'must be of letters, digits, ".", "_" and "-"');
  return text;
}

/** Throws `Problem` naming the field. */
export function readSinkRequest(body: unknown): SinkRequest {
  const fields = readFields(body, '', known);
  const type = sinkTypes.find((each) => each === fields['type']);
  if (type === undefined) throw invalidField('type', `must be one of ${sinkTypes.join(', ')}`);
  const { secret, header } = fields;
  return {
    address: {
      ...{ type, url: readUrl(fields['url']) },
      ...(secret !== undefined && { secret: readSecret(secret) }),
      ...(header !== undefined && { header: readHeader(header) }),
    },
    rule: readRule(fields),
  };
}

function readRule({ lapses, agentId, kind, groupBySeconds = defaultGroupSeconds }: Fields): SinkRule {
  const isTime = typeof groupBySeconds === 'number' && Number.isInteger(groupBySeconds);
  if (!isTime || groupBySeconds < 0 || groupBySeconds > mostGroupSeconds) {
    throw invalidField('groupBySeconds', `must be a whole number from 0 to ${mostGroupSeconds}`);
  }
  return {
    ...(lapses !== undefined && { lapses: readLapses(lapses) }),
    ...(agentId !== undefined && { agentId: readText(agentId, 'agentId') }),
    ...(kind !== undefined && { kind: readText(kind, 'kind') }),
    groupBySeconds,
  };
}

function readLapses(value: unknown): readonly LapseKind[] {
  const texts = readTexts(value, 'lapses', lapseKinds.length);
  const lapses = lapseKinds.filter((each) => texts.includes(each));
  if (lapses.length === 0 || lapses.length !== texts.length) {
    throw invalidField('lapses', `must list each of these at most once, and one at least: ${lapseKinds.join(', ')}`);
  }
  return lapses;
}

function readUrl(value: unknown): string {
  const text = readText(value, 'url', 2_048);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw invalidField('url', 'must be an http or https URL, without a user and a fragment');
  }
  return text;
}

function readSecret(value: unknown): string {
  const text = readText(value, 'secret', 200);
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { byteLength } = Buffer.from(encoded, 'base64');
  if (byteLength < 24 || byteLength > 64) {
    throw invalidField('secret', 'must be whsec_ and the base64 of 24 to 64 bytes (Standard Webhooks)');
  }
  return text;
}

function readHeader(value: unknown): NonNullable<SinkAddress['header']> {
  const fields = readFields(value, 'header', ['name', 'value']);
  const name = readHeaderName(fields['name'], 'header.name');
  if (/^webhook-/i.test(name)) throw invalidField('header.name', 'must not be a header of the signature');
  return { name, value: readHeaderValue(fields['value'], 'header.value') };
}
