// A notification as each type of sink takes it, and its signature.
// No text of an agent may be more than text in any of them.
import { createHmac } from 'node:crypto';
import { formatInstant } from '#expectations';
import { lapseText } from '#protocol';
import type { SinkAddress, SinkType } from '#runtime';
import { alertsOf, alertsUrl } from './alerts-message.ts';
import { type Notice, noticeIdOf } from './notice.ts';
import { wellFormed } from './well-formed.ts';

export interface NoticeMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Write = (notice: Notice, nowMs: number) => { readonly contentType: string; readonly content: unknown };

const slackCharacters = 2_900;
const lineCharacters = 400;
const nameCharacters = 100;

const writes: Readonly<Record<SinkType, Write>> = {
  alertmanager: (notice, nowMs) => ({ contentType: 'application/json', content: alertsOf(notice, nowMs) }),
  slack: (notice) => ({ contentType: 'application/json', content: { text: slackText(notice) } }),
  cloudevents: (notice) => ({ contentType: 'application/cloudevents+json', content: cloudEventOf(notice) }),
};

/** What is sent at that instant. */
export function messageOf(address: SinkAddress, notice: Notice, nowMs: number): NoticeMessage {
  const { contentType, content } = writes[address.type](notice, nowMs);
  const body = JSON.stringify(content);
  const id = noticeIdOf(notice);
  return {
    url: address.type === 'alertmanager' ? alertsUrl(address.url) : address.url,
    headers: {
      ...(address.header !== undefined && { [address.header.name]: address.header.value }),
      ...{ 'content-type': contentType, 'webhook-id': id },
      ...(address.secret !== undefined && signatureOf(address.secret, id, nowMs, body)),
    },
    body,
  };
}

/** Standard Webhooks, version 1. */
function signatureOf(secret: string, id: string, nowMs: number, body: string): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** As many lapses as there is room for, and how many more there are. */
function slackText({ tenant, agentId, kind, lapses, moreCount }: Notice): string {
  const count = lapses.length + moreCount;
  const [what, who, whose] = [kind, agentId, tenant].map((name) => escaped(name, nameCharacters));
  const head = `*${count === 1 ? '1 lapse' : `${count} lapses`}* of ${what} at agent ${who} (tenant ${whose})`;
  let text = head;
  let told = 0;
  for (const { lapse } of lapses) {
    const line = `\n• ${escaped(lapseText(lapse), lineCharacters)}`;
    if (text.length + line.length > slackCharacters) break;
    text += line;
    told += 1;
  }
  return told === count ? text : `${text}\n… and ${count - told} more`;
}

/** One line of plain text in Slack's markup; cut before it is escaped, so that no escape is cut. */
function escaped(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const cut = wellFormed(line.length > most ? `${line.slice(0, most)}…` : line);
  return cut.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function cloudEventOf(notice: Notice): object {
  const { tenant, agentId, kind, lapses, moreCount, madeAt } = notice;
  return {
    ...{ specversion: '1.0', type: 'com.rsaxb.expectations.lapse.v1', id: noticeIdOf(notice) },
    source: `/tenants/${encodeURIComponent(tenant)}/agents/${encodeURIComponent(wellFormed(agentId))}`,
    ...{ time: formatInstant(madeAt.getTime()), datacontenttype: 'application/json' },
    data: { agentId, kind, lapses: lapses.map(({ lapse }) => lapse), moreCount },
  };
}
