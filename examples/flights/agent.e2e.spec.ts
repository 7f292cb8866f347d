// The agent as its own process, spoken to as any A2A client would.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { BookingClient } from './booking-client.ts';
import { declaration, expectationsUri } from './extension.ts';
import { type Booking, expectationsOf } from './flights.ts';
import type { ReceivedLapse } from './lapse-record.ts';

let agent: ChildProcess;
let agentUrl: string;

beforeAll(async () => {
  agent = spawn(process.execPath, ['dist/examples/flights/agent.js', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(agent.stdout!), 'line')) as [string];
  agentUrl = line.replace('listening ', '');
});

afterAll(async () => {
  const ended = once(agent, 'exit');
  agent.kill();
  await ended;
});

const booking: Booking = {
  subject: 'EK203',
  origin: 'DXB',
  destination: 'DOH',
  scheduledDepartureAt: '2030-01-01T10:00:00Z',
  grace: 'PT15M',
  arrival: { scheduledArrivalAt: '2030-01-01T11:00:00Z', offset: 'PT1H', horizon: '2030-01-01T23:00:00Z' },
};

interface Binding {
  readonly path: string;
  readonly bodyOf: (message: object) => object;
}

/** A task as it comes over the wire, as far as the tests read it. */
interface WireTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly message: { readonly parts: [{ readonly text: string }] } };
  readonly artifacts: readonly { readonly metadata?: Readonly<Record<string, { readonly expectations: unknown }>> }[];
}

const jsonRpc: Binding = {
  path: '/rpc',
  bodyOf: (message) => ({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
};
const rest: Binding = { path: '/rest/message:send', bodyOf: (message) => ({ message }) };

/** Sends a message by plain HTTP; returns the task and the extensions that the answer's header echoes. */
async function send(
  message: object,
  { path, bodyOf }: Binding = jsonRpc,
  headers: Record<string, string> = { 'A2A-Extensions': expectationsUri },
): Promise<{ task: WireTask; extensions: string | null }> {
  const response = await fetch(`${agentUrl}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...headers },
    body: JSON.stringify(bodyOf({ role: 'ROLE_USER', ...message })),
  });
  const body = (await response.json()) as { result?: { task: WireTask }; task: WireTask };
  return { task: (body.result ?? body).task, extensions: response.headers.get('a2a-extensions') };
}

function askFor(flights: unknown): object {
  return { messageId: 'ask', parts: [{ data: { flights } }] };
}

function expectationsIn(task: WireTask): unknown[] {
  return task.artifacts.map(({ metadata }) => metadata?.[expectationsUri]?.expectations);
}

it('declares what it expects on its card, in the form of the protocol', async () => {
  const card: unknown = await (await fetch(`${agentUrl}/.well-known/agent-card.json`)).json();
  expect(card).toMatchObject({
    capabilities: { extensions: [{ uri: expectationsUri, params: declaration }] },
    skills: [{ id: 'book_flight' }, { id: 'handle_lapse' }],
    supportedInterfaces: [{ url: `${agentUrl}/rpc` }, { url: `${agentUrl}/rest` }],
  });
});

it('names on its card where it is told to be reached, and says so', async () => {
  const url = 'http://agent.example:8421';
  const other = spawn(process.execPath, ['dist/examples/flights/agent.js', '0', '--url', `${url}/`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(other.stdout), 'line')) as [string];
  other.kill();
  await once(other, 'exit');
  expect(line).toBe(`listening ${url}`);
});

it.each([['x'], ['0', '--url', 'ftp://a'], ['0', '--port', '1']])('says how it is used: %j', async (...args) => {
  const other = spawn(process.execPath, ['dist/examples/flights/agent.js', ...args], { stdio: 'ignore' });
  expect(await once(other, 'exit')).toEqual([2, null]);
});

it('books flights for a client of the SDK, an artifact each, raising what it expects of them', async () => {
  const flights = [booking, { ...booking, subject: 'EK204' }];
  const task = await (await BookingClient.connect(agentUrl)).book('book-1', flights);
  expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  expect(expectationsIn(task as WireTask)).toEqual(flights.map(expectationsOf));
});

it.each([jsonRpc, rest])('echoes the activated extension at $path', async (binding) => {
  const { task, extensions } = await send(askFor([booking]), binding);
  expect(extensions).toBe(expectationsUri);
  expect(expectationsIn(task)).toEqual([expectationsOf(booking)]);
});

it.each([jsonRpc, rest])('expects nothing aloud at $path where the extension is not activated', async (binding) => {
  const { task, extensions } = await send(askFor([booking]), binding, {});
  expect(extensions).toBeNull();
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(expectationsIn(task)).toEqual([undefined]);
});

it('takes a booking of many flights', async () => {
  const flights = Array.from({ length: 500 }, (_, index) => ({
    ...booking,
    subject: `EK${index}`,
    remark: 'x'.repeat(500),
  }));
  const { task } = await send(askFor(flights));
  expect(task.artifacts).toHaveLength(500);
});

it.each([
  ['nothing', undefined, 'at least one flight'],
  ['too many flights', Array(501).fill(booking), 'at most 500'],
  ['a flight without a name', [booking, { ...booking, subject: '' }], 'flights[1].subject'],
  ['half an arrival', [{ ...booking, arrival: { offset: 'PT1H' } }], 'flights[0].arrival.scheduledArrivalAt'],
])('rejects %s, naming what is wrong', async (_, flights, words) => {
  const { task } = await send(askFor(flights));
  expect(task.status.state).toBe('TASK_STATE_REJECTED');
  expect(task.status.message.parts[0].text).toContain(words);
});

it('answers for a lapse in one task of the same context, however often the message comes, and lists it once', async () => {
  const lapse = {
    expectationId: 'EK203.departure',
    expects: 'EK203 departs from DXB',
    lapse: 'overdue',
    dueAt: booking.scheduledDepartureAt,
  };
  const message = {
    messageId: 'lapse:EK203.departure:overdue:2030-01-01T10:00:00Z',
    contextId: 'context-1',
    referenceTaskIds: ['task-1'],
    parts: [{ text: 'EK203 has not departed.' }],
    metadata: { [expectationsUri]: { lapse } },
  };
  const answers = await Promise.all([send(message), send(message)]);
  answers.push(await send(message, rest));

  const { task } = answers[0];
  expect(new Set(answers.map((answer) => answer.task.id))).toEqual(new Set([task.id]));
  expect(task).toMatchObject({ contextId: 'context-1', status: { state: 'TASK_STATE_COMPLETED' } });
  expect(task.status.message.parts[0].text).toContain('EK203 departs from DXB');

  const received = (await (await fetch(`${agentUrl}/lapses`)).json()) as ReceivedLapse[];
  expect(received).toEqual([
    {
      messageId: message.messageId,
      contextId: 'context-1',
      referenceTaskIds: ['task-1'],
      text: 'EK203 has not departed.',
      lapse,
      receivedAt: expect.any(String),
      taskId: task.id,
      receivedCount: 3,
    },
  ]);
});
