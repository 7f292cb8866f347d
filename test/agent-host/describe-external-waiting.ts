// A task that waits for somebody outside, who ends the wait at whichever process: once, and whatever becomes of the process
// whose turn has opened it.
import { createHash } from 'node:crypto';
import { type Task, TaskState } from '@a2a-js/sdk';
import type { AgentHandler, ExternalWait, Outcome, Turn } from '#agent-handler';
import { until } from '#testing';
import {
  isMessage,
  pathOf,
  request,
  ServedAgent,
  type ServeTestOptions,
  textsOf,
  type Way,
  ways,
} from './served-agent.ts';

const rpc: Way = ['JSONRPC', '1.0'];
const { TASK_STATE_COMPLETED: completed, TASK_STATE_FAILED: failed, TASK_STATE_WORKING: working } = TaskState;

const waits: ExternalWait[] = [];
let base = '';
/** Ends the wait as somebody outside does, who has been given its URL. */
async function end(wait: ExternalWait, result: unknown = { paid: true }, way: Way = rpc) {
  const url = `${base}${pathOf(way)}${new URL(wait.url).pathname.replace(/^.*(?=\/waits\/)/, '')}`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(result) });
  const body = (await response.json()) as { readonly outcome?: string; readonly type?: string };
  return [response.status, body.outcome ?? body.type];
}

async function open(turn: Turn, forMs?: number): Promise<ExternalWait> {
  const wait = await turn.externalWait('payment', forMs === undefined ? {} : { forMs });
  waits.push(wait);
  return wait;
}

async function obey(turn: Turn): Promise<Outcome | undefined> {
  switch (turn.message.text) {
    case 'wait':
      await turn.say('waiting');
      return { outcome: 'waiting', wait: await open(turn), state: 'kept' };
    case 'wait a moment':
      return { outcome: 'waiting', wait: await open(turn, 1) };
    case 'be fast': {
      const wait = await open(turn);
      expect(await end(wait)).toEqual([200, 'ended']);
      return { outcome: 'waiting', wait };
    }
    case 'think better of it':
      await open(turn);
      return undefined;
    case 'throw':
      await open(turn);
      throw new Error('no');
    case 'wait twice':
      await open(turn);
      return { outcome: 'waiting', wait: await open(turn) };
    default:
      return { outcome: 'waiting', wait: { name: 'payment', token: 'of another', url: '' } };
  }
}

const handler: AgentHandler = {
  handle: obey,
  resume: async (turn, { work, state, result, isLate = false }) => {
    await turn.say(JSON.stringify([work, state, result, isLate]));
    return undefined;
  },
};

let agent: ServedAgent;

async function begin(text: string): Promise<Task> {
  const answer = await (await agent.client(rpc)).sendMessage(request(text));
  if (isMessage(answer)) throw new Error('it is a Message');
  return answer;
}

const get = async (id: string): Promise<Task> => (await agent.client(rpc)).getTask({ tenant: '', id });

async function ended(id: string): Promise<Task> {
  await until(
    async () => [completed, failed].includes((await get(id)).status?.state ?? working),
    'the end of the task',
  );
  return get(id);
}

export interface WaitingPlace {
  readonly serve: Pick<ServeTestOptions, 'places' | 'databaseUrl' | 'redis'>;
  /** All that is kept of work and waits, where it outlives its process. */
  kept(): Promise<string>;
  close(): Promise<void>;
}

export function describeExternalWaiting(name: string, openPlace: () => Promise<WaitingPlace>, outlives = true): void {
  describe(`with ${name}`, () => describeThem(openPlace, outlives));
}

function describeThem(openPlace: () => Promise<WaitingPlace>, outlives: boolean): void {
  let place: WaitingPlace;
  const start = async () => {
    agent = await ServedAgent.start(handler, place.serve);
    base = agent.url;
  };
  beforeAll(async () => {
    place = await openPlace();
    await start();
  });
  afterAll(async () => {
    await agent.close();
    await place.close();
  });
  beforeEach(() => (waits.length = 0));

  it.each(ways)('a task goes on with what it is given over %s of %s, once', async (...way) => {
    const { id, status } = await begin('wait');
    expect(status?.state).toBe(working);
    expect(waits[0]).toMatchObject({
      name: 'payment',
      url: `${agent.url}/agent/rest-1-0/waits/${waits[0]!.token}`,
    });
    expect(await end(waits[0]!, { paid: true }, way)).toEqual([200, 'ended']);
    expect(await end(waits[0]!, { paid: false }, way)).toEqual([200, 'repeated']);
    expect(textsOf(await ended(id))).toEqual(['waiting', '["payment","kept",{"paid":true},false]']);
    expect(await end(waits[0]!, {}, way)).toEqual([200, 'repeated']);
  });

  it('a task whose wait is ended before its turn goes on at once', async () => {
    const { id } = await begin('be fast');
    expect(textsOf(await ended(id))).toEqual(['["payment",null,{"paid":true},false]']);
  });

  it('a task whose time is over goes on without it', async () => {
    const { id } = await begin('wait a moment');
    expect(textsOf(await ended(id))).toEqual(['["payment",null,null,true]']);
    expect(await end(waits[0]!)).toEqual([410, '/problems/wait-over']);
  });

  it('of a task that is canceled the wait is over', async () => {
    const { id } = await begin('wait');
    await (await agent.client(rpc)).cancelTask({ tenant: '', id, metadata: {} });
    expect(await end(waits[0]!)).toEqual([410, '/problems/wait-over']);
    expect((await get(id)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it.each(['think better of it', 'throw', 'wait twice'])(
    'nobody waits where a turn ends otherwise: %s',
    async (text) => {
      await begin(text);
      expect(await end(waits[0]!)).toEqual([410, '/problems/wait-over']);
    },
  );

  it('a turn that waits for what it has not opened fails', async () => {
    expect((await begin('lie')).status?.state).toBe(failed);
  });

  it('what is no token, no JSON, or too much ends nothing', async () => {
    const { id } = await begin('wait');
    const [wait] = waits as [ExternalWait];
    expect(await end({ ...wait, url: `${wait.url}x` })).toEqual([404, '/problems/not-found']);
    const url = `${base}${pathOf(rpc)}/waits/${wait.token}`;
    const post = async (body: string) => (await fetch(url, { method: 'POST', body })).status;
    expect(await post('{')).toBe(400);
    expect(await post(JSON.stringify('a'.repeat(1_000_000)))).toBe(413);
    expect((await fetch(url)).status).toBe(405);
    expect((await get(id)).status?.state).toBe(working);
    expect(await post('')).toBe(200);
    expect(textsOf(await ended(id))).toEqual(['waiting', '["payment","kept",null,false]']);
  });

  if (outlives) {
    it('another process takes it where the first has gone, and nothing of the token is kept', async () => {
      const { id } = await begin('wait');
      const kept = await place.kept();
      expect(kept).toContain(id);
      expect(kept).not.toContain(waits[0]!.token);
      await agent.close();
      await start();
      expect(await end(waits[0]!)).toEqual([200, 'ended']);
      expect(textsOf(await ended(id))).toEqual(['waiting', '["payment","kept",{"paid":true},false]']);
    });
  }

  it('whoever has the token needs no other credential, and no credential stands for the token', async () => {
    const sha256 = createHash('sha256').update('bobs-key').digest('hex');
    const card = {
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key' } } },
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    };
    const guarded = await ServedAgent.start(
      { ...handler, security: { key: { sha256ByUser: { bob: sha256 } } } },
      { card },
    );
    base = guarded.url;
    waits.length = 0;
    const client = await guarded.client(rpc, { 'x-api-key': 'bobs-key' });
    await client.sendMessage(request('wait'));
    const url = `${base}${pathOf(rpc)}/waits/`;
    const post = (token: string) => fetch(url + token, { method: 'POST', headers: { 'x-api-key': 'bobs-key' } });
    expect((await post('dw_guessed')).status).toBe(404);
    expect(await end(waits[0]!)).toEqual([200, 'ended']);
    base = agent.url;
    await guarded.close();
  });
}
