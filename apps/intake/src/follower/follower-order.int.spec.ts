// An agent that gives its states no instants, whose task is followed while its client is asked something (§11).
import { jest } from '@jest/globals';
import { type SeenTask, TaskReadError, type TaskReader } from '#protocol';
import { AgentDirectory, AgentTroubles, systemClock, systemRandom } from '#runtime';
import { farExpectation, FollowRig, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { PushSubscriptions } from '../push/push-subscriptions.ts';
import { Sightings } from '../sightings.ts';
import { FollowerMetrics } from './follower-metrics.ts';
import type { FollowerOptions } from './follower-options.ts';
import { Follower } from './follower.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';
const quick: Partial<FollowerOptions> = {
  lookEveryMs: 20,
  unseenMs: 0,
  poll: { baseMs: 20, capMs: 100 },
  reconnect: { baseMs: 10, capMs: 50 },
};

/** As the agent has the task, and what it is asked for meanwhile. */
const shown = {
  status: {} as Record<string, unknown>,
  readsCount: 0,
  answers: Promise.resolve(),
};

const reader: TaskReader = {
  read: async (_, taskId): Promise<SeenTask> => {
    const task = { id: taskId, contextId: 'c', status: shown.status };
    shown.readsCount += 1;
    await shown.answers;
    return { taskId, task };
  },
  list: () => Promise.reject(new TaskReadError('unsupported', 'no list')),
  follow: () => {
    throw new TaskReadError('unsupported', 'no streams');
  },
  askToPush: () => Promise.reject(new TaskReadError('unsupported', 'no push')),
};

const rig = new FollowRig<FollowerOptions>([IntakeModule], ({ app, readModel }, more) => {
  const [directory, sightings] = [app.get(AgentDirectory), app.get(Sightings)];
  const parts = [directory, sightings, app.get(PushSubscriptions), app.get(AgentTroubles)] as const;
  const follower = new Follower(app.log, readModel, reader, systemClock, systemRandom, ...parts, { ...quick, ...more });
  const metrics = new FollowerMetrics(follower);
  return { serve: (partition, signal) => follower.serve(partition, signal), collect: () => metrics.collect() };
});

beforeAll(() => void jest.spyOn(console, 'info').mockImplementation(() => undefined));
beforeAll(() => rig.open());
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

it('is not answered by how the task was before, which the agent says late; but once it goes on', async () => {
  const agent = await rig.agent('booking');
  const taskId = await rig.begun(agent, 'booking', 'e1');
  let answer = (): void => undefined;
  shown.status = { state: 'TASK_STATE_WORKING' };
  shown.answers = new Promise((resolve) => (answer = resolve));
  rig.follow();
  await until(() => shown.readsCount > 0, 'a question to the agent');

  const expectation = farExpectation('ask', { subject: { type: 'task', id: taskId } });
  const metadata = { [URI]: { expectations: [expectation] } };
  const message = { messageId: 'q1', role: 'ROLE_AGENT', parts: [], metadata };
  shown.status = { state: 'TASK_STATE_INPUT_REQUIRED', message };
  // As the gateway does when the agent's answer passes.
  const passing = { statusUpdate: { taskId, contextId: 'c', status: shown.status } };
  await rig.app.get(Sightings).tell('acme', 'booking', [passing]);
  await rig.untilDecided({ type: 'expectationRecorded', expectationId: 'ask', question: true });
  answer();
  await until(() => shown.readsCount > 3, 'more questions to the agent');
  expect((await rig.decided()).map(({ type }) => type)).not.toContain('expectationSatisfied');

  shown.status = { state: 'TASK_STATE_WORKING' };
  await rig.untilDecided({ type: 'expectationSatisfied', expectationId: 'ask', how: 'state' });
});
