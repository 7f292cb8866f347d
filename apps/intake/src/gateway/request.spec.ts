// What of a request passes to the agent, and where it goes.
import { activate, isEchoed } from './activation.ts';
import { forwardedAnswerHeaders, forwardedRequestHeaders, type HeaderPairs } from './forwarded-headers.ts';
import { readOperation } from './operation.ts';
import { targetOf } from './target.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';

describe('the place of a request', () => {
  it.each([
    ['https://a.example/rpc', '', '', '/rpc'],
    ['https://a.example/rpc/', '', 'x=1', '/rpc/?x=1'],
    ['https://a.example', '/message:send', '', '/message:send'],
    ['https://a.example/base/', '/tasks/a%2Fb', 'historyLength=1', '/base/tasks/a%2Fb?historyLength=1'],
    ['https://a.example/base?own=1', '/tasks', 'x', '/base/tasks?own=1&x'],
    ['https://a.example/base', '//b.example/x', '', '/base//b.example/x'],
  ])('under %s with %j and %j is %s', (url, below, query, path) => {
    expect(targetOf(url, below, query)).toEqual({ origin: 'https://a.example', path });
  });

  it.each([
    '/..',
    '/../x',
    '/a/../b',
    '/%2e%2E/x',
    '/.%2e',
    '/a/.',
    '/..%2fx',
    '/..;a/x',
    '/..\\x',
    '/a%5c..',
    '/a b',
    '/%00',
  ])('is not %s', (below) => {
    expect(() => targetOf('https://a.example/base', below, '')).toThrow('must not have');
  });
});

describe('the headers of a request', () => {
  const names = (headers: HeaderPairs) => headers.map(([name]) => name.toLowerCase());

  it('pass, but those of the connection and the watcher’s own', () => {
    const headers: HeaderPairs = [
      ['Host', 'gateway'],
      ['Authorization', 'Bearer a'],
      ['Connection', 'close, X-Hop'],
      ['X-Hop', '1'],
      ['Transfer-Encoding', 'chunked'],
      ['Duewatch-Key', 'dw_x'],
      ['Accept-Encoding', 'gzip'],
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
    ];
    expect(forwardedRequestHeaders(headers)).toEqual([
      ['Authorization', 'Bearer a'],
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
      ['Accept-Encoding', 'identity'],
      ['Via', '1.1 duewatch'],
    ]);
  });

  it('end where a card leads back to the gateway', () => {
    let headers: HeaderPairs = [['Via', '1.0 fred']];
    for (const _ of [1, 2, 3]) headers = forwardedRequestHeaders(headers);
    expect(names(headers)).toEqual(['accept-encoding', 'via']);
    expect(() => forwardedRequestHeaders(headers)).toThrow('leads back');
  });
});

it('the headers of an answer pass, but those of the connection, of the whole host, and what is no header', () => {
  const headers = {
    'content-type': 'application/json',
    warning: ['199 a b', '199 a c'],
    'set-cookie': ['a=1', 'b=2'],
    ...{ 'service-worker-allowed': '/', 'clear-site-data': '"*"', 'strict-transport-security': 'max-age=1' },
    ...{ 'alt-svc': 'h2=":1"', refresh: '0; /x', nel: '{}', 'report-to': '{}' },
    connection: 'x-hop',
    'x-hop': '1',
    'keep-alive': 'timeout=5',
    'transfer-encoding': 'chunked',
    'x-bad': 'a\u2028b',
  };
  expect([...forwardedAnswerHeaders(headers).keys()]).toEqual(['content-type', 'warning']);
});

describe('the extension', () => {
  const lists = (headers: HeaderPairs, isLegacy: boolean) => {
    const activated = activate(headers, URI, isLegacy).headers.map(([name, value]): [string, string] => [name, value]);
    return Object.fromEntries(activated);
  };

  it('is activated on top of what the client activates, by the name that the wire has', () => {
    expect(lists([], false)).toEqual({ 'A2A-Extensions': URI });
    expect(lists([], true)).toEqual({ 'X-A2A-Extensions': URI });
    expect(
      lists(
        [
          ['a2a-extensions', 'https://x, https://y'],
          ['A2A-Extensions', 'https://z'],
        ],
        false,
      ),
    ).toEqual({
      'A2A-Extensions': `https://x, https://y, https://z, ${URI}`,
    });
    expect(lists([['A2A-Extensions', 'https://x']], true)).toEqual({
      'A2A-Extensions': `https://x, ${URI}`,
      'X-A2A-Extensions': `https://x, ${URI}`,
    });
    expect(lists([['X-A2A-Extensions', URI]], true)).toEqual({ 'X-A2A-Extensions': URI });
  });

  it('is not activated towards an agent that does not declare it, unless the client does', () => {
    expect(activate([['Accept', '*']], undefined, false)).toEqual({ headers: [['Accept', '*']], isActivated: false });
    expect(activate([['A2A-Extensions', URI]], undefined, false).isActivated).toBe(true);
  });

  it('is echoed by either name', () => {
    expect(isEchoed({ 'a2a-extensions': ['https://x', `https://y, ${URI}`] }, URI)).toBe(true);
    expect(isEchoed({ 'x-a2a-extensions': URI }, URI)).toBe(true);
    expect(isEchoed({ 'a2a-extensions': `${URI}1` }, URI)).toBe(false);
  });
});

describe('what a request asks for', () => {
  const read = (binding: 'jsonrpc' | 'rest', below: string, body: string, method = 'POST') =>
    readOperation({ tenant: 'acme', binding, method, below, body: Buffer.from(body) });

  it.each<[string, 'jsonrpc' | 'rest', string, unknown]>([
    ['send', 'jsonrpc', '', { id: 1, method: 'SendMessage', params: { message: { messageId: 'm', taskId: 't' } } }],
    ['send', 'jsonrpc', '', { id: 1, method: 'message/send', params: { message: { messageId: 'm', taskId: 't' } } }],
    ['stream', 'jsonrpc', '', { method: 'message/stream', params: { message: { message_id: 'm', task_id: 't' } } }],
    ['send', 'rest', '/message:send', { message: { messageId: 'm', taskId: 't' } }],
    ['send', 'rest', '/own/message%3Asend/', { message: { messageId: 'm', taskId: 't' } }],
    ['send', 'rest', '//Message:Send;x=1', { message: { messageId: 'm', taskId: 't' } }],
    ['stream', 'rest', '/v1/message:stream', { request: { messageId: 'm', taskId: 't' } }],
  ])('%s over %s%s', async (kind, binding, below, body) => {
    expect(await read(binding, below, JSON.stringify(body))).toMatchObject({
      kind,
      message: { messageId: 'm', taskId: 't' },
    });
  });

  it.each<[string, 'jsonrpc' | 'rest', string, string, string?]>([
    ['other', 'jsonrpc', '', '{"method":"GetTask"}'],
    ['card', 'jsonrpc', '', '{"method":"GetExtendedAgentCard"}'],
    ['other', 'rest', '/message:send', '', 'GET'],
    ['other', 'rest', '/tasks/%E0%A4%A', ''],
    ['card', 'rest', '/v1/card', '', 'GET'],
    ['other', 'rest', '/tasks/t/pushNotificationConfigs', 'nonsense'],
  ])('%s over %s%s with %j', async (kind, binding, below, body, method = 'POST') => {
    expect((await read(binding, below, body, method)).kind).toBe(kind);
  });

  it.each<[string, 'jsonrpc' | 'rest', string, string]>([
    ['what is no JSON', 'jsonrpc', '', 'nonsense'],
    ['nothing', 'jsonrpc', '', ''],
    ['a batch', 'jsonrpc', '', '[{"method":"SendMessage"}]'],
    ['a method named twice', 'jsonrpc', '', '{"method":"GetTask","method":"SendMessage"}'],
    ['a method by capitals', 'jsonrpc', '', '{"method":"GetTask","METHOD":"SendMessage"}'],
    ['params by capitals', 'jsonrpc', '', '{"method":"SendMessage","Params":{"message":{}}}'],
    ['no method', 'jsonrpc', '', '{"id":1}'],
    ['what is no UTF-8', 'jsonrpc', '', '{"method":"GetTask","x":"\xff"}'],
    ['what is too deep', 'jsonrpc', '', `{"method":"GetTask","params":${'['.repeat(65)}${']'.repeat(65)}}`],
    ['a message that is no JSON', 'rest', '/message:send', 'nonsense'],
    ['a list of messages', 'rest', '/v1/message:stream', '[{"message":{}}]'],
    ['a message named twice', 'rest', '/message:send', '{"message":{},"message":{"messageId":"m"}}'],
  ])('is not read out of %s, which is refused', async (_, binding, below, body) => {
    const bytes = Buffer.from(body, 'latin1');
    const read = readOperation({ tenant: 'acme', binding, method: 'POST', below, body: bytes });
    await expect(read).rejects.toMatchObject({ type: expect.stringMatching(/^(malformed-body|body-too-large)$/) });
  });

  it('has no id that no store keeps', async () => {
    const message = { messageId: 'm\0', contextId: 7, taskId: 'x'.repeat(2_000) };
    const { message: sent } = await read('rest', '/message:send', JSON.stringify({ message }));
    expect(sent).toEqual({ value: message });
  });
});
