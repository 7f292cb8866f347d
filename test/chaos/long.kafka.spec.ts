/** @jest-environment ./test/system/failure-keeping-environment.mjs */
// The flights of a day, with somebody killed, stopped or standing still every 20 to 40 seconds. The counts equal the truth:
// nothing is lost, nothing is doubled. `npm run test:chaos -- --minutes 10 --seed N` runs it for longer.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KafkaCluster, startCluster } from '#testing';
import { ChaosRig } from './chaos-rig.ts';
import { type Fault, planFaults } from './fault-plan.ts';

const minutes = Number(process.env['CHAOS_MINUTES'] ?? 3);
const seed = Number(process.env['CHAOS_SEED'] ?? 20131101);
const durationMs = minutes * 60_000;
/** Beside it: all starts, comes to rest and is looked at, on a machine that may be busy with other things. */
const aroundMs = 15 * 60_000;

let cluster: KafkaCluster;
let rig: ChaosRig;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 3 });
  rig = await ChaosRig.start({
    brokers: cluster.brokers,
    counts: { timekeeper: 3, dispatcher: 2, projector: 2 },
    partitionCount: 4,
  });
}, aroundMs);

afterAll(async () => {
  await rig.end();
  await cluster.close();
}, aroundMs);

function tell(line: string): void {
  process.stderr.write(`chaos: ${line}\n`);
}

async function suffer({ victim, manner, awayMs }: Fault): Promise<void> {
  const [kind, number] = victim.split('-');
  const isBack = new Promise((resolve) => setTimeout(resolve, awayMs));
  if (kind === 'broker') {
    const node = Number(number);
    if (manner === 'kill') await cluster.kill(node);
    else cluster.stop(node);
    await isBack;
    if (manner === 'kill') await cluster.start(node);
    else cluster.cont(node);
    return;
  }
  const process = rig.watcher.process(victim);
  if (manner === 'kill') await process.kill();
  else if (manner === 'end') await process.stop();
  else process.signal('SIGSTOP');
  await isBack;
  if (manner === 'stand still') process.signal('SIGCONT');
  else await process.start();
}

/** Where all that its processes have said is kept. */
async function keepLogs(told: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `duewatch-chaos-${seed}-`));
  await writeFile(join(directory, 'faults'), `${told.join('\n')}\n`);
  for (const process of rig.watcher.processes.values()) {
    await writeFile(join(directory, process.name), await process.said());
  }
  return directory;
}

it(
  `a day of flights in ${minutes} minutes, with faults of the seed ${seed}`,
  async () => {
    const told: string[] = [];
    const note = (line: string): void => {
      told.push(line);
      tell(line);
    };
    const processes = [...rig.watcher.processes.values()].filter(({ app }) => victims.includes(app));
    const faults = planFaults(seed, durationMs, {
      processes: processes.map(({ name }) => name),
      brokers: cluster.brokers.map((_, index) => `broker-${index + 1}`),
    });
    try {
      const startedAtMs = Date.now();
      rig.load.start(rig.load.flightCount / (durationMs / 1_000), rig.load.flightCount);
      for (const fault of faults) {
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedAtMs + fault.atMs - Date.now())));
        note(`${new Date().toISOString()} ${fault.victim}: ${fault.manner}, for ${fault.awayMs} ms`);
        await suffer(fault);
      }
      await rig.load.booked();
      const counted = await rig.expectTruth();
      note(`seed ${seed}: ${faults.length} faults, nothing lost, nothing doubled: ${JSON.stringify(counted)}`);
    } catch (cause) {
      const again = `npm run test:chaos -- --minutes ${minutes} --seed ${seed}`;
      throw new Error(`seed ${seed}: ${again}; what all have said is in ${await keepLogs(told)}`, { cause });
    }
  },
  durationMs + aroundMs,
);

const victims: readonly string[] = ['timekeeper', 'dispatcher', 'projector'];
