// A question that waits for its answer while the store is away.
import { Message } from '@a2a-js/sdk';
import { StorageUnavailableError } from '#runtime';
import type { TaskEvent } from '../task/task-event.ts';
import { nextMessage } from './next-message.ts';

const key = { application: 'app', user: 'alice', taskId: 'task-1' };
const reply = Message.fromJSON({ messageId: 'reply', role: 'ROLE_USER', parts: [{ text: 'yes' }] });
const answered: TaskEvent = { type: 'messageReceived', at: '2027-01-01T00:00:00Z', message: reply };

const waitFor = (looks: readonly (Error | readonly TaskEvent[])[], signal = new AbortController().signal) => {
  let nth = 0;
  const eventsAfter = async () => {
    const found = looks[Math.min(nth, looks.length - 1)] ?? [];
    nth += 1;
    if (found instanceof Error) throw found;
    return found;
  };
  return nextMessage(
    { eventsAfter, watch: () => ({ next: async () => undefined, close: () => undefined }) },
    key,
    3,
    signal,
  );
};

it('is answered by what came while the store was away', async () => {
  const away = new StorageUnavailableError('away', { cause: undefined });
  expect(await waitFor([[], away, away, [answered]])).toEqual(reply);
});

it('is answered by nothing once its task is told to end, the store being away or not', async () => {
  const ended = new AbortController();
  ended.abort();
  expect(await waitFor([new StorageUnavailableError('away', { cause: undefined })], ended.signal)).toBeUndefined();
});

it('ends with what is no outage', async () => {
  await expect(waitFor([[], new Error('a bug')])).rejects.toThrow('a bug');
});
