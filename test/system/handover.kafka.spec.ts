/** @jest-environment ./test/system/failure-keeping-environment.mjs */
// Timekeepers that come and go: who has a partition, and from when it is ready.
import { ConfigResourceTypes } from 'kafkajs';
import { topicNames } from '#event-log-kafka';
import { parsePrometheusText, withAdmin } from '#testing';
import type { AppProcess } from './app-process.ts';
import { DistributedWatcher } from './distributed.ts';
import { until } from './watcher.ts';

const partitions = ['0', '1', '2', '3'];

let watcher: DistributedWatcher;
let first: AppProcess;
let second: AppProcess;

beforeAll(async () => {
  const counts = { timekeeper: 2, intake: 0, dispatcher: 0, projector: 0, query: 0 };
  watcher = await DistributedWatcher.create({ counts, partitionCount: partitions.length });
  [first, second] = [watcher.process('timekeeper-1'), watcher.process('timekeeper-2')];
  await watcher.start();
});

afterAll(() => watcher.remove());

/** Those that the process decides now. */
async function decidedBy(timekeeper: AppProcess): Promise<readonly string[]> {
  const samples = parsePrometheusText(await (await fetch(`${timekeeper.url ?? ''}/metrics`)).text());
  return samples
    .filter(({ name, value }) => name === 'duewatch_partition_deciding' && value === 1)
    .map(({ labels }) => labels['partition'] ?? '')
    .sort();
}

/** How many the group counts. */
function memberCount(): Promise<number> {
  return withAdmin(watcher.brokers, async (admin) => {
    const { groups } = await admin.describeGroups([`${watcher.prefix}-duewatch-timekeeper`]);
    return groups[0]?.members.length ?? 0;
  });
}

/** There is one replica of each partition: where two are asked for, nobody can write. */
async function askForReplicas(count: number): Promise<void> {
  const { ledger: name } = topicNames(watcher);
  const configEntries = [
    { name: 'min.insync.replicas', value: String(count) },
    { name: 'message.timestamp.type', value: 'LogAppendTime' },
    { name: 'retention.ms', value: '-1' },
  ];
  const resource = { type: ConfigResourceTypes.TOPIC, name };
  await withAdmin(watcher.brokers, async (admin) => {
    await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
    // A broker heeds what it was told a moment later.
    await until(async () => {
      const configNames = ['min.insync.replicas'];
      const asked = { includeSynonyms: false, resources: [{ ...resource, configNames }] };
      const { resources } = await admin.describeConfigs(asked);
      return resources[0]?.configEntries[0]?.configValue === String(count);
    });
  });
}

async function tellAFact(): Promise<unknown> {
  const fact = { factKey: `k${Math.random()}`, observedAt: new Date().toISOString(), source: 'tower' };
  return watcher.call('POST', '/v1/facts', fact);
}

const accepted = { results: [{ outcome: 'accepted' }] };

it('every partition is one’s, and each has some', async () => {
  await until(async () => {
    const [one, other] = await Promise.all([decidedBy(first), decidedBy(second)]);
    return one.length === 2 && other.length === 2 && new Set([...one, ...other]).size === partitions.length;
  });
  expect(await tellAFact()).toMatchObject(accepted);
});

it('one that is stopped leaves the group before it ends, and the other has all partitions then', async () => {
  expect(await first.stop()).toBe(0);
  // One that had only ended would be counted until its session has run out.
  expect(await memberCount()).toBe(1);
  await until(async () => (await decidedBy(second)).length === partitions.length);
  expect(await tellAFact()).toMatchObject(accepted);
});

it('one that takes partitions over is not ready before it decides them', async () => {
  await first.start();
  await until(async () => (await decidedBy(first)).length === 2);
  await askForReplicas(2);
  expect(await second.stop()).toBe(0);
  await until(async () => !(await first.isReady()));
  expect(await decidedBy(first)).not.toEqual(partitions);
  await askForReplicas(1);
  await until(() => first.isReady());
  expect(await decidedBy(first)).toEqual(partitions);
  expect(await tellAFact()).toMatchObject(accepted);
});
