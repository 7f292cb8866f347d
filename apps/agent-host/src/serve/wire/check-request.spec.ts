// What of a request is as it must be, in each binding and version: the SDK's codec would make something of all of it.
import type { ProtocolVersion } from '../../card/interfaces.ts';
import { withoutNulls } from './without-nulls.ts';
import { restShapes, rpcShapes } from './request-table.ts';

const m10 = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] };
const m03 = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] };

const rpc = (version: ProtocolVersion, method: string, params: unknown) =>
  rpcShapes[version].get(method)?.(params, '')?.field;

function rest(version: ProtocolVersion, method: string, path: string, read: { body?: unknown; query?: unknown }) {
  const shape = restShapes[version].find((each) => each.method === method && each.path.test(path));
  return (shape?.body?.(read.body, '') ?? shape?.query?.(read.query ?? {}, ''))?.field;
}

const send = (over: object, message: object = m10) =>
  rpc('1.0', 'SendMessage', { message: { ...message, ...over } })?.replace(/^message\.?/, '');
const send03 = (over: object) =>
  rpc('0.3', 'message/send', { message: { ...m03, ...over } })?.replace(/^message\.?/, '');
const rest03 = (over: object) => {
  const message = { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'x' }], ...over };
  return rest('0.3', 'POST', '/v1/message:send', { body: { message } })?.replace(/^message\.?/, '');
};

it.each<[object]>([
  [{}],
  [{ parts: [{ text: '' }, { raw: 'aGk_-w==' }, { url: 'x' }, { data: [null] }] }],
  [{ parts: [{ text: 'x', url: null, media_type: 'text/plain', nobodyKnows: 1 }] }],
  [{ role: 1, contextId: null, metadata: { a: null }, extensions: ['x'], reference_task_ids: [] }],
])('a message of 1.0 may be %j', (over) => expect(send(over)).toBeUndefined());

it.each<[object, string]>([
  [{ parts: undefined }, 'parts'],
  [{ parts: [] }, 'parts'],
  [{ parts: 'x' }, 'parts'],
  [{ parts: [null] }, 'parts[0]'],
  [{ parts: [{}] }, 'parts[0]'],
  [{ parts: [{ text: {} }] }, 'parts[0].text'],
  [{ parts: [{ text: 5 }] }, 'parts[0].text'],
  [{ parts: [{ text: 'x', url: 'y' }] }, 'parts[0]'],
  [{ parts: [{ data: null }] }, 'parts[0]'],
  [{ parts: [{ text: 'x' }, { raw: '@@@' }] }, 'parts[1].raw'],
  [{ parts: [{ text: 'x', metadata: [1] }] }, 'parts[0].metadata'],
  [{ messageId: 5 }, 'messageId'],
  [{ message_id: 'again' }, 'messageId'],
  [{ role: {} }, 'role'],
  [{ metadata: 'x' }, 'metadata'],
  [{ extensions: [5] }, 'extensions[0]'],
])('a message of 1.0 may not be %j', (over, field) => expect(send(over)).toBe(field));

it.each<[object, string | undefined]>([
  [{ returnImmediately: true, historyLength: 2, acceptedOutputModes: [] }, undefined],
  // ProtoJSON's numbers may be texts, and Python writes whole numbers as 2.0.
  [{ historyLength: '2', return_immediately: false }, undefined],
  [{ returnImmediately: 'false' }, 'configuration.returnImmediately'],
  [{ historyLength: 1.5 }, 'configuration.historyLength'],
  [{ historyLength: 'x' }, 'configuration.historyLength'],
  [{ taskPushNotificationConfig: { url: {} } }, 'configuration.taskPushNotificationConfig.url'],
])('a configuration %j', (configuration, field) =>
  expect(rpc('1.0', 'SendMessage', { message: m10, configuration })).toBe(field),
);

it.each<[string, unknown, string | undefined]>([
  ['GetTask', { id: 'x', historyLength: 0 }, undefined],
  ['GetTask', [], ''],
  ['GetTask', undefined, ''],
  ['GetTask', { id: 5 }, 'id'],
  ['CancelTask', {}, 'id'],
  ['ListTasks', { status: 3, statusTimestampAfter: '2026-01-01T00:00:00+02:00' }, undefined],
  ['ListTasks', { statusTimestampAfter: 5 }, 'statusTimestampAfter'],
  ['ListTasks', { statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter'],
  ['ListTasks', { includeArtifacts: 'false' }, 'includeArtifacts'],
  ['ListTasks', { pageToken: {} }, 'pageToken'],
  ['GetTaskPushNotificationConfig', { taskId: 'x' }, 'id'],
  ['GetExtendedAgentCard', undefined, undefined],
  ['toString', 5, undefined],
])('%s of 1.0 with %j', (method, params, field) => expect(rpc('1.0', method, params)).toBe(field));

it.each<[object, string | undefined]>([
  [{}, undefined],
  [{ contextId: null, parts: [{ kind: 'file', file: { uri: 'x', name: null } }] }, undefined],
  [{ parts: [null] }, 'parts[0]'],
  [{ parts: [{ kind: 'text' }] }, 'parts[0].text'],
  [{ parts: [{ kind: 'constructor' }] }, 'parts[0].kind'],
  [{ parts: [{ kind: 'file', file: null }] }, 'parts[0].file'],
  [{ parts: [{ kind: 'file', file: { bytes: null, uri: 'x' } }] }, undefined],
  [{ parts: [{ kind: 'data', data: { a: 1 }, metadata: null }] }, undefined],
  [{ parts: [{ kind: 'data', data: [] }] }, 'parts[0].data'],
  [{ taskId: 5 }, 'taskId'],
])('a message of 0.3 in JSON-RPC with %j', (over, field) => expect(send03(over)).toBe(field));

it('a push config of 0.3 names what it lacks', () => {
  const set = (config: unknown) =>
    rpc('0.3', 'tasks/pushNotificationConfig/set', { taskId: 'x', pushNotificationConfig: config });
  expect([set({ url: 'x' }), set({}), set(undefined), set({ url: 'x', authentication: { schemes: 'x' } })]).toEqual([
    undefined,
    'pushNotificationConfig.url',
    'pushNotificationConfig',
    'pushNotificationConfig.authentication.schemes',
  ]);
});

it.each<[object, string | undefined]>([
  [{}, undefined],
  [{ content: [{ file: { file_with_uri: 'x', mimeType: 'image/png' } }, { data: { data: { a: 1 } } }] }, undefined],
  [{ content: [null] }, 'content[0]'],
  [{ content: [] }, 'content'],
  [{ content: [{ text: {} }] }, 'content[0].text'],
  [{ content: [{ data: { data: null } }] }, 'content[0].data.data'],
])('a message of 0.3 in HTTP+JSON with %j', (over, field) => expect(rest03(over)).toBe(field));

it.each<[string, string, object, string | undefined]>([
  [
    'GET',
    '/tasks',
    { query: { pageSize: '5', status: 'TASK_STATE_WORKING', includeArtifacts: 'true', x: 'y' } },
    undefined,
  ],
  ['GET', '/tasks', { query: { pageSize: '', pageToken: '', statusTimestampAfter: '' } }, undefined],
  ['GET', '/tenant/tasks/', { query: { includeArtifacts: 'TRUE' } }, 'includeArtifacts'],
  ['GET', '/tasks', { query: { includeArtifacts: 'foo' } }, 'includeArtifacts'],
  ['GET', '/tasks', { query: { pageSize: '5.5' } }, 'pageSize'],
  ['GET', '/tasks', { query: { contextId: ['a', 'b'] } }, 'contextId'],
  ['GET', '/tasks/id', { query: { historyLength: '1.5' } }, 'historyLength'],
  ['GET', '/tasks/id', { query: { historyLength: '-1' } }, 'historyLength'],
  ['GET', '/tasks/id', { query: { historyLength: '99999999999' } }, 'historyLength'],
  ['GET', '/tasks/id', { query: { historyLength: ['0', '1'] } }, 'historyLength'],
  ['GET', '/tasks/id', { query: { historyLength: '1' } }, undefined],
  ['POST', '/message:send', { body: undefined }, ''],
  ['POST', '/tasks/id:cancel', { body: [1] }, ''],
  ['POST', '/tasks/id:cancel', { body: null }, undefined],
  ['POST', '/tasks/id/pushNotificationConfigs', { body: { url: 5 } }, 'url'],
])('%s %s of 1.0 with %j', (method, path, read, field) => expect(rest('1.0', method, path, read)).toBe(field));

it('a null of 0.3 in JSON-RPC is what is not given, but for the caller’s own data', () => {
  const own = { data: { a: null }, metadata: { b: [null] } };
  const params = { historyLength: null, message: { contextId: null, parts: [{ kind: 'data', ...own }, null] } };
  expect(withoutNulls(params)).toEqual({ message: { parts: [{ kind: 'data', ...own }, null] } });
  expect(withoutNulls({ metadata: null, data: null })).toEqual({});
});
