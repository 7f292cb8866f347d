// What an agent can do in a browser that has the watcher's own page open, at the same host.
import { GatewayRig } from '#testing';
import { IntakeModule } from '../intake.module.ts';

describe('in a browser, at the host of the watcher’s own page', () => {
  let rig: GatewayRig;

  beforeAll(async () => {
    rig = await GatewayRig.start([IntakeModule]);
  });

  afterEach(() => rig.restore());

  afterAll(() => rig.close());

  const sandboxed = {
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
  const headersOf = (answer: Response) => Object.fromEntries(answer.headers);
  const asking = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } });

  it.each<[string, string | undefined]>([
    ['text/html', 'attachment'],
    ['text/javascript', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/json-seq', 'attachment'],
    ['application/json; charset=utf-8', undefined],
    ['application/problem+json', undefined],
    ['text/event-stream', undefined],
  ])('runs nothing of an answer of %s', async (type, disposition) => {
    rig.agent.answers.push((_, response) => {
      response.writeHead(200, {
        ...{ 'content-type': type, 'content-security-policy': 'default-src *', 'set-cookie': 'a=1; Path=/' },
        ...{ 'service-worker-allowed': '/', 'clear-site-data': '"*"', refresh: '0; url=/' },
      });
      response.end('<script>steal()</script>');
    });
    const answer = await rig.post(asking);
    expect(headersOf(answer)).toMatchObject({ ...sandboxed, 'content-type': type });
    for (const name of ['set-cookie', 'service-worker-allowed', 'clear-site-data', 'refresh']) {
      expect(answer.headers.get(name)).toBeNull();
    }
    expect(answer.headers.get('content-disposition') ?? undefined).toBe(disposition);
  });

  it('runs nothing of what the gateway says either', async () => {
    expect(headersOf(await fetch(`${rig.base}jsonrpc/9.9`, { method: 'POST' }))).toMatchObject(sandboxed);
    expect(headersOf(await fetch(`${rig.base}.well-known/agent-card.json`))).toMatchObject(sandboxed);
    expect(headersOf(await fetch(`${rig.edge.url}/a2a/acme/none/.well-known/agent.json`))).toMatchObject(sandboxed);
  });

  it('loads no service worker', async () => {
    const before = rig.agent.requests.length;
    const headers = { 'service-worker': 'script' };
    expect((await fetch(`${rig.base}.well-known/agent-card.json`, { headers })).status).toBe(403);
    expect((await rig.post(asking, headers)).status).toBe(403);
    expect(rig.agent.requests).toHaveLength(before);
  });
});
