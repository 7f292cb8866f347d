// `kill -9` under load, of Node alone (its PostgreSQL is left behind) and of everything at once, at each named point and
// at random: nothing is lost, nothing is decided twice, nothing is delivered twice.
import { randomInt } from 'node:crypto';
import { Hold } from './hold.ts';
import { ListeningAgent } from './listening-agent.ts';
import { isRepeated, Load } from './load.ts';
import { expectNothingLost } from './nothing-lost.ts';
import { until, type Victim, Watcher } from './watcher.ts';

/** Enough that every partition and every part of a write is in flight at any time. */
const enough = 20;
const victims: readonly Victim[] = ['node alone', 'everything'];

let watcher: Watcher;
let agent: ListeningAgent;
let load: Load;

beforeAll(async () => {
  watcher = await Watcher.create();
  agent = await ListeningAgent.start();
  await watcher.start();
  load = await Load.prepare(watcher, agent.cardUrl);
});

afterAll(async () => {
  await load.abandon();
  await watcher.remove();
  await agent.stop();
});

async function moreTaken(count: number): Promise<void> {
  const target = load.takenCount + count;
  await until(async () => load.takenCount >= target);
}

/**
 * Under load: stands still where `reach` says, is killed there, and started again; each victim in turn. Resolves to how
 * many writes had been taken, unheard, before they were repeated.
 */
async function killThere(reach: (hold: Hold) => Promise<unknown>): Promise<number> {
  const toldBefore = load.told.length;
  load.start();
  for (const victim of victims) {
    await moreTaken(enough);
    const hold = await Hold.connect(watcher);
    await reach(hold);
    await watcher.kill(victim);
    // What was held goes on where its server still lives, whether or not anybody waits for it.
    await hold.release();
    await watcher.start();
  }
  await moreTaken(enough);
  await load.stop();
  await expectNothingLost(watcher, load, agent.received);
  return load.told.slice(toldBefore).filter(isRepeated).length;
}

it('is killed once a write is in the inbox, and before that is decided', async () => {
  expect(await killThere((hold) => hold.afterAppend())).toBeGreaterThan(0);
});

it('is killed before a write is committed to the inbox', async () => {
  await killThere((hold) => hold.beforeCommit('inbox'));
});

it('is killed before what it decided is committed', async () => {
  await killThere((hold) => hold.beforeCommit('ledger'));
});

it('is killed once what it decided is committed, and before anybody is told', async () => {
  expect(await killThere((hold) => hold.afterCommit())).toBeGreaterThan(0);
});

it('is killed while a lapse is with its agent, and before the agent has answered', async () => {
  await killThere(async () => {
    const { fake } = agent;
    const before = fake.received.length;
    fake.sendFaults.push('hung');
    await until(async () => fake.sendFaults.length === 0 && fake.received.length > before);
  });
});

it('is killed ten times at random, while it starts as well', async () => {
  const seed = Number(process.env['KILL_SEED'] ?? randomInt(2 ** 31));
  const random = drawFrom(seed);
  process.stderr.write(`kill.e2e.spec.ts: KILL_SEED=${seed}\n`);
  load.start();
  await moreTaken(enough);
  for (let kills = 0; kills < 10; kills += 1) {
    await watcher.kill(random() < 0.5 ? 'node alone' : 'everything');
    const starting = watcher.start();
    starting.catch(() => undefined);
    const isLet = random() < 0.6;
    if (isLet) await starting;
    await new Promise((resolve) => setTimeout(resolve, random() * (isLet ? 800 : 2_000)));
  }
  await watcher.kill();
  await watcher.start();
  await moreTaken(enough);
  await load.stop();
  await expectNothingLost(watcher, load, agent.received);
});

/** Numbers from 0 up to 1, the same for a seed (mulberry32). */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
