// How long a watcher with very many open takes to decide again.
import type { BenchRun } from '../bench-run.ts';
import { HttpLoad } from '../http-load.ts';
import { atMost, mebibytes, printRow, seconds } from '../report.ts';

/** Ends Node in the middle, and again in order, and measures from its start to an answered fact of each tenant. */
export async function measureRestart(run: BenchRun, openCount: number, goalSeconds: number): Promise<void> {
  await run.openAtLeast(run.bodies.scaled(openCount, 1));
  const open = (await run.database.openCount()).toLocaleString('en');
  const { count, tailRecords } = await run.database.snapshots();
  const killed = await secondsToDecide(run, 'kill');
  const resident = await run.watcher.residentBytes();
  printRow({
    what: `restart after kill -9 with ${open} open`,
    ...atMost(killed, goalSeconds, seconds),
    note: `${count} partitions had a snapshot, ${tailRecords} records of the ledger none`,
  });
  const stopped = await secondsToDecide(run, 'stop');
  printRow({ what: '… and after it was stopped, PostgreSQL too', reached: seconds(stopped) });
  if (resident !== undefined) printRow({ what: `memory with ${open} open, restarted`, reached: mebibytes(resident) });
}

async function secondsToDecide(run: BenchRun, how: 'kill' | 'stop'): Promise<number> {
  const readyMs = await run.restart(how);
  const load = new HttpLoad(run.watcher.url, 1);
  const startedAt = performance.now();
  await Promise.all(run.tenants.map((tenant) => load.post(tenant, '/v1/facts', run.bodies.of(tenant).single())));
  const answeredMs = performance.now() - startedAt;
  await load.close();
  return (readyMs + answeredMs) / 1_000;
}
