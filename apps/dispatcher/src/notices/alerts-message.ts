// A notification as alerts of Alertmanager's API (version 2): what it has the same labels of is the same alert to it.
import { formatInstant } from '#expectations';
import { lapseText } from '#protocol';
import type { Notice, NoticedLapse } from './notice.ts';
import { wellFormed } from './well-formed.ts';

const dayMs = 86_400_000;

/** `base` is where Alertmanager is. */
export function alertsUrl(base: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v2/alerts`;
  return url.href;
}

/**
 * Without an end Alertmanager would call a lapse resolved after minutes: each stands for a day, or until its end is told.
 * An end that is past resolves what has the same labels; of what Alertmanager does not know, it tells nobody. Of the
 * lapses that are not told one by one nobody can say when they are over.
 */
export function alertsOf(notice: Notice, nowMs: number): readonly object[] {
  const endsAt = formatInstant(nowMs + dayMs);
  const over = new Set(notice.closings.map(({ messageId }) => messageId));
  const open = notice.lapses.filter(({ messageId }) => !over.has(messageId));
  const alerts = [
    ...open.map((lapsed) => alertOf(notice, lapsed, endsAt)),
    ...notice.closings.map((closed) => alertOf(notice, closed, closed.closedAt)),
  ];
  if (notice.moreCount === 0) return alerts;
  const more = {
    labels: { alertname: 'DuewatchMoreLapses', ...labelsOf(notice) },
    annotations: { summary: `${notice.moreCount} more lapses` },
    ...{ startsAt: formatInstant(notice.madeAt.getTime()), endsAt },
  };
  return [...alerts, more];
}

function alertOf(notice: Notice, { lapse }: NoticedLapse, endsAt: string): object {
  return {
    labels: {
      ...{ alertname: 'DuewatchLapse', ...labelsOf(notice), lapse: lapse.lapse },
      ...{ subject_type: wellFormed(lapse.subject.type), subject: wellFormed(lapse.subject.id) },
      expectation: wellFormed(lapse.expectationId),
    },
    annotations: { summary: wellFormed(lapseText(lapse)) },
    ...{ startsAt: lapse.lapsedAt, endsAt },
  };
}

function labelsOf({ tenant, agentId, kind }: Notice): object {
  return { tenant, agent: wellFormed(agentId), kind: wellFormed(kind) };
}
