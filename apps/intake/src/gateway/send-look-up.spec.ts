// Whose sends are looked up, while some agents answer nothing.
import { type Clock, type ForwardedSend, systemClock } from '#runtime';
import { until } from '#testing';
import { SendLookUp } from './send-look-up.ts';
import { gatewayLimits } from './gateway-limits.ts';

type Ports = ConstructorParameters<typeof SendLookUp>;

const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
const card = {
  supportedInterfaces: [{ url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};

describe('the look-ups of sends', () => {
  let waiting: ForwardedSend[];
  let begun: string[];
  let ended: string[];
  let uncounted: string[];
  let release: (() => void)[];
  let lookUp: SendLookUp;

  const add = (tenant: string, count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const number = `${tenant}-${index}`;
      waiting.push({
        ...{ tenant, number, agentId: 'a', taskId: 't', messageId: 'm', contextId: null, answerReporter: null },
      } as ForwardedSend);
      Object.assign(waiting.at(-1)!, { interfacePath: 'jsonrpc/1.0', isActivated: true, triesCount: 10 });
    }
  };

  beforeEach(() => {
    [waiting, begun, ended, uncounted, release] = [[], [], [], [], []];
    const sends = {
      claim: (limit: number, except: readonly string[]) => {
        const claimed = waiting.filter(({ tenant }) => !except.includes(tenant)).slice(0, limit);
        waiting = waiting.filter((send) => !claimed.includes(send));
        begun.push(...claimed.map(({ number }) => number));
        return Promise.resolve(claimed);
      },
      end: (number: string) => ended.push(number),
      uncount: (number: string) => Promise.resolve(uncounted.push(number)),
      sweep: () => Promise.resolve(),
    } as unknown as Ports[0];
    const directory = { find: () => Promise.resolve({ cardUrl: 'https://a.example/', card }) } as unknown as Ports[1];
    const questions = {
      task: ({ tenant, signal }: { readonly tenant: string; readonly signal: AbortSignal }) =>
        tenant.startsWith('slow')
          ? new Promise((resolve) => {
              release.push(() => resolve(task));
              signal.addEventListener('abort', () => resolve(undefined));
            })
          : Promise.resolve(task),
    } as unknown as Ports[2];
    const gate = {
      assertOpen: () => Promise.resolve(),
      through: (_: string, call: () => Promise<unknown>) => call(),
    } as unknown as Ports[4];
    const sightings = { ask: () => ({}), tell: () => Promise.resolve('told') } as unknown as Ports[3];
    const metrics = { lookedUp: () => undefined } as unknown as Ports[5];
    const clock: Clock = systemClock;
    const limits = { ...gatewayLimits, lookUpEveryMs: 3_600_000 };
    lookUp = new SendLookUp(sends, directory, questions, sightings, gate, metrics, clock, limits);
  });

  afterEach(() => lookUp.onModuleDestroy());

  it('of one tenant do not wait for another’s agents', async () => {
    add('slow', 50);
    add('quick', 30);
    lookUp.onApplicationBootstrap();
    await until(() => Promise.resolve(ended.length === 30));
    expect(begun.filter((number) => number.startsWith('slow'))).toEqual(['slow-0', 'slow-1']);
    release[0]!();
    await until(() => Promise.resolve(begun.includes('slow-2')));
    expect(ended).toContain('slow-0');
  });

  it('take the tenants in turn, however long some have waited', async () => {
    for (let index = 0; index < 5; index += 1) add(`slow${index}`, 50);
    add('slow-late', 1);
    lookUp.onApplicationBootstrap();
    await until(() => Promise.resolve(release.length === 10));
    expect(begun).toContain('slow-late-0');
    expect(begun.filter((number) => number.startsWith('slow0-')).length).toBeLessThanOrEqual(2);
  });

  it('that are cut short by the end of the process are not counted', async () => {
    add('slow', 1);
    lookUp.onApplicationBootstrap();
    await until(() => Promise.resolve(release.length === 1));
    await lookUp.onModuleDestroy();
    expect([uncounted, ended]).toEqual([['slow-0'], []]);
  });
});
