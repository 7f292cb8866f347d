// Requests that nobody should send, each with the code and the words that it must be answered with.

/** A request of the administrator's: the body is sent as JSON unless it is text or bytes, which are sent as they are. */
export interface BadRequest {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly says: RegExp;
}

const bytes = (...values: (number | string)[]): Uint8Array =>
  Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.of(value))));
const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
export const fact = (factKey: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  factKey,
  observedAt: hourAgo,
  ...more,
});
const text = (value: unknown): string => JSON.stringify(value);
const long = 'x'.repeat(1_025);
const post = { method: 'POST', path: '/v1/facts' };
const observe = { method: 'POST', path: '/v1/observations' };
const lines = { 'content-type': 'application/x-ndjson' };
const status = { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };

const bodies: readonly BadRequest[] = [
  { ...post, name: 'an empty body', body: '', status: 400, says: /it is empty/ },
  { ...post, name: 'half a body', body: '{"factKey":"a",\n"obs', status: 400, says: /line 2, column \d/ },
  { ...post, name: 'a comma too many', body: '[1,\n2,]', status: 400, says: /line 2, column 3/ },
  { ...post, name: 'two values', body: '{} {}', status: 400, says: /line 1, column 4/ },
  { ...post, name: 'what is JavaScript', body: "{'factKey':1}", status: 400, says: /line 1, column 2/ },
  { ...post, name: 'NaN', body: '{"a":NaN}', status: 400, says: /line 1, column 6/ },
  { ...post, name: 'a number past a double', body: '{"a":1e999}', status: 400, says: /number is too large/ },
  { ...post, name: 'a raw NUL', body: '{"factKey":"a\0b"}', status: 400, says: /line 1, column 14/ },
  { ...post, name: 'no UTF-8', body: bytes('[\n"', 0xff, '"]'), status: 400, says: /not UTF-8 in line 2/ },
  { ...post, name: 'overlong UTF-8', body: bytes('["', 0xc0, 0x80, '"]'), status: 400, says: /not UTF-8 in line 1/ },
  { ...post, name: 'half a character', body: bytes('["', 0xed, 0xa0, 0x80, '"]'), status: 400, says: /not UTF-8/ },
  { ...post, name: 'UTF-16', body: bytes(0xff, 0xfe, '[', 0, ']', 0), status: 400, says: /not UTF-8/ },
  { ...post, name: 'only a byte-order mark', body: bytes(0xef, 0xbb, 0xbf), status: 400, says: /it is empty/ },
  { ...post, name: '20,000 arrays', body: '['.repeat(20_000), status: 400, says: /deeper than 64 at line 1/ },
  { ...post, name: '20,000 objects', body: '{"a":'.repeat(20_000), status: 400, says: /deeper than 64/ },
  { ...post, name: 'a member twice', body: '{"factKey":"a",\n"factKey":"b"}', status: 400, says: /twice at line 2/ },
  { ...post, name: 'one in two spellings', body: '{"a":1,"\\u0061":2}', status: 400, says: /twice at line 1/ },
  { ...post, name: '__proto__ twice', body: '{"__proto__":1,"__proto__":2}', status: 400, says: /twice/ },
  { ...post, name: 'two spellings, deep', body: '[[{"b":{"a":1,"\\u0061":2}}]]', status: 400, says: /twice/ },
  { ...post, name: 'a byte more than 10 MB', body: ' '.repeat(10_000_001), status: 413, says: /at most 10000000/ },
  {
    ...post,
    name: 'a million members',
    body: `{${'"a":1,'.repeat(1_000_000)}"b":1}`,
    status: 413,
    says: /10000 members at line 1/,
  },
  { ...post, name: '100,001 facts', body: `[${'1,'.repeat(100_000)}1]`, status: 413, says: /at most 100000 items/ },
  { ...post, name: '100,001 lines', headers: lines, body: '1\n'.repeat(100_001), status: 413, says: /100000 items/ },
];

const heads: readonly BadRequest[] = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    'application/jsonx',
  ].map((type) => ({
    ...post,
    name: type,
    headers: { 'content-type': type },
    body: '[]',
    status: 415,
    says: /Content-Type/,
  })),
  ...['gzip', 'br', 'identity, gzip', 'nonsense'].map((encoding) => ({
    ...{ ...post, name: encoding, headers: { 'content-encoding': encoding }, body: '[]' },
    ...{ status: 415, says: /Content-Encoding/ },
  })),
  ...['utf-16', 'latin1', '"utf-16"'].map((charset) => ({
    ...{ ...post, name: charset, headers: { 'content-type': `application/json; charset=${charset}` }, body: '[]' },
    ...{ status: 415, says: /charset must be utf-8/ },
  })),
  { ...observe, name: 'lines of observations', headers: lines, body: '{}', status: 415, says: /application\/json/ },
  { ...post, name: 'no key', headers: { authorization: '' }, body: '[]', status: 401, says: /Bearer KEY/ },
  { ...post, name: 'another key', headers: { authorization: 'Bearer x' }, body: '[]', status: 401, says: /known/ },
];

const fields: readonly BadRequest[] = [
  ...[null, 7, 'text', true, []].map((observation) => ({
    ...{
      ...observe,
      name: `the observation ${text(observation)}`,
      body: Array.isArray(observation) ? [[]] : text(observation),
    },
    ...(Array.isArray(observation)
      ? { status: 207, says: /must be an object/ }
      : { status: 422, says: /must be an object/ }),
  })),
  { ...observe, name: 'no agent', body: { statusUpdate: status }, status: 422, says: /\$\.agentId must be a text/ },
  { ...observe, name: 'an agent of another type', body: { agentId: {}, task: {} }, status: 422, says: /\$\.agentId/ },
  { ...observe, name: 'NUL in an id', body: { agentId: 'a\0', task: {} }, status: 422, says: /\$\.agentId .*NUL/ },
  {
    ...{ ...observe, name: 'half a character in an id', body: '{"agentId":"\\ud800","task":{}}' },
    ...{ status: 422, says: /\$\.agentId .*half/ },
  },
  { ...observe, name: 'a long id', body: { agentId: long, task: {} }, status: 422, says: /\$\.agentId .*1,024/ },
  { ...observe, name: 'nothing observed', body: { agentId: 'booking' }, status: 422, says: /exactly one of task/ },
  {
    ...observe,
    name: 'an agent nobody knows',
    body: { agentId: 'no', statusUpdate: status },
    status: 404,
    says: /"no"/,
  },
  {
    ...{ ...observe, name: 'a task without a status', body: { agentId: 'booking', task: { id: 't', contextId: 'c' } } },
    ...{ status: 422, says: /\$\.task\.status must be an object/ },
  },
  { ...post, name: 'a fact that is null', body: null, status: 422, says: /JSON object/ },
  { ...post, name: 'no key of a fact', body: { observedAt: hourAgo }, status: 422, says: /factKey/ },
  { ...post, name: 'an empty one', body: fact(''), status: 422, says: /factKey/ },
  { ...post, name: 'a long one', body: fact(long), status: 422, says: /factKey is longer than 1,024/ },
  { ...post, name: 'NUL in one', body: fact('a\0'), status: 422, says: /factKey holds a NUL/ },
  {
    ...post,
    name: 'NUL deep in a fact',
    body: fact('k', { a: [{ b: '\0' }] }),
    status: 422,
    says: /a\[0\]\.b holds a NUL/,
  },
  { ...post, name: 'a long source', body: fact('k', { source: long }), status: 422, says: /source/ },
  { ...post, name: 'a source of another type', body: fact('k', { source: 7 }), status: 422, says: /source must be/ },
  { ...post, name: 'more than 512 kB', body: fact('k', { a: 'x'.repeat(512_001) }), status: 422, says: /512 kB/ },
  ...[1789094460, 1789094460000, '1789094460', '2026-09-11', '2026-09-11T02:41:00', '2026-09-11T02:41:00+25:00'].map(
    (observedAt) => ({
      ...{ ...post, name: `observed at ${text(observedAt)}`, body: fact('k', { observedAt }) },
      ...{ status: 422, says: /observedAt/ },
    }),
  ),
  ...['+12026-01-01T00:00:00Z', '58700-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '1789094460000000000'].map(
    (observedAt) => ({
      ...{
        ...post,
        name: `observed at ${observedAt}`,
        body: fact('k', { observedAt }),
        status: 422,
        says: /observedAt/,
      },
    }),
  ),
  { method: 'PUT', path: '/v1/agents/a', name: 'no card', body: {}, status: 422, says: /cardUrl must be a text/ },
  { method: 'PUT', path: '/v1/agents/a', name: 'a file', body: { cardUrl: 'file:///x' }, status: 422, says: /http/ },
  {
    method: 'PUT',
    path: '/v1/agents/%00',
    name: 'NUL for an agent',
    body: { cardUrl: 'x' },
    status: 422,
    says: /agentId/,
  },
  { method: 'PUT', path: `/v1/agents/${long}`, name: 'a long one', body: {}, status: 422, says: /agentId .*1024/ },
  {
    method: 'POST',
    path: '/v1/keys',
    name: 'a key of no scope',
    body: { name: 'k', scopes: [] },
    status: 422,
    says: /scopes/,
  },
  {
    ...{
      method: 'POST',
      path: '/v1/keys',
      name: '__proto__ in a key',
      body: '{"name":"k","__proto__":{"scopes":["admin"]}}',
    },
    ...{ status: 422, says: /__proto__ is not known/ },
  },
];

const questions: readonly BadRequest[] = [
  ...['-1', '0', '1001', '1e3', '99999999999999999999', 'ten'].map((limit) => ({
    ...{ name: `the limit ${limit}`, path: `/v1/expectations?limit=${limit}`, status: 422, says: /limit must be/ },
  })),
  ...['x', '1', '-1.2', '1.2.3', '1.99999999999999999', '1.2%00'].map((cursor) => ({
    ...{ name: `the cursor ${cursor}`, path: `/v1/lapses?cursor=${cursor}`, status: 422, says: /cursor/ },
  })),
  {
    ...{ name: 'a cursor past all time', path: '/v1/expectations?status=open&order=due&cursor=9007199254740991.1.1' },
    ...{ status: 422, says: /cursor/ },
  },
  ...['x', '1', '1-', '-1', '1-2-3', '99999-1', '0-1&after=0-2'].map((after) => ({
    ...{ name: `after ${after}`, path: `/v1/facts?after=${after}`, status: 422, says: /after must be/ },
  })),
  ...['garbage', '1', '99999-1', '-1--1', '0-999999999999'].map((id) => ({
    ...{ name: `the last event ${id}`, path: '/v1/events', headers: { 'last-event-id': id } },
    ...{ status: 422, says: /Last-Event-ID/ },
  })),
  { name: 'a parameter nobody knows', path: '/v1/lapses?a[b][c]=1', status: 422, says: /a\[b\]\[c\] is not known/ },
  { name: '__proto__ for one', path: '/v1/lapses?__proto__=1', status: 422, says: /__proto__ is not known/ },
  { name: 'one twice', path: '/v1/expectations?kind=a&kind=b', status: 422, says: /kind must be given once/ },
  { name: 'no percent-encoding', path: '/v1/expectations/%zz/x', status: 400, says: /%zz/ },
  { name: 'percent-encoded bytes', path: '/v1/expectations/%ff/x', status: 400, says: /%ff/ },
  { name: 'NUL for an id', path: '/v1/expectations/%00/%00', status: 404, says: /no such expectation/ },
  { name: 'NUL for a subject', path: '/v1/subjects/%00/%00/timeline', status: 404, says: /nothing is recorded/ },
  { name: 'NUL for a decision', path: '/v1/decisions/%00', status: 404, says: /nothing of yours/ },
  { name: 'a way out of the folder', path: '/web/..%2F..%2Fpackage.json', status: 404, says: /no such file/ },
  { name: 'nothing there', path: '/v1/nothing', status: 404, says: /\/v1\/nothing/ },
  { name: 'another method', method: 'DELETE', path: '/v1/facts', status: 404, says: /DELETE/ },
];

export const badRequests: readonly BadRequest[] = [...bodies, ...heads, ...fields, ...questions];
