// Tasks followed at a real agent, in every way there is, with the real core behind the log.
import { jest } from '@jest/globals';
import { SdkTaskReader } from '#protocol';
import { AgentDirectory, AgentTroubles, systemClock, systemRandom } from '#runtime';
import { farExpectation, type FollowedAgentOptions, FollowRig, loopbackOutbound, until } from '#testing';
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

const question = (taskId: string): object => ({
  expectations: [farExpectation(`ask-${taskId}`, { subject: { type: 'task', id: taskId } })],
});

describe.each<[string, FollowedAgentOptions]>([
  ['that streams, on JSON-RPC', { streaming: true }],
  ['that streams, on HTTP+JSON', { streaming: true, binding: 'HTTP+JSON' }],
  ['that streams, on 0.3', { streaming: true, version: '0.3' }],
  ['that is asked, on JSON-RPC', {}],
  ['that is asked, on HTTP+JSON', { binding: 'HTTP+JSON' }],
  ['that is asked, on 0.3', { version: '0.3', binding: 'HTTP+JSON' }],
])('an agent %s', (_, how) => {
  it('is seen to raise, to ask, and to end its task', async () => {
    const agent = await rig.agent('booking', how);
    const taskId = await rig.begun(agent, 'booking', 'e1');
    rig.follow();
    agent.artifact(taskId, 'second', { expectations: [farExpectation('e2')] });
    await rig.untilDecided({ type: 'expectationRecorded', expectationId: 'e2' });
    agent.status(taskId, 'TASK_STATE_INPUT_REQUIRED', question(taskId));
    await rig.untilDecided({ type: 'expectationRecorded', expectationId: `ask-${taskId}`, question: true });
    await agent.begin('answer', { taskId });
    await rig.untilDecided({ type: 'expectationSatisfied', expectationId: `ask-${taskId}`, how: 'state' });
    agent.status(taskId, 'TASK_STATE_CANCELED');
    await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1', withdrawn: 'task_canceled' });
    await rig.untilNothingFollowed();
  });
});

it('a failure that happened while nobody looked is seen at once (N05)', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  const taskId = await rig.begun(agent, 'booking', 'e1');
  agent.status(taskId, 'TASK_STATE_FAILED');
  rig.follow();
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1', withdrawn: 'task_failed' });
});

it('a task that completes withdraws nothing, and is followed no more', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  const taskId = await rig.begun(agent, 'booking', 'e1');
  rig.follow();
  agent.status(taskId, 'TASK_STATE_COMPLETED');
  await rig.untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_COMPLETED' });
  await rig.untilNothingFollowed();
  expect((await rig.decided()).map(({ type }) => type)).not.toContain('expectationWithdrawn');
});

it('what an agent says again and again is told once', async () => {
  const agent = await rig.agent('booking');
  const taskId = await rig.begun(agent, 'booking', 'e1');
  rig.follow();
  await rig.untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
  const inputs = await rig.inputsOf(taskId);
  const asked = agent.askedFor('read');
  await until(() => agent.askedFor('read') > asked + 5, 'more looks');
  expect(await rig.inputsOf(taskId)).toBe(inputs);
});

it('many tasks of one agent are looked at together', async () => {
  const agent = await rig.agent('booking');
  const taskIds: string[] = [];
  for (let index = 0; index < 8; index += 1) taskIds.push(await rig.begun(agent, 'booking', `e${index}`));
  rig.follow();
  await rig.untilFollowed('sweep', 8);
  agent.status(taskIds[3]!, 'TASK_STATE_CANCELED');
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e3', withdrawn: 'task_canceled' });
  agent.artifact(taskIds[4]!, 'second', { expectations: [farExpectation('later')] });
  await rig.untilDecided({ type: 'expectationRecorded', expectationId: 'later' });
  expect(agent.askedFor('list')).toBeGreaterThan(0);
});

it('many tasks of an agent that has no list are asked for one by one', async () => {
  const agent = await rig.agent('booking', { version: '0.3' });
  const taskIds: string[] = [];
  for (let index = 0; index < 8; index += 1) taskIds.push(await rig.begun(agent, 'booking', `e${index}`));
  rig.follow();
  agent.status(taskIds[7]!, 'TASK_STATE_CANCELED');
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e7', withdrawn: 'task_canceled' });
  await rig.untilFollowed('poll', 7);
});

it('no agent is asked for more streams than may be; what has none is looked at', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  const first = await rig.begun(agent, 'booking', 'e1');
  const second = await rig.begun(agent, 'booking', 'e2');
  rig.follow({ streamsPerAgent: 1 });
  await rig.untilFollowed('poll', 1);
  expect(await rig.figure('duewatch_followed_tasks', 'stream')).toBe(1);
  agent.status(first, 'TASK_STATE_CANCELED');
  agent.status(second, 'TASK_STATE_CANCELED');
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1' });
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e2' });
});

it('an agent that pushes is asked to, and what it sends is seen though nobody looks', async () => {
  const agent = await rig.agent('booking', { pushNotifications: true });
  const taskId = await rig.begun(agent, 'booking', 'e1');
  rig.follow({ publicUrl: rig.app.url });
  await rig.untilFollowed('push', 1);
  await rig.untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
  const looks = agent.askedFor('read');
  agent.artifact(taskId, 'second', { expectations: [farExpectation('e2')] });
  await rig.untilDecided({ type: 'expectationRecorded', expectationId: 'e2' });
  agent.status(taskId, 'TASK_STATE_CANCELED');
  await rig.untilDecided({ type: 'expectationWithdrawn', expectationId: 'e2', withdrawn: 'task_canceled' });
  expect(agent.askedFor('read')).toBe(looks);
  await until(
    async () => (await rig.app.database.query('SELECT 1 FROM duewatch_edge.push_subscription')).length === 0,
    'no token',
  );
});

it('who starts again asks no agent anew to push', async () => {
  const agent = await rig.agent('booking', { pushNotifications: true });
  await rig.begun(agent, 'booking', 'e1');
  rig.follow({ publicUrl: rig.app.url });
  await rig.untilFollowed('push', 1);
  await rig.stopFollowing();
  rig.follow({ publicUrl: rig.app.url });
  await rig.untilFollowed('push', 1);
  expect(agent.askedFor('push')).toBe(1);
});
