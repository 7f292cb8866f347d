// What a notification tells: lapses of one agent and kind, for one sink; and which of those that it told before are over.
import { createHash } from 'node:crypto';
import type { ExpectationLapsed, LapseBlock } from '#expectations';

/** The most lapses that a notification tells of one by one, and the most ends of lapses. */
export const lapsesOfNotice = 100;

export interface NoticedLapse {
  /** Of the lapse task (§10.1). */
  readonly messageId: string;
  readonly lapse: LapseBlock;
}

/** A lapse that is over: its expectation was satisfied, or withdrawn. */
export interface NoticedClosing extends NoticedLapse {
  /** By the log. */
  readonly closedAt: string;
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
  /** For sinks that hold alerts alone. */
  readonly closings: readonly NoticedClosing[];
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
export function noticeIdOf({ tenant, sinkId, agentId, kind, lapses, moreCount, closings }: Notice): string {
  const ends = closings.length === 0 ? [] : [closings];
  const told = JSON.stringify([tenant, sinkId, agentId, kind, lapses, moreCount, ...ends]);
  return `notice-${createHash('sha256').update(told).digest('hex').slice(0, 32)}`;
}
