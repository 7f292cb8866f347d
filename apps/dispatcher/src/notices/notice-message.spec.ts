import type { Notice, NoticedLapse } from './notice.ts';
import { messageOf } from './notice-message.ts';

function lapseOf(id: string, expects: string): NoticedLapse {
  return {
    messageId: `lapse:${id}:overdue:2026-09-01T00:00:00Z`,
    lapse: {
      ...{ expectationId: id, kind: 'departure', subject: { type: 'flight', id }, expects, lapse: 'overdue' },
      ...{ projectedDueAt: '2026-09-01T00:00:00Z', dueAt: '2026-09-01T00:00:00Z', lapsedAt: '2026-09-01T01:00:00Z' },
      lineage: 1,
    },
  };
}

const notice: Notice = {
  ...{ tenant: 'acme', sinkId: 'ops', agentId: 'booking', kind: 'departure', moreCount: 5, failuresCount: 0 },
  closings: [],
  lapses: Array.from({ length: 100 }, (_, index) => lapseOf(`e${index}`, '&'.repeat(900))),
  madeAt: new Date('2026-09-01T01:00:00Z'),
};
const nowMs = Date.parse('2026-09-01T02:00:00Z');
const bodyOf = (type: 'slack' | 'alertmanager' | 'cloudevents', of: Notice = notice): unknown =>
  JSON.parse(messageOf({ type, url: 'https://sink.example/' }, of, nowMs).body);

describe('a notification', () => {
  it('to a chat is short, cuts no escape, and says how much it leaves out', () => {
    const { text } = bodyOf('slack') as { readonly text: string };
    expect(text.length).toBeLessThanOrEqual(3_000);
    expect(text.replaceAll('&amp;', '')).not.toContain('&');
    const lines = text.split('\n').filter((line) => line.startsWith('• '));
    expect(lines.length).toBeGreaterThan(0);
    expect(text.split('\n').at(-1)).toBe(`… and ${105 - lines.length} more`);
  });

  it('to Alertmanager has an alert for each lapse, of labels of its own, and one for the rest', () => {
    const alerts = bodyOf('alertmanager') as { readonly labels: object; readonly annotations: object }[];
    expect(new Set(alerts.map(({ labels }) => JSON.stringify(labels))).size).toBe(101);
    expect(alerts.at(-1)).toMatchObject({
      labels: { alertname: 'DuewatchMoreLapses', agent: 'booking' },
      annotations: { summary: '5 more lapses' },
      ...{ startsAt: '2026-09-01T01:00:00Z', endsAt: '2026-09-02T02:00:00Z' },
    });
  });

  it('to Alertmanager ends an alert by its labels, also one that it does not know yet', () => {
    const [first] = notice.lapses;
    const told = { ...notice, lapses: notice.lapses.slice(0, 2), moreCount: 0 };
    const [raised, other] = bodyOf('alertmanager', told) as { readonly labels: object; readonly endsAt: string }[];
    const closings = [{ ...first!, closedAt: '2026-09-01T01:30:00Z' }];
    const ended = { ...raised, endsAt: '2026-09-01T01:30:00Z' };
    expect(bodyOf('alertmanager', { ...told, lapses: [], closings })).toEqual([ended]);
    expect(bodyOf('alertmanager', { ...told, closings })).toEqual([other, ended]);
  });

  it.each(['slack', 'cloudevents'] as const)('to %s says nothing of what is over', (type) => {
    const closings = [{ ...notice.lapses[0]!, closedAt: '2026-09-01T01:30:00Z' }];
    const without = (body: unknown) => JSON.stringify(body).replace(/notice-[0-9a-f]+/, '');
    expect(without(bodyOf(type, { ...notice, closings }))).toBe(without(bodyOf(type)));
  });

  it.each(['slack', 'alertmanager', 'cloudevents'] as const)('to %s is made of an agent with an odd name', (type) => {
    const odd = { ...notice, agentId: 'a/b"\ud800', lapses: [lapseOf('x\u0000', 'half \udc00')] };
    const text = JSON.stringify(bodyOf(type, odd));
    expect(text).toContain(type === 'cloudevents' ? '/agents/a%2Fb%22%EF%BF%BD' : 'a/b\\"\ufffd');
  });

  it('has one id whenever it is sent, and another where anything in it is another', () => {
    const idOf = (of: Notice, atMs = nowMs) =>
      messageOf({ type: 'slack', url: 'https://sink.example/' }, of, atMs).headers['webhook-id'];
    expect(idOf({ ...notice, failuresCount: 3 }, nowMs + 1_000)).toBe(idOf(notice));
    expect(idOf({ ...notice, moreCount: 6 })).not.toBe(idOf(notice));
    expect(idOf({ ...notice, closings: [{ ...notice.lapses[0]!, closedAt: '2026-09-01T01:30:00Z' }] })).not.toBe(
      idOf(notice),
    );
    expect(idOf({ ...notice, sinkId: 'other' })).not.toBe(idOf(notice));
  });

  it('without a secret is not signed', () => {
    const { headers } = messageOf({ type: 'slack', url: 'https://sink.example/' }, notice, nowMs);
    expect(Object.keys(headers).sort()).toEqual(['content-type', 'webhook-id']);
  });
});
