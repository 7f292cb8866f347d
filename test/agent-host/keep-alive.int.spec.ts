// What a stream says while there is nothing to say, on every way to call the agent; and that clients make nothing of it.
import { all, kindsOf, pathOf, request, ServedAgent, type Way, ways } from './served-agent.ts';
import { obedientAgent, Strings } from './obedient-agent.ts';

const strings = new Strings();
let agent: ServedAgent;

beforeAll(async () => (agent = await ServedAgent.start(obedientAgent(strings), { stillMs: 5 })));
beforeEach(() => (strings.isOpen = false));
afterAll(() => agent.close());

/** Lets the bytes of a client's stream through, counting comments; the turn goes on after some. */
function counting(counts: { comments: number }): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const text = new TextDecoder();
    const seen = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        counts.comments += text
          .decode(bytes, { stream: true })
          .split('\n')
          .filter((line) => line.startsWith(':')).length;
        if (counts.comments >= 3) strings.isOpen = true;
        controller.enqueue(bytes);
      },
    });
    return new Response(response.body?.pipeThrough(seen), response);
  };
}

it.each(ways)(
  'a stream that is still says so in comments, and its client has the events alone: %s %s',
  async (...way) => {
    const counts = { comments: 0 };
    const client = await agent.client(way, {}, counting(counts));
    const events = await all(client.sendMessageStream(request('hold on')));
    expect(counts.comments).toBeGreaterThanOrEqual(3);
    const kinds = kindsOf(events);
    expect([kinds[0], kinds.at(-1)]).toEqual(['task', 'state 3']);
    expect(kinds.every((kind) => /^(task|artifact|state \d)$/.test(kind))).toBe(true);
  },
);

it('what is no stream says nothing but its answer', async () => {
  const way: Way = ['HTTP+JSON', '1.0'];
  strings.isOpen = true;
  const body = JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hold on' }] } });
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const response = await fetch(`${agent.url}${pathOf(way)}/message:send`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ message: { role: 'ROLE_AGENT' } });
});
