// Tasks followed while agents, the log, or who follows are not as they should be.
import { jest } from '@jest/globals';
import { SdkTaskReader } from '#protocol';
import { AgentDirectory, AgentTroubles, systemClock, systemRandom } from '#runtime';
import { farExpectation, FollowRig, loopbackOutbound, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { PushSubscriptions } from '../push/push-subscriptions.ts';
import { Sightings } from '../sightings.ts';
import { FollowerMetrics } from './follower-metrics.ts';
import type { FollowerOptions } from './follower-options.ts';
import { Follower } from './follower.ts';

const quick: Partial<FollowerOptions> = {
  lookEveryMs: 20,
  unseenMs: 0,
  poll: { baseMs: 20, capMs: 100 },
  reconnect: { baseMs: 10, capMs: 50 },
  failure: { baseMs: 10, capMs: 100 },
  netEveryMs: 3_600_000,
  lostEveryMs: 100,
  troubleEveryMs: 0,
};

const rig = new FollowRig<FollowerOptions>([IntakeModule], ({ app, readModel }, more) => {
  const reader = new SdkTaskReader({ outbound: loopbackOutbound(), now: () => systemClock.now() });
  const [directory, sightings, subscriptions] = [
    app.get(AgentDirectory),
    app.get(Sightings),
    app.get(PushSubscriptions),
  ];
  const parts = [directory, sightings, subscriptions, app.get(AgentTroubles)] as const;
  const follower = new Follower(app.log, readModel, reader, systemClock, systemRandom, ...parts, { ...quick, ...more });
  const metrics = new FollowerMetrics(follower);
  return { serve: (partition, signal) => follower.serve(partition, signal), collect: () => metrics.collect() };
});

// The SDK's server tells the console of what it sends, and of every task that it does not know.
beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
});
beforeAll(() => rig.open());
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

it.each([true, false])(
  'an agent that is down says nothing of its tasks, and what it did is seen once it is back (streams: %s)',
  async (streaming) => {
    const agent = await rig.agent('booking', { streaming });
    const taskId = await rig.begun(agent, 'booking', 'e1');
    rig.follow();
    await rig.untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
    agent.isAway = true;
    agent.cut();
    const asked = agent.asked.length;
    await until(() => agent.asked.length > asked + 3, 'more questions');
    expect(await rig.figure('duewatch_unreachable_agents')).toBe(1);
    expect((await rig.decided()).map(({ type }) => type)).not.toContain('expectationWithdrawn');
    agent.status(taskId, 'TASK_STATE_REJECTED');
    agent.isAway = false;
    await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1', withdrawn: 'task_rejected' });
    expect(await rig.figure('duewatch_unreachable_agents')).toBe(0);
  },
);

it('a stream that is cut goes on from where it was', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  const taskId = await rig.begun(agent, 'booking', 'e1');
  rig.follow();
  await until(() => agent.askedFor('follow') === 1, 'the stream');
  agent.isAway = true;
  agent.cut();
  agent.artifact(taskId, 'second', { expectations: [farExpectation('e2')] });
  agent.isAway = false;
  await rig.untilDecided({ type: 'expectationRecorded', expectationId: 'e2' });
  await rig.untilFollowed('stream', 1);
});

it('a task that its agent does not know is not canceled: it cannot be followed', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  await rig.begun(agent, 'booking', 'e1');
  const other = await rig.agent('booking', { streaming: true });
  rig.follow();
  await until(async () => (await rig.figure('duewatch_unfollowable_tasks')) === 1, 'that it cannot be followed');
  expect(await rig.figure('duewatch_followed_tasks', 'stream')).toBe(0);
  expect(other.asked.length).toBeGreaterThan(0);
  expect((await rig.decided()).map(({ type }) => type)).not.toContain('expectationWithdrawn');
});

it('who is killed and starts again sees what happened meanwhile', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  const taskId = await rig.begun(agent, 'booking', 'e1');
  rig.follow();
  await rig.untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
  await rig.stopFollowing();
  agent.artifact(taskId, 'second', { expectations: [farExpectation('e2')] });
  agent.status(taskId, 'TASK_STATE_CANCELED');
  rig.follow();
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1', withdrawn: 'task_canceled' });
});

it('two that follow one task decide it once', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  const taskId = await rig.begun(agent, 'booking', 'e1');
  rig.follow();
  rig.follow();
  await until(() => agent.askedFor('follow') === 2, 'two streams');
  agent.artifact(taskId, 'second', { expectations: [farExpectation('e2')] });
  agent.status(taskId, 'TASK_STATE_CANCELED');
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e2', withdrawn: 'task_canceled' });
  await rig.stopFollowing();
  const events = await rig.decided();
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  expect([count('expectationRecorded'), count('expectationWithdrawn')]).toEqual([2, 2]);
});

it('a tenant whose agents hang holds up no other', async () => {
  const hanging = await Promise.all(Array.from({ length: 20 }, (_, index) => rig.agent(`hanging-${index}`)));
  await Promise.all(hanging.map((agent, index) => rig.begun(agent, `hanging-${index}`, `h${index}`)));
  const agent = await rig.agent('booking', {}, 'globex');
  const taskId = await rig.begun(agent, 'booking', 'e1', 'globex');
  for (const each of hanging) each.isHung = true;
  rig.follow();
  await until(() => hanging.filter(({ asked }) => asked.length > 0).length >= 16, 'calls that hang');
  agent.status(taskId, 'TASK_STATE_CANCELED');
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1' }, 'globex');
  for (const each of hanging) each.cut();
});

it('what the log could not take is told once it can', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  const taskId = await rig.begun(agent, 'booking', 'e1');
  rig.follow();
  await rig.untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
  const { append } = rig.app.log;
  let refusals = 0;
  rig.app.log.append = () => {
    refusals += 1;
    return Promise.reject(Object.assign(new Error('gone'), { name: 'LogUnavailableError', retryable: true }));
  };
  agent.artifact(taskId, 'second', { expectations: [farExpectation('e2')] });
  await until(() => refusals > 0, 'a refusal');
  rig.app.log.append = append;
  await rig.untilDecided({ type: 'expectationRecorded', expectationId: 'e2' });
});

it.each([true, false])('a task that cannot be read holds up none of its agent (streams: %s)', async (streaming) => {
  const agent = await rig.agent('booking', { streaming });
  const taskIds: string[] = [];
  for (const id of ['e1', 'e2', 'e3']) taskIds.push(await rig.begun(agent, 'booking', id));
  agent.unreadable.add(taskIds[0]!);
  rig.follow();
  await rig.untilDecided({ type: 'statusApplied', taskId: taskIds[2] });
  for (const taskId of taskIds) agent.status(taskId, 'TASK_STATE_CANCELED');
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e2' });
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e3' });
  expect((await rig.decided()).filter(({ type }) => type === 'expectationWithdrawn')).toHaveLength(2);
  agent.unreadable.clear();
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1' });
});

it('more tasks than a tenant has room for take turns, and what has just come does not wait for them', async () => {
  const agent = await rig.agent('booking', { version: '0.3' });
  const taskIds: string[] = [];
  for (let index = 0; index < 6; index += 1) taskIds.push(await rig.begun(agent, 'booking', `e${index}`));
  rig.follow({ tasksPerTenant: 2 });
  for (const taskId of taskIds) await rig.untilDecided({ type: 'statusApplied', taskId });
  const late = await rig.begun(agent, 'booking', 'late');
  await rig.untilDecided({ type: 'statusApplied', taskId: late });
  for (const taskId of taskIds) agent.status(taskId, 'TASK_STATE_CANCELED');
  for (let index = 0; index < 6; index += 1) {
    await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: `e${index}` });
  }
});

it('an agent that is down, with all the room its tenant has, holds up no other agent of it', async () => {
  const down = await rig.agent('down', { version: '0.3' });
  for (let index = 0; index < 4; index += 1) await rig.begun(down, 'down', `d${index}`);
  down.isAway = true;
  const agent = await rig.agent('booking', { version: '0.3' });
  const taskId = await rig.begun(agent, 'booking', 'e1');
  rig.follow({ tasksPerTenant: 1 });
  agent.status(taskId, 'TASK_STATE_CANCELED');
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1' });
});
