// Killed in the middle of what takes long: while a snapshot is being made, and while 50,000 expectations lapse at once.
import { Hold } from './hold.ts';
import { ListeningAgent } from './listening-agent.ts';
import { until, Watcher } from './watcher.ts';
import { readWholeLedger, undecidedInputs } from './whole-ledger.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const herdCount = 50_000;
const aTask = 1_000;
const aRequest = 5_000;
/** So many records of the ledger are worth a snapshot. */
const factCount = 2_100;
/** A transaction of the herd is larger, and nothing else is. */
const herdBytes = 500_000;

let watcher: Watcher;
let agent: ListeningAgent;

beforeAll(async () => {
  watcher = await Watcher.create();
  // It keeps its own time, so that nothing need be sent.
  agent = await ListeningAgent.start({ keepsTime: true });
  await watcher.start();
  await watcher.call('PUT', '/v1/agents/flights', { cardUrl: agent.cardUrl });
});

afterAll(async () => {
  await watcher.remove();
  await agent.stop();
});

interface Raised {
  readonly results: readonly { readonly expectations: readonly { readonly outcome: string }[] }[];
}

const expectationOf = (id: string, dueInMs: number, more: object = {}): Record<string, unknown> => ({
  expectationId: id,
  kind: 'flight.departure',
  subject: { type: 'flight', id },
  expects: `${id} departs`,
  satisfiedBy: { factKey: id },
  dueAt: new Date(Date.now() + dueInMs).toISOString(),
  basis: 'contract',
  ...more,
});

async function raise(tasks: readonly (readonly Record<string, unknown>[])[], name: string): Promise<void> {
  const observations = tasks.map((expectations, nth) => ({
    agentId: 'flights',
    task: {
      id: `${name}-${nth}`,
      contextId: name,
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a', parts: [], metadata: { [uri]: { expectations } } }],
    },
  }));
  const { results } = (await watcher.call('POST', '/v1/observations', observations)) as Raised;
  const outcomes = results.flatMap(({ expectations }) => expectations.map(({ outcome }) => outcome));
  expect(outcomes.filter((outcome) => outcome !== 'recorded')).toEqual([]);
}

/** All of them fall due at the departure of G, whenever that turns out to have been. */
async function raiseHerd(): Promise<void> {
  const anHour = 3_600_000;
  await raise([[expectationOf('G', anHour)]], 'gate');
  for (let from = 0; from < herdCount; from += aRequest) {
    const tasks = Array.from({ length: aRequest / aTask }, (_, task) =>
      Array.from({ length: aTask }, (__, nth) =>
        expectationOf(`H${from + task * aTask + nth}`, anHour, { anchor: { expectationId: 'G', offset: 'PT1M' } }),
      ),
    );
    await raise(tasks, `herd-${from}`);
  }
}

const departed = (factKey: string, at: number): Promise<unknown> =>
  watcher.call('POST', '/v1/facts', { factKey, observedAt: new Date(at).toISOString() });

async function tellFacts(): Promise<void> {
  let next = 0;
  const tell = async (): Promise<void> => {
    while (next < factCount) await departed(`fact-${(next += 1)}`, Date.now());
  };
  await Promise.all(Array.from({ length: 40 }, tell));
}

it('is killed in a snapshot and twice in the middle of a herd, and decides each once', async () => {
  await raiseHerd();
  await tellFacts();
  let hold = await Hold.connect(watcher);
  // It is made within a minute.
  await hold.beforeCommit('snapshot_chunk', { nth: 2 }, 240_000);
  await watcher.kill();
  await hold.release();
  await watcher.start();

  hold = await Hold.connect(watcher);
  const tenMinutesAgo = Date.now() - 600_000;
  const told = departed('G', tenMinutesAgo);
  told.catch(() => undefined);
  await hold.beforeCommit('ledger', { leastBytes: herdBytes, nth: 2 });
  await watcher.kill();
  await expect(told).rejects.toThrow();
  await hold.goOn();
  const again = hold.beforeCommit('ledger', { leastBytes: herdBytes, nth: 2 });
  await watcher.start();
  await again;
  await watcher.kill('everything');
  await hold.release();
  await watcher.start();

  const client = await watcher.connect();
  const lapsed = async (): Promise<number> =>
    (await readWholeLedger(client)).filter(({ event }) => event.type === 'expectationLapsed').length;
  await until(async () => (await lapsed()) === herdCount, 240_000, 500);
  await until(async () => (await undecidedInputs(client)).length === 0);
  // Once more, with its reason where it is not as it must be.
  expect(await lapsed()).toBe(herdCount);
  await client.end();
  expect(await departed('G', tenMinutesAgo)).toMatchObject({ results: [{ outcome: 'repeated' }] });
  await until(async () => {
    const headers = { accept: 'application/x-ndjson' };
    const lines = await watcher.callText('GET', '/v1/expectations?lapse=overdue', undefined, headers);
    return lines.trim().split('\n').length === herdCount;
  });
});
