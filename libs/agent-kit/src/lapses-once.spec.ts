import { jest } from '@jest/globals';
import { AgentCard, Message, SendMessageRequest, Task } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { EXTENSION_URI } from '#protocol';
import { expectations } from './expectations.ts';
import { lapsesOnce } from './lapses-once.ts';
import { OwnLapseTasks } from './sdk-self-timing.ts';

const desk = expectations({
  lapseSkill: 'handle_lapse',
  kinds: { manifest: { subjectType: 'shipment', describes: 'the manifest of a shipment', basis: 'declared' } },
});
const card = desk.declareOn(
  AgentCard.fromJSON({ name: 'Desk', capabilities: { streaming: true }, skills: [{ id: 'handle_lapse' }] }),
);

let answeredCount: number;

let store: InMemoryTaskStore;
const executor = desk.executor(
  () => 'Booked.',
  () => {
    answeredCount += 1;

    return 'It is looked for.';
  },
);
const started = (): DefaultRequestHandler => lapsesOnce(new DefaultRequestHandler(card, store, executor));

beforeEach(() => {
  answeredCount = 0;

  store = new InMemoryTaskStore();
});

const lapse = {
  ...{ expectationId: 'exp-1', kind: 'manifest', subject: { type: 'shipment', id: 'PA-1' }, expects: 'it', lineage: 0 },
  ...{ lapse: 'overdue', projectedDueAt: '2026-09-10T10:00:00Z', dueAt: '2026-09-10T10:00:00Z' },
  lapsedAt: '2026-09-10T11:00:00Z',
};

const requestOf = (messageId: string, block?: object): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: Message.toJSON(
      Message.fromJSON({
        ...{ messageId, contextId: 'ctx-1', role: 'ROLE_USER', parts: [{ text: 'lapsed' }] },
        ...(block && { metadata: { [EXTENSION_URI]: block } }),
      }),
    ),
  });

const send = async (handler: DefaultRequestHandler, request: SendMessageRequest): Promise<string> =>
  ((await handler.sendMessage(request, new ServerCallContext())) as Task).id;

const lapsed = requestOf('lapse:exp-1:overdue:2026-09-10T10:00:00Z', { lapse });

it('makes one task of a lapse that comes twice, at once and later, and over a restart', async () => {
  const handler = started();
  const [one, two] = await Promise.all([send(handler, lapsed), send(handler, lapsed)]);
  expect([two, await send(handler, lapsed), await send(started(), lapsed)]).toEqual([one, one, one]);
  for await (const { payload } of handler.sendMessageStream(lapsed, new ServerCallContext())) {
    expect(payload).toMatchObject({ $case: 'task', value: { id: one } });
  }
  expect(answeredCount).toBe(1);
});

it('makes a task of each other message, whatever its id', async () => {
  const handler = started();
  expect(await send(handler, requestOf('booking'))).not.toBe(await send(handler, requestOf('booking')));
  expect((await handler.getAgentCard()).name).toBe('Desk');
  for await (const { payload } of handler.sendMessageStream(requestOf('booking'), new ServerCallContext())) {
    expect(payload?.$case).toBe('task');
  }
});

/** A handler that lists pages without end, and how many it was asked for. */
function endless(): { readonly handler: DefaultRequestHandler; readonly asked: string[] } {
  const handler = new DefaultRequestHandler(card, store, executor);
  const asked: string[] = [];
  handler.listTasks = async ({ statusTimestampAfter = '' }) => {
    asked.push(statusTimestampAfter);
    return { tasks: [], nextPageToken: 'more', pageSize: 100, totalSize: 1_000_000 };
  };
  return { handler, asked };
}

it('looks through no more of the context than has changed since the lapse, an hour for clocks that differ', async () => {
  const [one] = [await send(started(), lapsed)];
  for (let count = 0; count < 250; count += 1) {
    const status = { state: 'TASK_STATE_COMPLETED', timestamp: '2026-09-10T09:59:59Z' };
    await store.save(Task.fromJSON({ id: `old-${count}`, contextId: 'ctx-1', status }), new ServerCallContext());
  }
  const handler = new DefaultRequestHandler(card, store, executor);
  const list = jest.spyOn(handler, 'listTasks');
  const unknown = requestOf('lapse:exp-2:overdue', { lapse: { ...lapse, expectationId: 'exp-2' } });
  expect([await send(lapsesOnce(handler), lapsed), list.mock.calls.length]).toEqual([one, 1]);
  await send(lapsesOnce(handler), unknown);
  expect(list.mock.calls.map(([{ statusTimestampAfter }]) => statusTimestampAfter)).toEqual([
    '2026-09-10T10:00:00Z',
    '2026-09-10T10:00:00Z',
  ]);
});

it('answers once more where there is no end of tasks to look through; who makes lapse tasks itself makes none then', async () => {
  const { handler, asked } = endless();
  await send(lapsesOnce(handler), lapsed);
  expect([answeredCount, asked.length]).toEqual([1, 50]);
  const [message, metadata] = [Message.toJSON(lapsed.message!) as object, { [EXTENSION_URI]: { lapse } }];
  const own = new OwnLapseTasks(handler);
  await expect(own.find({ message: { ...message, metadata } } as never)).rejects.toThrow('more tasks than');
});
