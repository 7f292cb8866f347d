// Teller are told of lapses: by a real receiver over HTTP, from real tables.
import { createHmac } from 'node:crypto';
import { systemClock } from '#runtime';
import { lapsesEvent, NoticeRig, type ReceivedWebhook } from '#testing';
import { Dispatcher } from '../dispatcher.ts';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';
import { LedgerFollower, type Teller } from '../ledger-follower.ts';
import { Outbox } from '../outbox/outbox.ts';
import { freshMs, NoticeGathering } from './notice-gathering.ts';
import { NoticeRows } from './notice-rows.ts';

const rig = new NoticeRig(openDispatchDatabase, (ports) => new Dispatcher(...ports));

beforeAll(() => rig.open());
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

describe('a lapse is announced', () => {
  it('as a CloudEvent, signed so that the receiver can tell whose it is', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    rig.addSink('events', { secret, header: { name: 'X-Key', value: 'let-me-in' } });
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    const { headers, text } = rig.receiver.received[0] as ReceivedWebhook;
    expect(headers).toMatchObject({ 'content-type': 'application/cloudevents+json', 'x-key': 'let-me-in' });
    expect(JSON.parse(text)).toMatchObject({
      specversion: '1.0',
      type: 'com.rsaxb.expectations.lapse.v1',
      source: '/tenants/acme/agents/booking',
      id: headers['webhook-id'],
      data: {
        agentId: 'booking',
        kind: 'departure',
        lapses: [{ expectationId: 'e1', lapse: 'overdue' }],
        moreCount: 0,
      },
    });
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
    const expected = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    await rig.untilNoneLeft();
  });

  it('to Alertmanager as an alert that stands for a day', async () => {
    rig.addSink('alerts', { type: 'alertmanager', url: `${rig.receiver.url}/am/` });
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    const { path, text } = rig.receiver.received[0] as ReceivedWebhook;
    expect(path).toBe('/am/api/v2/alerts');
    const [alert] = JSON.parse(text) as { readonly endsAt: string }[];
    expect(alert).toMatchObject({
      labels: {
        ...{ alertname: 'DuewatchLapse', tenant: 'acme', agent: 'booking', kind: 'departure', lapse: 'overdue' },
        ...{ subject_type: 'flight', subject: 'e1', expectation: 'e1' },
      },
      annotations: { summary: expect.stringContaining('e1 departs') },
      startsAt: expect.any(String),
    });
    expect(Date.parse(alert?.endsAt ?? '')).toBeGreaterThan(systemClock.now() + 3_600_000);
  });

  it('to a chat as text in which an agent can call nobody and begin no line', async () => {
    rig.addSink('chat', { type: 'slack' });
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1', { expects: '<!channel> & <https://x|y>\nAll is well' });
    await rig.untilReceived(1);
    const { text } = JSON.parse(rig.receiver.received[0]?.text ?? '{}') as { readonly text: string };
    expect(text.split('\n')[0]).toBe('*1 lapse* of departure at agent booking (tenant acme)');
    expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://x|y&gt; All is well');
    expect(text.split('\n')).toHaveLength(2);
  });

  it('together with what lapses soon after, as many as a notification holds, and the number of the rest', async () => {
    rig.addSink('events', {}, { groupBySeconds: 2 });
    rig.dispatch.start({});
    const ids = Array.from({ length: 130 }, (_, index) => `e${index}`);
    await rig.dispatch.story.raiseAll('booking', ids.slice(0, 70));
    await rig.dispatch.story.raiseAll('booking', ids.slice(70));
    await rig.untilReceived(1);
    await rig.untilNoneLeft();
    expect(rig.receiver.received).toHaveLength(1);
    const { lapses, moreCount } = lapsesEvent(rig.receiver.received[0] as ReceivedWebhook).data;
    expect([lapses.length, moreCount]).toEqual([100, 30]);
  });

  it('to those sinks of its tenant that want it, and to no other tenant', async () => {
    rig.addSink('other-kind', { url: `${rig.receiver.url}/kind` }, { kind: 'arrival' });
    rig.addSink('other-agent', { url: `${rig.receiver.url}/agent` }, { agentId: 'billing' });
    rig.addSink('other-lapse', { url: `${rig.receiver.url}/lapse` }, { lapses: ['stalled'] });
    rig.addSink('theirs', { url: `${rig.receiver.url}/theirs` }, {}, 'umbrella');
    rig.addSink(
      'ours',
      { url: `${rig.receiver.url}/ours` },
      { kind: 'departure', agentId: 'booking', lapses: ['overdue'] },
    );
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    await rig.untilNoneLeft();
    expect(rig.receiver.received.map(({ path }) => path)).toEqual(['/ours']);
  });

  it('not where it is old when the tables are made anew', async () => {
    rig.addSink('events');
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.dispatch.story.untilDecided('expectationLapsed');
    const { partition, log } = rig.dispatch.story;
    const gatheredAfter = async (aheadMs: number): Promise<number> => {
      await rig.dispatch.loseTables();
      const outbox = new Outbox(rig.dispatch.database, partition);
      const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
      await outbox.takeOver(new Date(clock.now() - freshMs));
      const rows = new NoticeRows(rig.dispatch.database, partition, outbox.ownership);
      const gathering = new NoticeGathering({ clock, sinksOf: rig.known.of, openAlerts: async () => [] });
      const people: Teller = {
        gather: async (told, since) => {
          const gathered = await gathering.of(told, since);
          return { write: (manager) => rows.add(manager, gathered, since), written: () => undefined };
        },
      };
      const follower = new LedgerFollower(partition, { log, outbox, clock, people }, () => undefined);
      await follower.pass(new AbortController().signal);
      await expect(rig.dispatch.outbox()).resolves.toHaveLength(1);
      return rig.noticesLeft();
    };
    await expect(gatheredAfter(30 * 60_000)).resolves.toBe(1);
    await expect(gatheredAfter(2 * 3_600_000)).resolves.toBe(0);
  });
});
