// The worked example in real time on PostgreSQL, told by another process's log, with a restart in its midst.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { decodeLedger, type EventLog, type Membership, partitionOf, SoleShare } from '#event-log';
import { openPostgresEventLog } from '#event-log-postgres';
import { type Event, formatInstant } from '#expectations';
import { systemClock } from '#runtime';
import { Memberships } from '#serving';
import {
  createDatabase,
  inboxRecord,
  recordsOfScenario,
  retimed,
  type TestDatabase,
  until,
  type Vector,
  vectorFolder,
} from '#testing';
import { Timekeeper } from './timekeeper.ts';

const tenant = 'acme';
const partitionCount = 2;
const partition = partitionOf(tenant, partitionCount);

let database: TestDatabase;
let log: EventLog;
let edge: EventLog;
let membership: Membership | undefined;

beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await createDatabase();
  const open = () =>
    openPostgresEventLog({ databaseUrl: database.url, partitionCount, clock: systemClock, unsafeForTests: true });
  [log, edge] = [await open(), await open()];
});

afterAll(async () => {
  await membership?.leave();
  await Promise.all([log.close(), edge.close()]);
  await database.drop();
});

async function start(): Promise<void> {
  const throws = (error: unknown): never => {
    throw error;
  };
  const memberships = new Memberships();
  const started = new Timekeeper(log, systemClock, 'test', throws, memberships);
  const share = new SoleShare(partitionCount, (_, fenced) => throws(new Error(`${fenced} is another's`)));
  membership = share.join('timekeeper', (own, signal) => started.serve(own, signal));
  memberships.joined('timekeeper', membership);
  await until(() => started.isReady, 'the timekeeper');
}

async function stop(): Promise<void> {
  await membership?.leave();
}

async function events<Type extends Event['type']>(type: Type): Promise<Extract<Event, { type: Type }>[]> {
  const records = await log.read('ledger', partition, { from: 0, limit: 10_000 });
  const all = records.flatMap(({ value }) => {
    const entry = decodeLedger(value);
    return 'events' in entry ? entry.events : [];
  });
  return all.filter((event): event is Extract<Event, { type: Type }> => event.type === type);
}

/** The worked example from `startMs` on: the manifest is overdue at once, the rest within some seconds of the fact. */
function workedExample(startMs: number): Vector {
  const at = (ms: number): string => formatInstant(startMs + ms);
  const vector = JSON.parse(readFileSync(join(vectorFolder, 'worked-example.json'), 'utf8')) as Vector;
  return retimed(vector, {
    '2026-09-10T20:15:00Z': at(40),
    PT2H: 'PT0.04S',
    '2026-09-10T22:15:01Z': at(80),
    '2026-09-11T02:41:00Z': at(200),
    PT1H45M: 'PT0.05S',
    '2026-09-11T04:26:00Z': at(250),
    PT6H: 'PT0.05S',
    '2026-09-11T10:26:01Z': at(300),
    '2026-09-11T03:15:00Z': at(60_000),
    '2026-09-11T05:00:00Z': at(120_000),
    '2026-09-13T05:00:00Z': at(6_000),
    '2026-09-13T05:00:01Z': at(6_000),
  });
}

it('ends with the ledger of the example, though nobody decided while the departure was reported', async () => {
  await start();
  const startMs = systemClock.now();
  const vector = workedExample(startMs);
  const told = recordsOfScenario(tenant, vector);
  const tell = async (nth: number): Promise<void> => {
    await edge.append(partition, told.slice(nth, nth + 1));
  };
  await tell(0);
  await tell(1);
  await until(async () => (await events('expectationLapsed')).length === 1, 'the manifest to be overdue');
  await stop();
  await until(() => systemClock.now() > startMs + 200, 'the departure');
  await tell(3);
  await start();
  await until(async () => (await events('expectationLapsed')).length === 4, 'the arrival to be stalled');
  await stop();

  const lapses = await events('expectationLapsed');
  expect(lapses.map(({ messageId, contextId, taskId, lapse }) => ({ messageId, contextId, taskId, lapse }))).toEqual(
    vector.expected.lapses.map(({ agentId: _, ...expected }) => ({
      ...expected,
      lapse: { ...expected.lapse, lapsedAt: expect.any(String) },
    })),
  );
  for (const [index, { lapse }] of lapses.entries()) {
    const notBefore = vector.expected.lapses[index]?.lapse.lapsedAt ?? '';
    expect(Date.parse(lapse.lapsedAt)).toBeGreaterThanOrEqual(Date.parse(notBefore));
  }
  expect(await events('expectationRecorded')).toHaveLength(3);
  expect(await events('expectationSatisfied')).toMatchObject([{ expectationId: 'exp-01J8Q0DEPART', late: false }]);
});

it('says nothing twice, however often it starts again', async () => {
  const { end } = await log.bounds('ledger', partition);
  await start();
  await edge.append(partition, [inboxRecord(tenant, { type: 'factsReported', reporter: 'r', facts: [] })]);
  await until(async () => (await events('inputIgnored')).length === 1, 'what was told');
  await stop();
  const added = await log.read('ledger', partition, { from: end, limit: 100 });
  expect(added.map(({ value }) => decodeLedger(value))).toMatchObject([
    { type: 'writerStarted', deployment: 'test', epoch: 3 },
    { tenant, events: [{ type: 'inputIgnored' }] },
  ]);
});
