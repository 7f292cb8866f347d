// The HTTP edges as they run, for tests: a listening Nest application on PostgreSQL, with a log in memory and the core behind it.
import type { AddressInfo } from 'node:net';
import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { MemoryEventLog } from '#event-log';
import { OUTBOUND } from '#outbound';
import {
  ApiKeys,
  CLOCK,
  createHttpApp,
  CREDENTIAL_SEAL,
  CredentialSeal,
  EDGE_DATABASE,
  EdgeModule,
  EVENT_LOG,
  type KeyGrant,
  openEdgeDatabase,
  PinoLogger,
  systemClock,
} from '#runtime';
import { createDatabase } from '../postgres/create-database.ts';
import { loopbackOutbound } from './loopback-outbound.ts';
import { CoreDecider } from './core-decider.ts';

export interface EdgeCall {
  readonly key?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the answer; undefined where there is none. */
  readonly body: unknown;
}

export interface EdgeApp {
  readonly url: string;
  readonly log: MemoryEventLog;
  readonly decider: CoreDecider;
  readonly database: DataSource;
  readonly keys: ApiKeys;
  /** What the application has of this class, wherever. */
  get<Part>(part: Type<Part>): Part;
  /** The secret of a new key; of the tenant `acme`, named `tester`, with every scope but `admin`, unless told. */
  key(grant?: Partial<KeyGrant>): Promise<string>;
  call(method: string, path: string, call?: EdgeCall): Promise<EdgeAnswer>;
  close(): Promise<void>;
}

@Global()
@Module({})
class PortsModule {}

/** Starts an application of these modules; `logNow` is the log's clock where the test has one. */
export async function startEdgeApp(
  modules: readonly Type<unknown>[],
  logNow: () => number = () => systemClock.now(),
): Promise<EdgeApp> {
  const testDatabase = await createDatabase();
  const database = await openEdgeDatabase(testDatabase.url);
  const log = new MemoryEventLog({ partitionCount: 2, clock: { ...systemClock, now: logNow } });
  const decider = new CoreDecider(log);
  decider.start();
  const app = await createHttpApp(rootModule(modules, log, database), new PinoLogger('fatal'));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const keys = app.get(ApiKeys);
  const base: KeyGrant = {
    tenant: 'acme',
    name: 'tester',
    scopes: ['agents', 'observe', 'facts', 'read'],
    sources: ['*'],
  };
  return {
    ...{ url, log, decider, database, keys },
    get: (part) => app.get(part, { strict: false }),
    key: async (grant = {}) => (await keys.make({ ...base, ...grant })).secret,
    call: (method, path, call) => send(url, method, path, call),
    close: async () => {
      await app.close();
      await decider.stop();
      await log.close();
      await database.destroy();
      await testDatabase.drop();
    },
  };
}

function rootModule(modules: readonly Type<unknown>[], log: MemoryEventLog, database: DataSource): DynamicModule {
  const providers = [
    { provide: EVENT_LOG, useValue: log },
    { provide: CLOCK, useValue: systemClock },
    { provide: OUTBOUND, useValue: loopbackOutbound() },
    { provide: EDGE_DATABASE, useValue: database },
    { provide: CREDENTIAL_SEAL, useValue: new CredentialSeal(new Uint8Array(32).fill(1)) },
  ];
  const ports: DynamicModule = { module: PortsModule, providers, exports: providers };
  return { module: class EdgeTestModule {}, imports: [ports, EdgeModule, ...modules] };
}

async function send(url: string, method: string, path: string, call: EdgeCall = {}): Promise<EdgeAnswer> {
  const body = call.json === undefined ? call.body : JSON.stringify(call.json);
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(call.json !== undefined && { 'content-type': 'application/json' }),
      ...(call.key !== undefined && { authorization: `Bearer ${call.key}` }),
      ...call.headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}
