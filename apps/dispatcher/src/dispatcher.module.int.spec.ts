import { jest } from '@jest/globals';
import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { DataSource } from 'typeorm';
import { foldLedger, LedgerReader, openReadModel, READ_MODEL } from '#read-model';
import {
  AgentDirectory,
  CLOCK,
  CREDENTIAL_SEAL,
  CredentialSeal,
  EDGE_DATABASE,
  EVENT_LOG,
  openEdgeDatabase,
  RANDOM,
  SinkDirectory,
  systemClock,
  systemRandom,
} from '#runtime';
import { SoleShare } from '#event-log';
import { Memberships, PartitionServer } from '#serving';
import { OUTBOUND } from '#outbound';
import {
  createDatabase,
  DispatchStory,
  FakeAgent,
  loopbackOutbound,
  type TestDatabase,
  until,
  WebhookReceiver,
} from '#testing';
import { DISPATCH_DATABASE, DispatcherModule, openDispatchDatabase } from './dispatcher.module.ts';

let server: TestDatabase;
let databases: readonly [edge: DataSource, dispatch: DataSource, read: DataSource];
const story = new DispatchStory();

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  server = await createDatabase();
  const { url } = server;
  databases = [await openEdgeDatabase(url), await openDispatchDatabase(url), await openReadModel(url)];
});
afterAll(async () => {
  for (const database of databases) await database.destroy();
  await story.end();
  await server.drop();
});

it('wired by Nest, it calls a registered agent with its credential, words the lapse by the read model, and tells a sink', async () => {
  const [edge, dispatch, read] = databases;
  const ports = [
    { provide: EVENT_LOG, useValue: story.log },
    { provide: CLOCK, useValue: systemClock },
    { provide: RANDOM, useValue: systemRandom },
    { provide: EDGE_DATABASE, useValue: edge },
    { provide: OUTBOUND, useValue: loopbackOutbound() },
    { provide: CREDENTIAL_SEAL, useValue: new CredentialSeal(new Uint8Array(32).fill(1)) },
    { provide: DISPATCH_DATABASE, useValue: dispatch },
    { provide: READ_MODEL, useValue: read },
  ];
  @Global()
  @Module({ providers: ports, exports: ports })
  class PortsModule {}
  const made = await Test.createTestingModule({ imports: [PortsModule, DispatcherModule] }).compile();
  const share = new SoleShare(story.log.partitionCount, () => undefined);
  const app = made.createNestMicroservice({ strategy: new PartitionServer('dispatcher', share, new Memberships()) });
  const agent = await FakeAgent.start('HTTP+JSON');
  const kept = { cardUrl: agent.url, card: agent.card, declaration: {}, findings: [], settings: {} };
  const auth = { type: 'header', name: 'X-Key', value: 'secret' } as const;
  const directory = app.get(AgentDirectory, { strict: false });
  await directory.register({ tenant: story.tenant, agentId: 'booking', ...kept, auth });
  const receiver = await new WebhookReceiver().start();
  const sinks = app.get(SinkDirectory, { strict: false });
  await sinks.set(story.tenant, 'ops', { type: 'slack', url: receiver.url }, { groupBySeconds: 0 });
  await story.declare('booking');
  await story.raise('booking', 'e1', { grace: 'PT2H' });
  await story.untilDecided('expectationLapsed');
  await foldLedger(read, await new LedgerReader(story.log, story.partition).next(-1));
  await app.listen();
  await story.untilDecided('dispatchAcknowledged');
  expect(agent.sends[0]?.headers['x-key']).toBe('secret');
  expect(agent.received[0]?.parts[0]?.content?.value).toContain('with PT2H of grace');
  await until(() => receiver.received.length === 1, 'the sink to be told');
  expect(receiver.received[0]?.text).toContain('at agent booking');
  await app.close();
  await Promise.all([agent.stop(), receiver.close()]);
});
