// What Alertmanager is told of is over there once the expectation is: by a real receiver over HTTP, from real tables.
import { systemClock } from '#runtime';
import { NoticeRig, type ReceivedWebhook, until } from '#testing';
import { Dispatcher } from '../dispatcher.ts';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';

const rig = new NoticeRig(openDispatchDatabase, (ports) => new Dispatcher(...ports));

interface Alert {
  readonly labels: { readonly expectation: string };
  readonly endsAt: string;
}

const alertsIn = ({ text }: ReceivedWebhook) => JSON.parse(text) as readonly Alert[];
const idsIn = (received: ReceivedWebhook) => alertsIn(received).map(({ labels }) => labels.expectation);
const hasEnded = ({ endsAt }: Alert): boolean => Date.parse(endsAt) <= systemClock.now();
const remembered = async (): Promise<number> =>
  (await rig.dispatch.database.query<unknown[]>('SELECT FROM duewatch_dispatch.alert')).length;

const withdraw = (expectationId: string): Promise<void> =>
  rig.dispatch.story.tell({
    type: 'artifactObserved',
    ...{ agentId: 'booking', taskId: 'task-booking', contextId: 'context-booking' },
    artifact: {
      artifactId: 'withdrawal',
      metadata: { 'https://rsaxb.com/a2a/expectations/v1': { withdraw: [expectationId] } },
    },
  });

beforeAll(() => rig.open());
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

describe('an alert', () => {
  it.each([
    ['the fact comes late', () => rig.dispatch.story.report('e1')],
    ['it is withdrawn', () => withdraw('e1')],
  ])('ends when %s, and nothing is kept of it', async (_, close) => {
    rig.addSink('alerts', { type: 'alertmanager' });
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    await expect(remembered()).resolves.toBe(1);
    await close();
    await rig.untilReceived(2);
    await rig.untilNoneLeft();
    const [[raised], [ended]] = rig.receiver.received.map(alertsIn) as [readonly [Alert], readonly [Alert]];
    expect(hasEnded(raised)).toBe(false);
    expect(hasEnded(ended)).toBe(true);
    expect({ ...ended, endsAt: '' }).toEqual({ ...raised, endsAt: '' });
    await expect(remembered()).resolves.toBe(0);
  });

  it('ends where it was raised, and other sinks hear nothing of that', async () => {
    rig.addSink('chat', { type: 'slack', url: `${rig.receiver.url}/chat` });
    rig.addSink('elsewhere', { type: 'alertmanager', url: `${rig.receiver.url}/else` }, { kind: 'arrival' });
    rig.addSink('alerts', { type: 'alertmanager' });
    rig.dispatch.start({});
    await rig.dispatch.story.raiseAll('booking', ['e1', 'e2']);
    await rig.untilReceived(2);
    await rig.untilNoneLeft();
    await rig.dispatch.story.report('e2');
    await rig.untilReceived(3);
    await rig.untilNoneLeft();
    expect(rig.receiver.received.map(({ path }) => path).sort()).toEqual([
      ...['/api/v2/alerts', '/api/v2/alerts', '/chat'],
    ]);
    expect(idsIn(rig.receiver.received[2]!)).toEqual(['e2']);
    await expect(remembered()).resolves.toBe(1);
  });

  it('ends after it was raised, however often that has to be tried', async () => {
    rig.addSink('alerts', { type: 'alertmanager' });
    rig.receiver.answers.push(503, 503, 503);
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    await rig.dispatch.story.report('e1');
    await rig.untilReceived(5);
    await rig.untilNoneLeft();
    const ends = rig.receiver.received.map((each) => alertsIn(each).map(hasEnded));
    expect(ends).toEqual([[false], [false], [false], [false], [true]]);
  });

  it('ends as one of many, a hundred at a time', async () => {
    rig.addSink('alerts', { type: 'alertmanager' });
    rig.dispatch.start({});
    const ids = Array.from({ length: 140 }, (_, nth) => `e${nth}`);
    await rig.dispatch.story.raiseAll('booking', ids.slice(0, 70));
    await rig.untilReceived(1);
    await rig.untilNoneLeft();
    await rig.dispatch.story.raiseAll('booking', ids.slice(70));
    await rig.untilReceived(2);
    await rig.untilNoneLeft();
    await rig.dispatch.story.report(...ids);
    const ended = (): readonly Alert[] => rig.receiver.received.flatMap(alertsIn).filter(hasEnded);
    await until(() => ended().length >= ids.length, 'the end of all');
    await rig.untilNoneLeft();
    expect(new Set(ended().map(({ labels }) => labels.expectation))).toEqual(new Set(ids));
    expect(Math.max(...rig.receiver.received.map((each) => alertsIn(each).length))).toBeLessThanOrEqual(100);
    await expect(remembered()).resolves.toBe(0);
  });

  it('is not ended at a sink that holds none any more', async () => {
    rig.addSink('alerts', { type: 'alertmanager' });
    let aheadMs = 0;
    rig.dispatch.start({ clock: { ...systemClock, now: () => systemClock.now() + aheadMs } });
    await rig.dispatch.story.declare('billing');
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    await rig.untilNoneLeft();
    rig.sinks = [];
    rig.addSink('alerts', { type: 'alertmanager' }, { groupBySeconds: 3_600 });
    await rig.dispatch.story.report('e1');
    await until(async () => (await rig.noticesLeft()) === 1, 'a notice of the end');
    rig.sinks = [];
    rig.addSink('alerts', { type: 'slack' });
    aheadMs = 3_600_000;
    await rig.dispatch.story.raise('billing', 'b1');
    await rig.untilReceived(2);
    await rig.untilNoneLeft();
    expect(rig.receiver.received[1]?.text).toContain('*1 lapse* of departure at agent billing');
    expect(rig.receiver.received).toHaveLength(2);
  });
});
