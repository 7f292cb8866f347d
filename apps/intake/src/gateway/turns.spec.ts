// What is large is read a slice at a time, whoever has sent it.
import { PassThrough, Readable } from 'node:stream';
import { type AgentCalls } from '#protocol';
import { fairTurns } from '#runtime';
import { AgentQuestions, type Asked } from './agent-questions.ts';
import { type Passing } from './pass-answer.ts';
import { passStream } from './pass-stream.ts';

describe('what an agent says', () => {
  let turns: string[];
  const { next } = fairTurns;

  beforeEach(() => {
    turns = [];
    fairTurns.next = (tenant) => {
      turns.push(tenant);
      return next.call(fairTurns, tenant);
    };
  });

  afterEach(() => {
    fairTurns.next = next;
  });

  const task = (size: number) => ({ id: 't', contextId: 'c', status: {}, history: ['x'.repeat(size)] });

  async function stream(size: number): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    const body = Readable.from([Buffer.from(`data: ${JSON.stringify({ result: { task: task(size) } })}\n\n`)]);
    const response = Object.assign(new PassThrough().resume(), {
      ...{ status: () => undefined, setHeader: () => undefined },
      ...{ getHeader: () => 'text/event-stream', flushHeaders: () => undefined },
    });
    const passing = {
      exchange: { agent: { tenant: 'acme' }, via: { binding: 'jsonrpc' }, operation: { answers: 'reply' } },
      upstream: { statusCode: 200, headers: {}, body },
      watch: { see: (answer: unknown) => void seen.push(answer) },
      response,
      pace: { clock: { now: () => 0, sleep: () => Promise.resolve() }, drainMs: 1, onCut: () => undefined },
      share: { hold: () => undefined },
    } as unknown as Passing;
    await passStream(passing, 4_000_000);
    return seen;
  }

  it('in a stream is read in turns of its tenant where it is large, and at once where it is not', async () => {
    expect(await stream(1_000)).toMatchObject([{ seen: [{ task: { id: 't' } }] }]);
    expect(turns).toEqual([]);
    expect(await stream(1_000_000)).toMatchObject([{ seen: [{ task: { id: 't' } }] }]);
    expect(turns).toContain('acme');
  });

  it('when it is asked is read so too', async () => {
    const calls = { fetch: () => Promise.resolve(Response.json(task(1_000_000))) } as unknown as AgentCalls;
    const via = { url: 'https://agent.example/rest', binding: 'rest', version: '1.0' };
    const asked = { tenant: 'globex', address: {}, via } as unknown as Asked;
    expect(await new AgentQuestions(calls).task(asked, 't')).toMatchObject({ id: 't' });
    expect(turns).toContain('globex');
  });
});
