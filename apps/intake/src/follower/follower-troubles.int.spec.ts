// Operators see with the agent that tasks of it cannot be followed, for as long as that is so.
import { jest } from '@jest/globals';
import { SdkTaskReader } from '#protocol';
import { AgentDirectory, AgentTroubles, systemClock, systemRandom } from '#runtime';
import { FollowRig, loopbackOutbound, until } from '#testing';
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
  lostEveryMs: 100,
  troubleEveryMs: 0,
};

const rig = new FollowRig<FollowerOptions>([IntakeModule], ({ app, readModel }, more) => {
  const reader = new SdkTaskReader({ outbound: loopbackOutbound(), now: () => systemClock.now() });
  const [directory, sightings] = [app.get(AgentDirectory), app.get(Sightings)];
  const parts = [directory, sightings, app.get(PushSubscriptions), app.get(AgentTroubles)] as const;
  const follower = new Follower(app.log, readModel, reader, systemClock, systemRandom, ...parts, { ...quick, ...more });
  const metrics = new FollowerMetrics(follower);
  return { serve: (partition, signal) => follower.serve(partition, signal), collect: () => metrics.collect() };
});

beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
});
beforeAll(() => rig.open());
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

interface Trouble {
  readonly unfollowed?: {
    readonly count: number;
    readonly cause: string;
    readonly message: string;
    readonly since: string;
  };
}

/** As the list of agents has it, which is as the agent itself has it. */
async function shownTrouble(): Promise<Trouble | undefined> {
  const key = await rig.app.key();
  let shown: Trouble | undefined;
  // It may be told in between.
  await until(async () => {
    const list = await rig.app.call('GET', '/v1/agents', { key });
    const agent = await rig.app.call('GET', '/v1/agents/booking', { key });
    const [item] = (list.body as { readonly items: readonly { readonly trouble?: Trouble }[] }).items;
    shown = (agent.body as { readonly trouble?: Trouble }).trouble;
    return Object.keys(item?.trouble ?? {}).join() === Object.keys(shown ?? {}).join();
  }, 'the list to show it as the agent does');
  return shown;
}

/** Resolves to it once it is shown. */
async function untilShown(cause: string): Promise<Trouble['unfollowed']> {
  let shown: Trouble | undefined;
  await until(async () => (shown = await shownTrouble())?.unfollowed?.cause === cause, `the cause ${cause}`);
  return shown?.unfollowed;
}

const untilNoneShown = (): Promise<void> => until(async () => (await shownTrouble()) === undefined, 'no trouble');

it('an agent that does not answer is shown so, with how many tasks and since when, across a restart', async () => {
  const agent = await rig.agent('booking');
  for (const id of ['e1', 'e2']) await rig.begun(agent, 'booking', id);
  agent.isAway = true;
  rig.follow();
  const first = await untilShown('away');
  expect(first).toMatchObject({ count: 2, message: expect.stringMatching(/./) as string });
  expect(first?.since).toMatch(/^\d{4}-.*Z$/);
  await rig.stopFollowing();
  rig.follow();
  await until(async () => (await rig.figure('duewatch_unreachable_agents')) === 1, 'another look');
  expect((await shownTrouble())?.unfollowed?.since).toBe(first?.since);
  agent.isAway = false;
  await untilNoneShown();
});

it('a task that its agent does not know is shown with the agent, the others are not', async () => {
  const lost = await rig.agent('booking', { streaming: true });
  await rig.begun(lost, 'booking', 'e1');
  const agent = await rig.agent('booking', { streaming: true });
  const taskId = await rig.begun(agent, 'booking', 'e2');
  rig.follow();
  await rig.untilDecided({ type: 'statusApplied', taskId });
  expect(await untilShown('unknownTask')).toMatchObject({ count: 1 });
});

it('an agent on whose tasks nothing depends any more is in no trouble, though its tenant has others', async () => {
  const agent = await rig.agent('booking');
  await rig.begun(await rig.agent('other'), 'other', 'o1');
  const taskId = await rig.begun(agent, 'booking', 'e1');
  agent.unreadable.add(taskId);
  rig.follow();
  await untilShown('away');
  const key = await rig.app.key();
  const contextId = (await agent.task(taskId))?.contextId;
  const statusUpdate = { taskId, contextId, status: { state: 'TASK_STATE_CANCELED' } };
  await rig.app.call('POST', '/v1/observations', { key, json: { agentId: 'booking', statusUpdate } });
  await untilNoneShown();
});

it('an agent whose tasks are followed is in no trouble', async () => {
  const agent = await rig.agent('booking', { streaming: true });
  await rig.begun(agent, 'booking', 'e1');
  rig.follow();
  await rig.untilFollowed('stream', 1);
  expect(await shownTrouble()).toBeUndefined();
});
