// What of reminders is told to callers: on streams, by the card, and where it is refused.
import { createHash } from 'node:crypto';
import { REMINDERS_URI } from '#reminders';
import { until } from '#testing';
import { activating, inject, subscribe } from './inject.ts';
import { remindedAgent } from './reminded-agent.ts';
import { capabilities, RemindedService } from './reminded-service.ts';
import { isMessage, pathOf, request, ServedAgent, type Way } from './served-agent.ts';

const rpc: Way = ['JSONRPC', '1.0'];
const service = new RemindedService();
beforeAll(() => service.start());
afterAll(() => service.close());
beforeEach(() => service.forget());

describe.each<Way>([
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
])('a stream over %s of %s', (...each) => {
  /** What a subscriber is told of reminders while `work` happens, and of the end. */
  async function toldDuring(headers: object, work: (taskId: string) => Promise<void>): Promise<unknown[]> {
    const id = await service.holding();
    const events: unknown[] = [];
    for await (const event of subscribe(service.served.url, each, id, new AbortController().signal, { ...headers })) {
      if (events.length === 0) await work(id);
      events.push(event);
    }
    return events.slice(1);
  }

  const work = async (id: string): Promise<void> => {
    const once = { propagate: 'REMINDER_PROPAGATION_NONE', dedupeKey: 'k' };
    await service.injected(id, { id: 'old', body: 'old', ...once });
    await service.injected(id, { id: 'new', body: 'new', ttlTurns: 1, ...once });
    service.seen.stepsCount = 1;
    await until(() => service.seen.steps.length > 0, 'the step');
    service.seen.isOpen = true;
  };

  it('tells a client that activates the extension of each, in a member of its own, before the turn’s end', async () => {
    const events = await toldDuring(activating, work);
    const updates = events.map((event) => (event as { reminderUpdate?: Record<string, unknown> }).reminderUpdate);
    expect(updates.map((update) => update && [(update['reminder'] as { id: string }).id, update['reason']])).toEqual([
      ['old', undefined],
      ['new', undefined],
      ['old', 'REMINDER_DEDUPED'],
      ['new', 'REMINDER_EXPIRED'],
      undefined,
    ]);
    expect(updates[0]).toMatchObject({ reminder: { body: 'old', firedAtTurn: 1 }, metadata: {} });
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
  });

  it('tells of what ends with the task before it tells that the task has ended', async () => {
    const { id } = await service.sent('later');
    await service.injected(id, { body: 'for as long as it lives' });
    const events: unknown[] = [];
    for await (const event of subscribe(service.served.url, each, id, new AbortController().signal, activating)) {
      if (events.push(event) === 1) await service.sent('end', { taskId: id });
    }
    expect(events.slice(-2)).toMatchObject([
      { reminderUpdate: { taskId: id, reason: 'REMINDER_EXPIRED' } },
      { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
  });

  it('tells any other in a status that changes nothing', async () => {
    const [first, ...others] = await toldDuring({}, work);
    const reminder = expect.objectContaining({ id: 'old', body: 'old' });
    expect(first).toMatchObject({
      statusUpdate: {
        status: { state: 'TASK_STATE_WORKING' },
        metadata: { [REMINDERS_URI]: { reminder }, harn: { reminder } },
      },
    });
    expect(others).toHaveLength(4);
  });
});

it('a stock client reads a stream with reminders to its end', async () => {
  const id = await service.holding();
  const kinds: unknown[] = [];
  for await (const { payload } of (await service.served.client(['JSONRPC', '0.3'])).resubscribeTask({
    tenant: '',
    id,
  })) {
    if (kinds.length === 0) {
      await service.injected(id, { body: 'service.SBA' });
      service.seen.isOpen = true;
    }
    kinds.push(
      payload?.$case === 'statusUpdate' ? payload.value.metadata?.[REMINDERS_URI] !== undefined : payload?.$case,
    );
  }
  expect(kinds).toEqual(['task', true, false]);
  expect(JSON.stringify(await service.get(id))).not.toContain('service.SBA');
});

it('a stock client that streams a message is told of what it carries, and the answer is as ever', async () => {
  const asked = request('say');
  if (asked.message !== undefined) asked.message.metadata = { harn: { reminder: { body: 'with it' } } };
  const told: unknown[] = [];
  for await (const { payload } of (await service.served.client(['HTTP+JSON', '1.0'])).sendMessageStream(asked)) {
    if (payload?.$case === 'statusUpdate') told.push(payload.value.metadata?.['harn']);
  }
  expect(service.told('say')).toEqual(['with it']);
  // The task is shown as it begins: accepted before, expired with the task.
  expect(told.filter((each) => each !== undefined).at(-1)).toMatchObject({ reminder: { reason: 'REMINDER_EXPIRED' } });
});

describe('the card', () => {
  it('says it as the capability and as the extension', async () => {
    const response = await fetch(`${service.served.url}/.well-known/agent-card.json`, {
      headers: { 'A2A-Version': '1.0' },
    });
    const card = (await response.json()) as { capabilities: { reminders: object; extensions: object[] } };
    expect(card.capabilities.reminders).toMatchObject({ inject: true, emit: true });
    expect(card.capabilities.extensions).toMatchObject([{ uri: REMINDERS_URI, params: card.capabilities.reminders }]);
  });
});

describe('another card', () => {
  const served = async (card: object, work: (other: ServedAgent, id: string) => Promise<void>): Promise<void> => {
    const other = await ServedAgent.start(remindedAgent(service.seen), {
      card: { capabilities: { streaming: true, ...card } },
    });
    try {
      const client = await other.client(rpc, activating);
      const task = await client.sendMessage(request('later'));
      await work(other, isMessage(task) ? '' : task.id);
    } finally {
      await other.close();
    }
  };

  it('that claims none has no such method', () =>
    served({}, async ({ url }, id) => {
      expect(await inject(url, rpc, id, { body: 'b' })).toMatchObject({ code: -32601 });
      expect(await inject(url, ['JSONRPC', '0.3'], id, { body: 'b' })).toMatchObject({ code: -32601 });
      const headers = { 'A2A-Version': '1.0', 'content-type': 'application/json' };
      const asked = { method: 'POST', headers, body: '{}' };
      const response = await fetch(`${url}${pathOf(['HTTP+JSON', '1.0'])}/tasks/${id}:injectReminder`, asked);
      expect(response.status).toBe(404);
    }));

  it('of an agent with several users shows another’s task to nobody', async () => {
    const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
    const security = { key: { sha256ByUser: { alice: hashOf('hers'), bob: hashOf('his') } } };
    const other = await ServedAgent.start(
      { ...remindedAgent(service.seen), security },
      {
        card: {
          capabilities,
          securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key' } } },
          securityRequirements: [{ schemes: { key: { list: [] } } }],
        },
      },
    );
    const alice = { 'X-Api-Key': 'hers' };
    const bob = { 'X-Api-Key': 'his' };
    try {
      const task = await (await other.client(rpc, alice)).sendMessage(request('later'));
      const id = isMessage(task) ? '' : task.id;
      expect(await inject(other.url, rpc, id, { body: 'b' }, bob)).toMatchObject({ code: -32001 });
      expect(await inject(other.url, ['HTTP+JSON', '0.3'], id, { body: 'b' }, bob)).toMatchObject({ code: 404 });
      expect(await inject(other.url, rpc, id, { body: 'b' }, alice)).toMatchObject({ code: 0 });
    } finally {
      await other.close();
    }
  });

  it('that requires the extension refuses whoever does not activate it', () =>
    served({ extensions: [{ uri: REMINDERS_URI, required: true }] }, async ({ url }, id) => {
      expect(await inject(url, rpc, id, { body: 'b' })).toMatchObject({ code: -32008 });
      expect(await inject(url, ['HTTP+JSON', '1.0'], id, { body: 'b' })).toMatchObject({ code: 400 });
      expect(await inject(url, rpc, id, { body: 'b' }, activating)).toMatchObject({ code: 0 });
    }));
});
