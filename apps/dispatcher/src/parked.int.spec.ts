// A lapse that is parked is retried or discarded by a person; who else asks for it changes nothing.
import { jest } from '@jest/globals';
import { type AgentMessenger, type FindOutcome, type SendOutcome } from '#protocol';
import { systemClock } from '#runtime';
import { DispatchRig, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

const options = { backoff: { baseMs: 20, capMs: 200 }, stopGraceMs: 0 };
const refusal: SendOutcome = { outcome: 'refused', cause: 'status 404', permanent: true };

/** Answers of the agent, in order; then it takes what comes. */
let answers: SendOutcome[];
let sent: string[];
let found: FindOutcome;

const messenger: AgentMessenger = {
  timeoutMs: 10_000,
  send: async (_, { message }) => {
    sent.push(message.messageId.split(':')[1] ?? '');
    return answers.shift() ?? { outcome: 'acknowledged', taskId: 't' };
  },
  find: async () => found,
};

const rig = new DispatchRig<object>(openDispatchDatabase, ({ story, database, targets }) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const random = { fraction: () => 0.5 };
  return new Dispatcher(story.log, database, directory, messenger, systemClock, random, undefined, options);
});

beforeAll(() => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(() => {
  answers = [refusal];
  sent = [];
  found = { outcome: 'absent' };
  return rig.begin();
});
afterEach(() => rig.end());

const of = (expectationId: string) => ({ agentId: 'booking', expectationId, lapse: 'overdue' as const, by: 'olga' });
const retry = (id: string) => rig.story.tell({ type: 'dispatchRetryRequested', ...of(id) });
const discard = (id: string) => rig.story.tell({ type: 'dispatchDiscardRequested', ...of(id), reason: 'by telephone' });

async function park(id: string): Promise<void> {
  await rig.story.raise('booking', id);
  await rig.story.untilDecided('dispatchFailed');
  await rig.untilState('parked');
}

it('is sent again where it is retried, as the next attempt', async () => {
  rig.start({});
  await park('e1');
  await retry('e1');
  const [acknowledged] = await rig.story.untilDecided('dispatchAcknowledged');
  expect(acknowledged).toMatchObject({ attempt: 2 });
  expect(sent).toEqual(['e1', 'e1']);
  await expect(rig.story.decided('dispatchRetried')).resolves.toMatchObject([{ by: 'olga', expectationId: 'e1' }]);
  await rig.untilOutbox(0);
});

it('is looked for before, and not sent again where the agent has it', async () => {
  rig.start({});
  await park('e1');
  found = { outcome: 'found', taskId: 'there' };
  await retry('e1');
  await expect(rig.story.untilDecided('dispatchAcknowledged')).resolves.toMatchObject([{ taskId: 'there' }]);
  expect(sent).toEqual(['e1']);
});

it('is parked anew where it is refused again, and the log is told so', async () => {
  answers = [refusal, refusal];
  rig.start({});
  await park('e1');
  await retry('e1');
  await expect(rig.story.untilDecided('dispatchFailed', 2)).resolves.toMatchObject([
    { outcome: 'parked', attempt: 1 },
    { outcome: 'parked', attempt: 2 },
  ]);
  await rig.untilState('parked');
  await retry('e1');
  await rig.story.untilDecided('dispatchAcknowledged');
});

it('is never sent again where it is discarded, also where it is retried after that, nor told to be void twice', async () => {
  rig.start({});
  await park('e1');
  await discard('e1');
  await rig.untilOutbox(0);
  await retry('e1');
  await rig.story.raise('booking', 'e2');
  await rig.story.untilDecided('dispatchAcknowledged');
  expect(sent).toEqual(['e1', 'e2']);
});

it('that is satisfied is not sent, though it was retried', async () => {
  const first = rig.start({});
  await park('e1');
  await rig.stop(first);
  await retry('e1');
  await rig.story.report('e1');
  rig.start({});
  await rig.story.raise('booking', 'e2');
  await rig.story.untilDecided('dispatchAcknowledged');
  await rig.untilOutbox(0);
  expect(sent).toEqual(['e1', 'e2']);
});

it('stays retried, or discarded, where the tables are lost', async () => {
  answers = [refusal, refusal];
  const first = rig.start({});
  await park('e1');
  await rig.story.raise('booking', 'e2');
  await rig.story.untilDecided('dispatchFailed', 2);
  await rig.stop(first);
  await retry('e1');
  await discard('e2');
  await rig.loseTables();
  rig.start({});
  await rig.story.untilDecided('dispatchAcknowledged');
  await rig.untilOutbox(0);
  expect(sent).toEqual(['e1', 'e2', 'e1']);
});

it('is nothing that is done to a lapse which is on its way', async () => {
  answers = [];
  let go: () => void = () => undefined;
  const going = new Promise<void>((resolve) => (go = resolve));
  const { send } = messenger;
  const held = jest.spyOn(messenger, 'send').mockImplementation(async (...given) => {
    await going;
    return send(...given);
  });
  rig.start({});
  await rig.story.raise('booking', 'e1');
  await rig.untilState('sending');
  await retry('e1');
  await discard('e1');
  await until(async () => (await rig.outbox())[0]?.closed === true, 'the row closed');
  go();
  await rig.story.untilDecided('dispatchAcknowledged');
  await rig.untilOutbox(0);
  held.mockRestore();
  expect(sent).toEqual(['e1']);
});
