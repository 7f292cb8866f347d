// Cards whose interfaces lead where nothing is to be called (server-side request forgery): no lapse connects, each is
// parked saying why.
import { jest } from '@jest/globals';
import { Global, type INestMicroservice, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { DataSource } from 'typeorm';
import { SoleShare } from '#event-log';
import { OUTBOUND, type Outbound } from '#outbound';
import {
  AgentDirectory,
  CLOCK,
  CREDENTIAL_SEAL,
  CredentialSeal,
  EDGE_DATABASE,
  EVENT_LOG,
  openEdgeDatabase,
  RANDOM,
  systemClock,
  systemRandom,
} from '#runtime';
import { Memberships, PartitionServer } from '#serving';
import {
  createDatabase,
  DispatchStory,
  FakeAgent,
  guardedOutbound,
  startVictim,
  type TestDatabase,
  until,
  type Victim,
} from '#testing';
import { DISPATCH_DATABASE, DispatcherModule, openDispatchDatabase } from './dispatcher.module.ts';

const forbidden = '127.0.0.2';

let server: TestDatabase;
let edge: DataSource;
let dispatch: DataSource;
let app: INestMicroservice;
let agent: FakeAgent;
let victim: Victim;
let outbound: Outbound;
let port: number;
const story = new DispatchStory();

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  [server, agent] = await Promise.all([createDatabase(), FakeAgent.start()]);
  [edge, dispatch] = await Promise.all([openEdgeDatabase(server.url), openDispatchDatabase(server.url)]);
  port = Number(new URL(agent.url).port);
  victim = await startVictim(forbidden, port);
  outbound = guardedOutbound(['127.0.0.1/32'], {
    'forbidden.test': [[forbidden]],
    'rebound.test': [['127.0.0.1'], [forbidden]],
  });
  const ports = [
    { provide: EVENT_LOG, useValue: story.log },
    { provide: CLOCK, useValue: systemClock },
    { provide: RANDOM, useValue: systemRandom },
    { provide: EDGE_DATABASE, useValue: edge },
    { provide: OUTBOUND, useValue: outbound },
    { provide: CREDENTIAL_SEAL, useValue: new CredentialSeal(new Uint8Array(32).fill(1)) },
    { provide: DISPATCH_DATABASE, useValue: dispatch },
  ];
  @Global()
  @Module({ providers: ports, exports: ports })
  class PortsModule {}
  const made = await Test.createTestingModule({ imports: [PortsModule, DispatcherModule] }).compile();
  const share = new SoleShare(story.log.partitionCount, () => undefined);
  app = made.createNestMicroservice({ strategy: new PartitionServer('dispatcher', share, new Memberships()) });
  await app.listen();
});

afterAll(async () => {
  await app.close();
  await Promise.all([edge.destroy(), dispatch.destroy(), story.end(), agent.stop(), victim.close(), outbound.close()]);
  await server.drop();
});

/** Registers an agent whose only interface is there, and has one of its expectations lapse. */
async function lapseAt(agentId: string, url: string): Promise<void> {
  const supportedInterfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
  const kept = { cardUrl: agent.url, card: { supportedInterfaces }, declaration: {}, findings: [], settings: {} };
  const directory = app.get(AgentDirectory, { strict: false });
  await directory.register({ tenant: story.tenant, agentId, ...kept });
  await story.declare(agentId);
  await story.raise(agentId, `${agentId}-departs`);
}

async function parkedCause(agentId: string): Promise<string> {
  const find = async () =>
    (await story.decided('dispatchFailed')).find((event) => event.agentId === agentId && event.outcome === 'parked');
  await until(async () => (await find()) !== undefined, `${agentId} to be parked`);
  return (await find())?.cause ?? '';
}

it.each([
  ['literal', forbidden],
  ['number', '2130706434'],
  ['ipv6', '[::1]'],
  ['mapped', '[::ffff:127.0.0.2]'],
  ['name', 'forbidden.test'],
])('an interface by %s is parked, saying what may be listed', async (agentId, host) => {
  await lapseAt(agentId, `http://${host}:${port}`);
  expect(await parkedCause(agentId)).toMatch(/is no public address .*: DUEWATCH_OUTBOUND_ALLOW may list it/);
  expect(victim.connectionsCount).toBe(0);
});

it('an agent that leads elsewhere is not followed', async () => {
  agent.sendFaults.push({ status: 307, headers: { location: `http://${forbidden}:${port}/` } });
  await lapseAt('redirecting', agent.url);
  expect(await parkedCause('redirecting')).toMatch(/HTTP 307/);
  expect(victim.connectionsCount).toBe(0);
});

it('a name that answers otherwise the second time is called at the first, or not at all', async () => {
  // The connection of the first send is not used again.
  agent.sendFaults.push({ status: 400, headers: { connection: 'close' } }, { status: 400 });
  await lapseAt('rebound', `http://rebound.test:${port}`);
  expect(await parkedCause('rebound')).toMatch(/HTTP 400/);
  await lapseAt('again', `http://rebound.test:${port}`);
  expect(await parkedCause('again')).toMatch(/is no public address/);
  expect(victim.connectionsCount).toBe(0);
});
