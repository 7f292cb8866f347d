// Each way in which an agent misbehaves: what the record shows, how many tasks exist at it in the end, and that another
// agent of the tenant, and one of another tenant, are served meanwhile.
import { jest } from '@jest/globals';
import { SdkMessenger } from '#protocol';
import { systemClock } from '#runtime';
import { DispatchRig, DispatchStory, FakeAgent, loopbackOutbound, type Misbehaviour, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

const rig = new DispatchRig<undefined>(openDispatchDatabase, ({ story, database, targets }) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const outbound = loopbackOutbound();
  const messenger = new SdkMessenger({ outbound, now: () => systemClock.now(), timeoutMs: 1_000 });
  const random = { fraction: () => 0.5 };
  const options = { backoff: { baseMs: 20, capMs: 200 } };
  return new Dispatcher(story.log, database, directory, messenger, systemClock, random, undefined, options);
});

let agents: FakeAgent[];
/** The one that misbehaves. */
let agent: FakeAgent;

beforeAll(() => {
  // The SDK's server warns of every reference to a task that it does not know.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(() => {
  agents = [];
  return rig.begin();
});
afterEach(async () => {
  await Promise.all(agents.map((each) => each.stop()));
  await rig.end();
});

async function started(...parameters: Parameters<typeof FakeAgent.start>): Promise<FakeAgent> {
  const made = await FakeAgent.start(...parameters);
  agents.push(made);
  return made;
}

/** Two agents that are as they should be get theirs, while the one is as it is. */
async function othersAreServed(): Promise<void> {
  const theirs = new DispatchStory('bolt', rig.story);
  for (const [story, agentId] of [
    [rig.story, 'other'],
    [theirs, 'theirs'],
  ] as const) {
    const well = await started();
    rig.targets.set(agentId, { card: well.card });
    await story.declare(agentId);
    await story.raise(agentId, `of-${agentId}`);
    await until(async () => (await acknowledged(story, agentId)).length === 1, `the lapse of ${agentId}`);
    expect(well.kept.tasks).toHaveLength(1);
  }
}

const acknowledged = async (story: DispatchStory, agentId: string) =>
  (await story.decided('dispatchAcknowledged')).filter((event) => event.agentId === agentId);

/** What the record has of the one's attempts, and what exists at it. */
async function record() {
  const of = <Event extends { readonly agentId: string }>(events: readonly Event[]) =>
    events.filter(({ agentId }) => agentId === 'booking');
  const attempts = of(await rig.story.decided('dispatchAttempted'));
  const failures = of(await rig.story.decided('dispatchFailed'));
  const taken = await acknowledged(rig.story, 'booking');
  return {
    attempts: attempts.map(({ attempt, possibleDuplicate = false }) =>
      possibleDuplicate ? `${attempt} again` : attempt,
    ),
    failures: failures.map(({ outcome, cause }) => `${outcome}: ${cause}`),
    taken: taken.map(({ attempt }) => attempt),
    tasks: agent.kept.tasks.length,
  };
}

/** It no longer does any of these. */
const behaving = { hang: false, garbage: false, hugeBytes: 0 };

const untilTaken = () => until(async () => (await acknowledged(rig.story, 'booking')).length === 1, 'it to be taken');
const untilFailed = () => until(async () => (await record()).failures.length > 0, 'the failure in the record');

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('an agent over %s', (binding) => {
  async function misbehaving(misbehaviour: Misbehaviour, dedupes: 'yes' | 'unknown' = 'unknown'): Promise<void> {
    agent = await started(binding, '1.0', misbehaviour);
    rig.targets.set('booking', { card: agent.card, dispatch: { dedupes } });
    rig.start(undefined);
    await rig.story.raise('booking', 'e1');
  }

  it('that cuts the connection once it has taken it has it once, and is not sent it again', async () => {
    await misbehaving({ dropAfterAccept: 1 });
    await othersAreServed();
    await untilTaken();
    const { failures, ...rest } = await record();
    expect(rest).toEqual({ attempts: [1], taken: [1], tasks: 1 });
    expect(failures).toEqual([expect.stringMatching(/^unknown: /)]);
    expect(agent.sends).toHaveLength(1);
  });

  it('that does so with all of many has each once', async () => {
    await misbehaving({ dropAfterAccept: 6 });
    for (const id of ['e2', 'e3', 'e4', 'e5', 'e6']) await rig.story.raise('booking', id);
    await until(async () => (await acknowledged(rig.story, 'booking')).length === 6, 'all to be taken');
    const messageIds = agent.kept.tasks.flatMap((task) => task.messageIds);
    expect(messageIds.map((id) => id.split(':')[1]).sort()).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
  });

  it('that deduplicates, and is known to, is sent it again without a look', async () => {
    await misbehaving({ dropAfterAccept: 1, dedupe: true }, 'yes');
    await othersAreServed();
    await untilTaken();
    expect(await record()).toMatchObject({ attempts: [1], taken: [2], tasks: 1 });
    expect([agent.sends.length, agent.seen.length]).toEqual([2, 2]);
  });

  it('that answers 503 has it once, after a look for each', async () => {
    await misbehaving({ fail503: 2, retryAfterSeconds: 0 });
    await othersAreServed();
    await untilTaken();
    expect(await record()).toMatchObject({
      ...{ attempts: [1], failures: [expect.stringMatching(/^unknown: HTTP 503/)], taken: [2], tasks: 1 },
    });
  });

  it('that answers 429 has it once', async () => {
    await misbehaving({ fail429: 2, retryAfterSeconds: 0 });
    await othersAreServed();
    await untilTaken();
    expect(await record()).toMatchObject({
      ...{ attempts: [1], failures: [expect.stringMatching(/^unreachable: HTTP 429/)], taken: [3], tasks: 1 },
    });
    expect(agent.seen).toHaveLength(3);
  });

  it('that is slow has it once', async () => {
    await misbehaving({ slowMs: 300 });
    await othersAreServed();
    await untilTaken();
    expect(await record()).toEqual({ attempts: [1], failures: [], taken: [1], tasks: 1 });
  });

  it.each<[string, Misbehaviour, RegExp]>([
    ['never answers', { hang: true }, /^unknown: .*(timeout|time)/i],
    ['answers what nobody can read', { garbage: true }, /^unknown: /],
    ['answers more than is read', { hugeBytes: 9_000_000 }, /^unknown: .*larger than/],
  ])('that %s has it once, and is asked until it tells', async (_, misbehaviour, cause) => {
    await misbehaving(misbehaviour);
    await untilFailed();
    await othersAreServed();
    expect(await record()).toMatchObject({ attempts: [1], taken: [], tasks: 1 });
    Object.assign(agent.misbehaviour, behaving);
    await untilTaken();
    const { failures, ...rest } = await record();
    expect(rest).toEqual({ attempts: [1], taken: [1], tasks: 1 });
    expect(failures).toEqual([expect.stringMatching(cause)]);
  });

  it('that has taken it, and answers on and on what nobody can read, is in the end sent it again, and the record says so', async () => {
    await misbehaving({ garbage: true });
    await until(async () => (await record()).attempts.length === 2, 'another attempt');
    delete agent.misbehaviour.garbage;
    await untilTaken();
    expect(await record()).toMatchObject({ attempts: [1, '2 again'], tasks: 2 });
  });

  it('that sends everybody elsewhere is followed nowhere: it waits for an operator', async () => {
    const elsewhere = await started(binding);
    await misbehaving({ redirect: elsewhere.url });
    await rig.untilState('parked');
    await othersAreServed();
    await untilFailed();
    const { failures, ...rest } = await record();
    expect(rest).toEqual({ attempts: [1], taken: [], tasks: 0 });
    expect(failures).toEqual([expect.stringMatching(/^parked: HTTP 307/)]);
    expect(elsewhere.seen).toEqual([]);
  });

  it('that refuses the context has no task: it waits for an operator', async () => {
    await misbehaving({ refuseContext: true });
    await rig.untilState('parked');
    await othersAreServed();
    await untilFailed();
    const { failures, ...rest } = await record();
    expect(rest).toEqual({ attempts: [1], taken: [], tasks: 0 });
    expect(failures).toEqual([expect.stringMatching(/^parked: .*there is no context context-booking/)]);
  });

  it('that says nothing of the extension has it once', async () => {
    await misbehaving({ noEcho: true });
    await othersAreServed();
    await untilTaken();
    expect(await record()).toEqual({ attempts: [1], failures: [], taken: [1], tasks: 1 });
  });

  it('that cannot be asked may have it twice, and the record says so', async () => {
    await misbehaving({ dropAfterAccept: 1, noList: true });
    await othersAreServed();
    await untilTaken();
    expect(await record()).toMatchObject({ attempts: [1, '2 again'], taken: [2], tasks: 2 });
  });

  it('that cannot be asked has it once where it deduplicates, also where nobody knows that it does', async () => {
    await misbehaving({ dropAfterAccept: 1, noList: true, dedupe: true });
    await untilTaken();
    expect(await record()).toMatchObject({ attempts: [1, '2 again'], taken: [2], tasks: 1 });
  });
});

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('an agent of 0.3 alone, over %s', (binding) => {
  async function misbehaving(misbehaviour: Misbehaviour): Promise<void> {
    agent = await started(binding, '0.3', misbehaviour);
    rig.targets.set('booking', { card: agent.card });
    rig.start(undefined);
    await rig.story.raise('booking', 'e1');
  }

  it('has it once, and is asked to answer before it is done', async () => {
    await misbehaving({});
    await othersAreServed();
    await untilTaken();
    expect(await record()).toEqual({ attempts: [1], failures: [], taken: [1], tasks: 1 });
    const { params, configuration } = agent.sends[0]!.body as {
      params?: { configuration: object };
      configuration?: object;
    };
    // 0.3's HTTP+JSON is that of its proto, where what is false is not written.
    expect(params?.configuration ?? { blocking: false, ...configuration }).toMatchObject({ blocking: false });
  });

  it('has no list of its tasks: what it does not answer for may be there twice', async () => {
    await misbehaving({ dropAfterAccept: 1 });
    await othersAreServed();
    await untilTaken();
    expect(await record()).toMatchObject({ attempts: [1, '2 again'], taken: [2], tasks: 2 });
  });
});
