// A full disk under load: writes are refused with the reason, nothing is half written, and once there is room the watcher
// goes on by itself, also where PostgreSQL had to end.
import { ListeningAgent } from './listening-agent.ts';
import { Load } from './load.ts';
import { expectNothingLost } from './nothing-lost.ts';
import { SmallDisk } from './small-disk.ts';
import { administratorKey, until, Watcher } from './watcher.ts';

const enough = 20;
/** What is written while the load lasts, also where a slow machine makes that minutes, must never fill it by itself. */
const diskMegabytes = 2_000;
const headers = { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json' };

let disk: SmallDisk;
let watcher: Watcher;
let agent: ListeningAgent;
let load: Load;

beforeAll(async () => {
  disk = await SmallDisk.mount(diskMegabytes);
  watcher = await Watcher.create(disk.directory);
  agent = await ListeningAgent.start();
  await watcher.start();
  load = await Load.prepare(watcher, agent.cardUrl);
});

afterAll(async () => {
  await load.abandon();
  await watcher.remove();
  await disk.unmount();
  await agent.stop();
});

async function moreTaken(count: number): Promise<void> {
  const target = load.takenCount + count;
  await until(async () => load.takenCount >= target);
}

interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ready: boolean }[];
}

/** What is not ready; nothing where all is. */
async function unready(): Promise<readonly string[]> {
  const response = await fetch(`${watcher.url}/health/ready`);
  const { checks } = (await response.json()) as Readiness;
  return checks.filter(({ ready }) => !ready).map(({ name }) => name);
}

/** A write that waits for no decision: there is none while the ledger is full, and the inbox fills the sooner. */
function tell(): Promise<Response> {
  const body = JSON.stringify({ factKey: `fact-${Date.now()}`, observedAt: new Date().toISOString() });
  return fetch(`${watcher.url}/v1/facts`, { method: 'POST', headers: { ...headers, prefer: 'wait=0' }, body });
}

it('refuses writes and says why, is not ready and says so, and goes on once there is room', async () => {
  load.start();
  await moreTaken(enough);
  await disk.fill();
  let refused = await tell();
  await until(async () => {
    // Where the server ends for want of room first, it is out of reach until its keeper has learned why.
    refused = await tell();
    return refused.status === 503 && (await refused.clone().text()).includes('disk-full');
  });
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(await refused.json()).toMatchObject({
    type: '/problems/disk-full',
    detail: expect.stringContaining('make room'),
  });
  expect(await unready()).toContain('disk');
  await disk.makeRoom();
  await moreTaken(enough);
  await load.stop();
  await until(async () => (await unready()).length === 0);
  await expectNothingLost(watcher, load, agent.received);
});

it('starts PostgreSQL again once there is room, where it ended for want of it', async () => {
  load.start();
  await moreTaken(enough);
  const client = await watcher.connect();
  const server = await watcher.serverPid();
  await disk.fill();
  // The next segment of its log cannot be made: it has to end, and cannot begin.
  await until(() =>
    client.query('SELECT pg_switch_wal(), pg_logical_emit_message(false, $1, $1)', ['full']).then(
      () => false,
      () => true,
    ),
  );
  await until(async () => (await watcher.serverPid().catch(() => server)) !== server || !isAlive(server));
  await until(async () => (await tell()).status === 503);
  expect(await unready()).toContain('disk');
  await disk.makeRoom();
  await moreTaken(enough);
  await load.stop();
  await until(async () => (await unready()).length === 0);
  await expectNothingLost(watcher, load, agent.received);
});

it('stops in order while there is none, and has everything when there is some again', async () => {
  load.start();
  await moreTaken(enough);
  await disk.fill();
  await until(async () => (await tell()).status === 503);
  expect(await watcher.stop()).toBe(0);
  await disk.makeRoom();
  await watcher.start();
  await moreTaken(enough);
  await load.stop();
  await expectNothingLost(watcher, load, agent.received);
});

it('does not start while there is none, and says why', async () => {
  await watcher.stop();
  await disk.fill();
  const { exitCode, said } = await watcher.startInVain();
  expect(exitCode).toBe(3);
  expect(said).toMatch(/^the disk with \S+ is full: make room on it/);
  await disk.makeRoom();
  await watcher.start();
  await expectNothingLost(watcher, load, agent.received);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
