/** @jest-environment ./test/system/failure-keeping-environment.mjs */
// One fault after the other, with twenty tenants busy: whoever dies or stands still, nothing is lost, nothing is decided
// twice, and every table is what the ledger comes to.
import { randomBytes } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { partitionOf } from '#event-log';
import { topicNames } from '#event-log-kafka';
import { type KafkaCluster, startCluster } from '#testing';
import type { AppProcess } from '../system/app-process.ts';
import { until } from '../system/watcher.ts';
import { ChaosRig, type Counted, mostMs } from './chaos-rig.ts';

const flightsASecond = 8;
const seldomMs = 250;
const partitionCount = 4;
const mostTestMs = 600_000;

let cluster: KafkaCluster;
let rig: ChaosRig;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 3, detours: true });
  const counts = { timekeeper: 2, dispatcher: 2, projector: 2 };
  rig = await ChaosRig.start({ brokers: cluster.brokers, counts, partitionCount });
}, mostTestMs);

afterAll(async () => {
  await rig.end();
  await cluster.close();
}, mostTestMs);

const the = (name: string): AppProcess => rig.watcher.process(name);

/** Busy before it, while it lasts and after it. */
async function amid(fault: () => Promise<void>): Promise<Counted> {
  rig.load.start(flightsASecond);
  await rig.allDecideOn();
  await fault();
  await rig.allDecideOn();
  const counted = await rig.expectTruth();
  process.stderr.write(`${expect.getState().currentTestName}: ${JSON.stringify(counted)}\n`);
  return counted;
}

/** Killed; the others go on without it; started again. */
async function killed(name: string): Promise<void> {
  await the(name).kill();
  await rig.allDecideOn();
  await the(name).start();
}

/** Stands still until the others have taken what was its own, and then goes on where it stood. */
async function stoodStill(name: string): Promise<void> {
  the(name).signal('SIGSTOP');
  try {
    await rig.allDecideOn();
  } finally {
    the(name).signal('SIGCONT');
  }
}

const isReady = (name: string): Promise<boolean> => the(name).isReady();

describe('a timekeeper', () => {
  it('is killed', () => amid(() => killed('timekeeper-1')), mostTestMs);

  it(
    'stands still while others decide: what it goes on to write is refused, and it joins them again',
    async () => {
      const refusal = /another timekeeper decides it/g;
      await amid(async () => {
        const before = (await the('timekeeper-1').said()).match(refusal)?.length ?? 0;
        await until(
          async () => {
            await stoodStill('timekeeper-1');
            await until(() => isReady('timekeeper-1'), mostMs, seldomMs);
            // One that is told first that its partitions are others' has nothing to write: it stands still once more.
            return ((await the('timekeeper-1').said()).match(refusal)?.length ?? 0) > before;
          },
          mostMs,
          seldomMs,
        );
      });
    },
    mostTestMs,
  );

  it(
    'is cut off for longer than its session',
    async () => {
      const detours = cluster.detours.map(({ broker }) => broker).join();
      await the('timekeeper-1').stop();
      await the('timekeeper-1').start({ DUEWATCH_KAFKA_BROKERS: detours });
      await amid(async () => {
        for (const detour of cluster.detours) detour.pause();
        await rig.allDecideOn();
        for (const detour of cluster.detours) detour.resume();
        await until(() => isReady('timekeeper-1'), mostMs, seldomMs);
      });
      await the('timekeeper-1').stop();
      await the('timekeeper-1').start();
    },
    mostTestMs,
  );

  it(
    'joins and leaves in the middle of a batch',
    async () => {
      await the('timekeeper-2').stop();
      await amid(async () => {
        await the('timekeeper-2').start();
        await rig.allDecideOn();
        await the('timekeeper-1').stop();
        await rig.allDecideOn();
        await the('timekeeper-1').start();
      });
    },
    mostTestMs,
  );

  it(
    'of another deployment, started by mistake, ends and says so, and the others do not notice',
    async () => {
      await the('timekeeper-2').stop();
      const { takeOverCount } = await amid(async () => undefined);
      const after = await amid(async () => {
        const mistaken = the('timekeeper-2');
        await mistaken.startHeld({ DUEWATCH_DEPLOYMENT: 'another' });
        expect(await mistaken.ended()).toBe(3);
        expect(await mistaken.said()).toContain('the ledger belongs to the deployment');
      });
      expect(after.takeOverCount).toBe(takeOverCount);
      await the('timekeeper-2').start();
    },
    mostTestMs,
  );
});

describe.each(['dispatcher', 'projector'])('a %s', (app) => {
  it(
    'is killed, and another stands still',
    async () => {
      await amid(async () => {
        await killed(`${app}-1`);
        await stoodStill(`${app}-2`);
      });
    },
    mostTestMs,
  );
});

describe('a broker of three', () => {
  it(
    'is killed, and started again',
    async () => {
      await amid(async () => {
        await cluster.kill(1);
        await rig.allDecideOn();
        await cluster.start(1);
      });
    },
    mostTestMs,
  );

  it(
    'stands still',
    async () => {
      await amid(async () => {
        cluster.stop(2);
        await rig.allDecideOn();
        cluster.cont(2);
      });
    },
    mostTestMs,
  );
});

it(
  'records that nobody can read are ignored, and harm nobody',
  async () => {
    const tenant = rig.load.tenants[0]?.tenant ?? '';
    const partition = partitionOf(tenant, partitionCount);
    const undecodable = Buffer.of(0xff, 0xfe, 0);
    const values = [undecodable, null, randomBytes(900_000), Buffer.from('{"v":1,"input":{"type":"nonsense"}}')];
    const messages = [
      ...values.map((value) => ({ partition, key: tenant, value })),
      ...[Buffer.from('\\q'), Buffer.of(0xff, 0xfe), null].map((key) => ({ partition, key, value: undecodable })),
    ];
    const producer = new Kafka({ brokers: [...cluster.brokers], logLevel: logLevel.NOTHING }).producer();
    await producer.connect();
    await amid(async () => {
      for (const message of messages) {
        const [sent] = await producer.send({ topic: topicNames(rig.watcher).inbox, messages: [message] });
        rig.poison.add(`${partition}-${sent?.baseOffset}`);
      }
    });
    await producer.disconnect();
  },
  mostTestMs,
);
