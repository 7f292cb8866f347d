import { AgentCard, Message, SendMessageRequest, type Task } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { EXTENSION_URI } from '#protocol';
import { expectations } from './expectations.ts';
import { lapsesOnce } from './lapses-once.ts';

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
