import { Global, type INestMicroservice, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { DataSource } from 'typeorm';
import { MemoryEventLog, partitionOf, SoleShare } from '#event-log';
import { ExpectationRow, openReadModel, READ_MODEL, rebuildReadModel } from '#read-model';
import { CLOCK, EVENT_LOG, PinoLogger, systemClock } from '#runtime';
import { Memberships, MEMBERSHIPS, PartitionServer } from '#serving';
import { createDatabase, expectationRecorded, LedgerScript, type TestDatabase, TestShare } from '#testing';
import { ProjectorHealth, ProjectorModule } from './projector.module.ts';
import { Projector } from './projector.ts';

describe('the projector', () => {
  let database: TestDatabase;
  let readModel: DataSource;
  let log: MemoryEventLog;
  let script: LedgerScript;
  const started: INestMicroservice[] = [];

  beforeEach(async () => {
    database = await createDatabase();
    readModel = await openReadModel(database.url);
    log = new MemoryEventLog({ partitionCount: 2, clock: systemClock });
    script = new LedgerScript(log);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((app) => app.close()));
    await readModel.destroy();
    await database.drop();
  });

  async function start(): Promise<INestMicroservice> {
    const memberships = new Memberships();
    const ports = [
      { provide: EVENT_LOG, useValue: log },
      { provide: CLOCK, useValue: systemClock },
      { provide: READ_MODEL, useValue: readModel },
      { provide: MEMBERSHIPS, useValue: memberships },
    ];
    @Global()
    @Module({ providers: ports, exports: ports })
    class PortsModule {}
    const made = await Test.createTestingModule({ imports: [PortsModule, ProjectorModule] })
      .setLogger(new PinoLogger('fatal'))
      .compile();
    const share = new SoleShare(log.partitionCount, () => undefined);
    const strategy = new PartitionServer('projector', share, memberships);
    const app = made.createNestMicroservice({ strategy });
    started.push(app);
    await app.listen();
    return app;
  }
  const isFolded = async (count: number): Promise<void> => {
    while ((await readModel.getRepository(ExpectationRow).count()) < count) await systemClock.sleep(10);
  };
  const record = (tenant: string, expectationId: string) =>
    script.decided(tenant, expectationRecorded({ expectationId }));

  it('folds what stands in every partition, and what comes', async () => {
    expect([partitionOf('acme', 2), partitionOf('globex', 2)]).toEqual([1, 0]);
    await record('acme', 'e1');
    await record('globex', 'e1');
    await start();
    await isFolded(2);
    await record('acme', 'e2');
    await isFolded(3);
  });

  it('goes on where it stopped', async () => {
    await record('acme', 'e1');
    const first = await start();
    await isFolded(1);
    await first.close();
    await record('acme', 'e2');
    await start();
    await isFolded(2);
    expect(await readModel.getRepository(ExpectationRow).count()).toBe(2);
  });

  it('is no worse for a second one', async () => {
    await Promise.all([start(), start()]);
    for (let index = 0; index < 30; index += 1) await record('acme', `e${index}`);
    await isFolded(30);
    expect(await readModel.getRepository(ExpectationRow).count()).toBe(30);
  });

  it('gets over a database that went away', async () => {
    await start();
    await record('acme', 'e1');
    await isFolded(1);
    await Promise.all([
      readModel.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      ),
      record('acme', 'e2'),
    ]);
    await record('acme', 'e3');
    await isFolded(3);
  });

  it('notices that the tables were made again beside it', async () => {
    await start();
    for (let index = 0; index < 20; index += 1) await record('acme', `e${index}`);
    await isFolded(20);
    await rebuildReadModel(readModel, log);
    await record('acme', 'later');
    await isFolded(21);
    expect(await readModel.getRepository(ExpectationRow).count()).toBe(21);
  });

  it('folds only what is given to it, until it is taken away', async () => {
    const share = new TestShare([]);
    const projector = new Projector(log, readModel, systemClock);
    share.join('projector', (partition, signal) => projector.serve(partition, signal));
    await record('acme', 'e1');
    await record('globex', 'e1');
    void share.give(partitionOf('acme', 2));
    await isFolded(1);
    expect(await share.take(partitionOf('acme', 2))).toBe('left');
    await record('acme', 'e2');
    void share.give(partitionOf('globex', 2));
    await isFolded(2);
    const rows = await readModel.getRepository(ExpectationRow).find();
    expect(rows.map(({ tenant }) => tenant).sort()).toEqual(['acme', 'globex']);
    await share.take(partitionOf('globex', 2));
  });

  it('is healthy while it keeps up, and says which partition is behind', async () => {
    const app = await start();
    const health = app.get(ProjectorHealth);
    await expect(health.check()).resolves.toBeUndefined();
    await app.close();
    await record('acme', 'e1');
    log.now = async () => systemClock.now() + 60_000;
    await expect(health.check()).rejects.toThrow(`partition ${partitionOf('acme', 2)} is`);
  });
});
