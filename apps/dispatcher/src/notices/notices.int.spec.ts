// People are told of lapses: by a real receiver over HTTP, from real tables.
import { createHmac } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type Clock, type KnownSink, type SinkAddress, type SinkRule, systemClock } from '#runtime';
import { DispatchRig, DispatchStory, loopbackOutbound, type ReceivedWebhook, until, WebhookReceiver } from '#testing';
import { Dispatcher } from '../dispatcher.ts';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';
import { Outbox } from '../outbox/outbox.ts';
import { NoticeFollower } from './notice-follower.ts';
import { NoticeMetrics } from './notice-metrics.ts';
import { NoticeRows } from './notice-rows.ts';

interface Setup {
  readonly clock?: Clock;
}

let sinks: (KnownSink & { readonly address: SinkAddress })[] = [];
let receiver: WebhookReceiver;
let dispatcher: Dispatcher;

const known = {
  of: async (tenants: readonly string[]) => sinks.filter(({ tenant }) => tenants.includes(tenant)),
  find: async (tenant: string, sinkId: string) =>
    sinks.find((sink) => sink.tenant === tenant && sink.sinkId === sinkId)?.address,
};

const rig = new DispatchRig<Setup>(openDispatchDatabase, ({ story, database, targets }, { clock = systemClock }) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const messenger = {
    timeoutMs: 1_000,
    send: async () => ({ outcome: 'acknowledged' as const, taskId: 't' }),
    find: async () => ({ outcome: 'absent' as const }),
  };
  const options = { backoff: { baseMs: 20, capMs: 200 }, stopGraceMs: 100 };
  const random = { fraction: () => 0.5 };
  const notices = { sinks: known, outbound: loopbackOutbound() };
  const ports = [story.log, database, directory, messenger, clock, random, undefined, options, notices] as const;
  return (dispatcher = new Dispatcher(...ports));
});

function addSink(sinkId: string, address: Partial<SinkAddress> = {}, rule: Partial<SinkRule> = {}, tenant = 'acme') {
  const full: SinkAddress = { type: 'cloudevents', url: receiver.url, ...address };
  const madeAt = new Date(systemClock.now());
  sinks.push({ tenant, sinkId, madeAt, rule: { groupBySeconds: 0, ...rule }, address: full });
}

const untilReceived = (count: number, of = receiver) =>
  until(() => of.received.length >= count, `${count} notifications`);

const noticesLeft = async (): Promise<number> =>
  (await rig.database.query<unknown[]>('SELECT FROM duewatch_dispatch.notice')).length;

const untilNoneLeft = () => until(async () => (await noticesLeft()) === 0, 'no notice left');

const eventOf = ({ text }: ReceivedWebhook) =>
  JSON.parse(text) as {
    readonly id: string;
    readonly data: { readonly lapses: { readonly expectationId: string }[]; readonly moreCount: number };
  };

const idsIn = (received: readonly ReceivedWebhook[]) =>
  received.flatMap((each) => eventOf(each).data.lapses.map(({ expectationId }) => expectationId)).sort();

beforeAll(() => {
  Logger.overrideLogger(false);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(async () => {
  sinks = [];
  receiver = await new WebhookReceiver().start();
  await rig.begin();
});
afterEach(async () => {
  await rig.end();
  await receiver.close();
});

describe('a lapse is announced', () => {
  it('as a CloudEvent, signed so that the receiver can tell whose it is', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    addSink('events', { secret, header: { name: 'X-Key', value: 'let-me-in' } });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await untilReceived(1);
    const { headers, text } = receiver.received[0] as ReceivedWebhook;
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
    await untilNoneLeft();
  });

  it('to Alertmanager as an alert that stands for a day', async () => {
    addSink('alerts', { type: 'alertmanager', url: `${receiver.url}/am/` });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await untilReceived(1);
    const { path, text } = receiver.received[0] as ReceivedWebhook;
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
    addSink('chat', { type: 'slack' });
    rig.start({});
    await rig.story.raise('booking', 'e1', { expects: '<!channel> & <https://x|y>\nAll is well' });
    await untilReceived(1);
    const { text } = JSON.parse(receiver.received[0]?.text ?? '{}') as { readonly text: string };
    expect(text.split('\n')[0]).toBe('*1 lapse* of departure at agent booking (tenant acme)');
    expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://x|y&gt; All is well');
    expect(text.split('\n')).toHaveLength(2);
  });

  it('together with what lapses soon after, as many as a notification holds, and the number of the rest', async () => {
    addSink('events', {}, { groupBySeconds: 2 });
    rig.start({});
    const ids = Array.from({ length: 130 }, (_, index) => `e${index}`);
    await rig.story.raiseAll('booking', ids.slice(0, 70));
    await rig.story.raiseAll('booking', ids.slice(70));
    await untilReceived(1);
    await untilNoneLeft();
    expect(receiver.received).toHaveLength(1);
    const { lapses, moreCount } = eventOf(receiver.received[0] as ReceivedWebhook).data;
    expect([lapses.length, moreCount]).toEqual([100, 30]);
  });

  it('to those sinks of its tenant that want it, and to no other tenant', async () => {
    addSink('other-kind', { url: `${receiver.url}/kind` }, { kind: 'arrival' });
    addSink('other-agent', { url: `${receiver.url}/agent` }, { agentId: 'billing' });
    addSink('other-lapse', { url: `${receiver.url}/lapse` }, { lapses: ['stalled'] });
    addSink('theirs', { url: `${receiver.url}/theirs` }, {}, 'umbrella');
    addSink('ours', { url: `${receiver.url}/ours` }, { kind: 'departure', agentId: 'booking', lapses: ['overdue'] });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await untilReceived(1);
    await untilNoneLeft();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/ours']);
  });

  it('not where it is old when the tables are made anew', async () => {
    addSink('events');
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('expectationLapsed');
    const { partition, log } = rig.story;
    const gatheredAfter = async (aheadMs: number): Promise<number> => {
      await rig.loseTables();
      const outbox = new Outbox(rig.database, partition);
      await outbox.takeOver();
      const rows = new NoticeRows(rig.database, partition, outbox);
      const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
      const ports = { log, rows, clock, sinksOf: known.of };
      await new NoticeFollower(partition, ports, () => undefined).pass(new AbortController().signal);
      return noticesLeft();
    };
    await expect(gatheredAfter(30 * 60_000)).resolves.toBe(1);
    await expect(gatheredAfter(2 * 3_600_000)).resolves.toBe(0);
  });
});

describe('a sink that does not take it', () => {
  it('gets the same notification again, and what lapsed meanwhile after it', async () => {
    addSink('events');
    receiver.answers.push(503, 503);
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await untilReceived(1);
    await rig.story.raise('booking', 'e2');
    await untilReceived(4);
    await untilNoneLeft();
    const ids = receiver.received.map((each) => eventOf(each).id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(idsIn(receiver.received.slice(2))).toEqual(['e1', 'e2']);
  });

  it('gets it after a restart, from another dispatcher', async () => {
    addSink('events');
    receiver.isHanging = true;
    const first = rig.start({});
    await rig.story.raise('booking', 'e1');
    await untilReceived(1);
    await rig.stop(first);
    receiver.isHanging = false;
    rig.start({});
    await untilReceived(2);
    await untilNoneLeft();
    const [one, other] = receiver.received.map((each) => eventOf(each).id);
    expect(other).toBe(one);
  });

  it('delays no other sink', async () => {
    const hanging = await new WebhookReceiver().start();
    hanging.isHanging = true;
    addSink('dead', { url: hanging.url });
    addSink('events');
    rig.start({});
    for (const id of ['e1', 'e2', 'e3']) await rig.story.raise('booking', id);
    await until(() => idsIn(receiver.received).length === 3, 'all lapses at the other sink');
    expect(hanging.received.length).toBeLessThanOrEqual(1);
    await hanging.close();
  });

  it('delays no other tenant, however many its tenant has', async () => {
    const hanging = await new WebhookReceiver().start();
    hanging.isHanging = true;
    const umbrella = new DispatchStory('umbrella', rig.story);
    for (let index = 0; index < 20; index += 1) addSink(`dead-${index}`, { url: hanging.url });
    addSink('theirs', {}, {}, umbrella.tenant);
    await umbrella.declare('booking');
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await until(() => hanging.received.length === 4, 'as many calls as one tenant may have');
    await umbrella.raise('booking', 'u1');
    await untilReceived(1);
    expect(idsIn(receiver.received)).toEqual(['u1']);
    expect(hanging.received).toHaveLength(4);
    await hanging.close();
  });

  it('is given up after a day, which is counted', async () => {
    addSink('events');
    let aheadMs = 0;
    receiver.answers.push(...Array.from({ length: 1_000 }, () => 500));
    rig.start({ clock: { ...systemClock, now: () => systemClock.now() + aheadMs } });
    await rig.story.raise('booking', 'e1');
    await untilReceived(1);
    const metrics = new NoticeMetrics(dispatcher, rig.database);
    const valueOf = async (name: string) => {
      const samples = (await metrics.collect()).find((family) => family.name === name)?.samples ?? [];
      return samples.reduce((sum, { value }) => sum + value, 0);
    };
    await expect(valueOf('duewatch_notices')).resolves.toBe(1);
    aheadMs = 25 * 3_600_000;
    await untilNoneLeft();
    await until(() => dispatcher.noticesGivenUpCount === 1, 'the count');
    await expect(valueOf('duewatch_notices')).resolves.toBe(0);
    await expect(valueOf('duewatch_notices_given_up_total')).resolves.toBe(1);
  });

  it('is not tried any more once it is removed', async () => {
    addSink('events');
    receiver.answers.push(...Array.from({ length: 1_000 }, () => 500));
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await untilReceived(1);
    sinks = [];
    await untilNoneLeft();
  });
});

it('two dispatchers at once announce each lapse once: whoever has lost the partition writes nothing', async () => {
  addSink('events');
  const first = rig.start({});
  await rig.story.raiseAll('booking', ['e1', 'e2']);
  await untilReceived(1);
  await untilNoneLeft();
  rig.start({});
  for (const id of ['e3', 'e4', 'e5']) await rig.story.raise('booking', id);
  await until(() => idsIn(receiver.received).length >= 5, 'all lapses');
  await expect(first.served).resolves.toBe('fenced');
  await untilNoneLeft();
  const ids = new Set(receiver.received.map((each) => eventOf(each).id));
  const once = [...ids].map((id) => receiver.received.find((each) => eventOf(each).id === id) as ReceivedWebhook);
  expect(idsIn(once)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
});
