// What a notification tells: lapses of one agent and kind, for one sink.
import { createHash } from 'node:crypto';
import type { ExpectationLapsed, LapseBlock } from '#expectations';

/** The most lapses that a notification tells of one by one. */
export const lapsesOfNotice = 100;

export interface NoticedLapse {
  /** Of the lapse task (§10.1). */
  readonly messageId: string;
  readonly lapse: LapseBlock;
}

/** One notification as it is sent. */
export interface Notice {
  readonly tenant: string;
  readonly sinkId: string;
  readonly agentId: string;
  readonly kind: string;
  readonly lapses: readonly NoticedLapse[];
  /** How many lapses there are besides. */
  readonly moreCount: number;
  /** When the first of them was gathered. */
  readonly madeAt: Date;
  readonly failuresCount: number;
}

const expectsCharacters = 1_000;
const idsCount = 5;

/** What is kept of a lapse: bounded, whatever the agent wrote. */
export function noticedOf({ messageId, lapse }: ExpectationLapsed): NoticedLapse {
  const { expects, satisfiedAfter } = lapse;
  return {
    messageId,
    lapse: {
      ...lapse,
      expects: expects.length > expectsCharacters ? `${expects.slice(0, expectsCharacters)}…` : expects,
      ...(satisfiedAfter !== undefined && { satisfiedAfter: satisfiedAfter.slice(0, idsCount) }),
    },
  };
}

/** The same whenever the same is sent to the same sink: by it a receiver knows what came twice. */
export function noticeIdOf({ tenant, sinkId, agentId, kind, lapses, moreCount }: Notice): string {
  const told = JSON.stringify([tenant, sinkId, agentId, kind, lapses, moreCount]);
  return `notice-${createHash('sha256').update(told).digest('hex').slice(0, 32)}`;
}
