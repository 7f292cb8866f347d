// What an agent's answer to an inject means, by an agent over HTTP that answers as a test says.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REMINDERS_URI } from '#reminders';
import { systemClock } from '#runtime';
import { loopbackOutbound } from '#testing';
import type { OwnReminder } from './own-reminder.ts';
import { ReminderInjector } from './reminder-injector.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

const outbound = loopbackOutbound();
const injector = new ReminderInjector({ outbound, now: () => systemClock.now(), timeoutMs: 5_000 });
let server: Server;
let url: string;
let answers: Answer[];
let seen: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: unknown }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      seen.push({
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      });
      const { status = 200, headers = {}, json } = answers.shift() ?? {};
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof json === 'string' ? json : JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await outbound.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  [answers, seen] = [[], []];
});

const reminder: OwnReminder = {
  tenant: 'acme',
  expectation: {
    ...{ agentId: 'booking', expectationId: 'e1', taskId: 'task 1', recordedAt: [7, 0], expects: 'it departs' },
    subject: { type: 'flight', id: 'EK203' },
  },
  occasion: { type: 'dueSoon', dueAt: '2026-05-01T12:00:00Z' },
};

type Entry = { readonly binding?: string; readonly version?: string; readonly tenant?: string; readonly at?: string };

function inject(over: Entry = {}, capabilities: object = { reminders: { inject: true } }) {
  const { binding = 'JSONRPC', version = '1.0', tenant, at = url } = over;
  const entry = {
    url: at,
    protocolBinding: binding,
    protocolVersion: version,
    ...(tenant !== undefined && { tenant }),
  };
  const auth = { type: 'bearer', token: 'secret' } as const;
  const target = { card: { supportedInterfaces: [entry], capabilities }, cardUrl: `${url}/card`, auth };
  return injector.inject(target, 'task 1', reminder, new AbortController().signal);
}

const result = { json: { jsonrpc: '2.0', id: 1, result: { reminderId: 'r', dedupedCount: 0, acceptedAt: 'now' } } };
const error = (code: number, message = 'no') => ({ json: { jsonrpc: '2.0', id: 1, error: { code, message } } });
const task = (state: string) => ({
  json: { jsonrpc: '2.0', id: 1, result: { id: 'task 1', contextId: 'c', status: { state } } },
});

describe('it is sent', () => {
  it('in JSON-RPC, with the agent’s credential, for the task’s next turn and for the task alone', async () => {
    answers = [result];
    await expect(inject()).resolves.toEqual({ outcome: 'told' });
    expect(seen).toMatchObject([
      {
        headers: { authorization: 'Bearer secret', 'a2a-version': '1.0' },
        body: {
          ...{ jsonrpc: '2.0', method: 'InjectTaskReminder' },
          params: {
            taskId: 'task 1',
            reminder: {
              id: expect.stringMatching(/^due-soon:[0-9a-f]{32}$/),
              body: expect.stringContaining('it departs'),
              ...{ tags: ['expectation', 'due-soon'], source: 'duewatch', ttlTurns: 1, mode: 'finish_step' },
              ...{ propagate: 'REMINDER_PROPAGATION_NONE', roleHint: 'REMINDER_ROLE_HINT_DEVELOPER' },
            },
          },
        },
      },
    ]);
    expect(seen[0]?.headers['a2a-extensions']).toBeUndefined();
  });

  it.each<[Entry, string]>([
    [{ version: '1.0' }, '/base/tasks/task%201:injectReminder'],
    [{ version: '1.0', tenant: 'a b' }, '/base/a%20b/tasks/task%201:injectReminder'],
    [{ version: '0.3' }, '/base/v1/tasks/task%201:injectReminder'],
  ])('in HTTP+JSON as %j to %s', async (entry, path) => {
    answers = [{ json: { reminderId: 'r', dedupedCount: 0, acceptedAt: 'now' } }];
    await expect(inject({ ...entry, binding: 'HTTP+JSON', at: `${url}/base/` })).resolves.toEqual({ outcome: 'told' });
    expect(seen[0]?.path).toBe(path);
    expect(Object.keys(seen[0]?.body as object)).toEqual(['reminder']);
  });

  it('with the extension activated where the card declares it, and to a card that takes only what it says', async () => {
    answers = [result];
    const params = {
      inject: true,
      propagate: ['REMINDER_PROPAGATION_SESSION'],
      roleHints: ['REMINDER_ROLE_HINT_DEVELOPER'],
    };
    await inject({}, { extensions: [{ uri: REMINDERS_URI, required: true, params }] });
    expect(seen).toMatchObject([
      {
        headers: { 'a2a-extensions': REMINDERS_URI },
        body: {
          params: {
            reminder: { propagate: 'REMINDER_PROPAGATION_SESSION', roleHint: 'REMINDER_ROLE_HINT_DEVELOPER' },
          },
        },
      },
    ]);
  });

  it('under the same id for the same, and under another for another instant or occurrence', async () => {
    const idOf = async (over: Partial<OwnReminder>) => {
      answers = [result];
      const card = {
        supportedInterfaces: [{ url, protocolBinding: 'JSONRPC' }],
        capabilities: { reminders: { inject: true } },
      };
      await injector.inject({ card }, 'task 1', { ...reminder, ...over }, new AbortController().signal);
      return (seen.at(-1)?.body as { params: { reminder: { id: string } } }).params.reminder.id;
    };
    const first = await idOf({});
    expect(await idOf({})).toBe(first);
    const others = [
      await idOf({ occasion: { type: 'dueSoon', dueAt: '2026-05-01T13:00:00Z' } }),
      await idOf({ expectation: { ...reminder.expectation, recordedAt: [9, 0] } }),
      await idOf({ tenant: 'globex' }),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
  });

  it('to nobody whose card declares no reminders', async () => {
    await expect(inject({}, {})).resolves.toMatchObject({ outcome: 'untold', cause: 'unsupported' });
    expect(seen).toEqual([]);
  });
});

describe('an answer means', () => {
  it.each<[string, readonly Answer[], object]>([
    ['it has ended, where the agent shows so', [error(-32_602), task('TASK_STATE_COMPLETED')], { outcome: 'over' }],
    [
      'it was malformed, where the task runs',
      [error(-32_602, 'body'), task('TASK_STATE_WORKING')],
      { cause: 'refused', message: 'body' },
    ],
    ['nothing yet, where the agent does not show the task', [error(-32_602), { status: 503 }], { outcome: 'away' }],
    ['the task is unknown', [error(-32_001)], { cause: 'unknownTask' }],
    ['it takes none', [error(-32_601)], { cause: 'unsupported' }],
    ['an extension is required', [error(-32_008)], { cause: 'refused' }],
    ['it is to be sent again: an internal error', [error(-32_603)], { outcome: 'away' }],
    ['it is to be sent again: 503', [{ status: 503, json: 'busy' }], { outcome: 'away' }],
    [
      'it is to be sent again when it says',
      [{ status: 429, headers: { 'retry-after': '7' } }],
      { outcome: 'away', retryAfterMs: 7_000 },
    ],
    ['it is to be sent again: what nobody can read', [{ json: '<html>' }], { outcome: 'away' }],
    ['it does not let the watcher in', [{ status: 401, json: {} }], { cause: 'refused', message: 'HTTP 401' }],
    ['it is elsewhere, where nobody follows', [{ status: 307, headers: { location: '/x' } }], { cause: 'refused' }],
  ])('%s', async (_, given, meaning) => {
    answers = [...given];
    await expect(inject()).resolves.toMatchObject(meaning);
  });

  it.each<[string, Answer, object]>([
    [
      'the task is unknown',
      { status: 404, json: { error: { code: 404, message: 'no', details: [{ reason: 'TASK_NOT_FOUND' }] } } },
      { cause: 'unknownTask' },
    ],
    ['the task is unknown, in 0.3', { status: 404, json: { code: -32_001, message: 'no' } }, { cause: 'unknownTask' }],
    ['there is no such method', { status: 404, json: '<html>' }, { cause: 'unsupported' }],
    [
      'an extension is required',
      {
        status: 400,
        json: { error: { code: 400, message: 'no', details: [{ reason: 'EXTENSION_SUPPORT_REQUIRED' }] } },
      },
      { cause: 'refused' },
    ],
    [
      'it was malformed',
      { status: 400, json: { error: { code: 400, message: 'body' } } },
      { cause: 'refused', message: 'HTTP 400: body' },
    ],
  ])('in HTTP+JSON, %s', async (_, given, meaning) => {
    answers = [given, { json: { id: 'task 1', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }];
    await expect(inject({ binding: 'HTTP+JSON' })).resolves.toMatchObject(meaning);
  });

  it('it is to be sent again where nobody is there', async () => {
    await expect(inject({ at: 'http://127.0.0.1:1' })).resolves.toMatchObject({ outcome: 'away' });
  });
});
