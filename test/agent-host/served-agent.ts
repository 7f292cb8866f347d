// An agent served by the host in this process, and the A2A project's own client for each way to call it, unmodified.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '@a2a-js/sdk';
import { AgentCard, SendMessageRequest, type StreamResponse, type Task } from '@a2a-js/sdk';
import { type Client, ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { jest } from '@jest/globals';
import express from 'express';
import { Client as PostgresClient } from 'pg';
import { stringify } from 'yaml';
import type { AgentHandler } from '#agent-handler';
import { AddressRanges } from '#outbound';
import { defaultBounds, type ReminderBounds } from '#reminders';
import { CredentialSeal, PinoLogger, type RedisAddress, systemClock } from '#runtime';
import { loopbackOutbound } from '#testing';
import {
  AgentHost,
  defaultHostBounds,
  type HostBounds,
  openHostStores,
  type OpenedStores,
  type StorePlaces,
} from '../../apps/agent-host/src/agent-host.module.ts';

export const ways = [
  ['HTTP+JSON', '1.0'],
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '0.3'],
  ['JSONRPC', '0.3'],
] as const;
export type Way = (typeof ways)[number];

export interface ServeTestOptions {
  readonly card?: Readonly<Record<string, unknown>>;
  /** All, unless given. */
  readonly ways?: readonly Way[];
  readonly places?: StorePlaces;
  readonly databaseUrl?: string;
  readonly redis?: RedisAddress;
  readonly leaseMs?: number;
  /** Addresses whose word on clients' certificates is believed. */
  readonly proxies?: readonly string[];
  readonly bounds?: HostBounds;
  readonly reminderBounds?: ReminderBounds;
  /** How long streams may be still. */
  readonly stillMs?: number;
}

/** The example's card with all four ways, unless told, each at a path of its own. */
export function cardOf(
  over: Readonly<Record<string, unknown>> = {},
  url = 'https://agents.example',
  served: readonly Way[] = ways,
): string {
  return stringify({
    name: 'Tested agent',
    description: 'Does what a test says.',
    version: '1.0.0',
    supportedInterfaces: served.map(([protocolBinding, protocolVersion]) => ({
      ...{
        url: `${url}${pathOf([protocolBinding, protocolVersion])}`,
        protocolBinding,
        protocolVersion,
      },
    })),
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'test', name: 'Test', description: 'Is tested.', tags: ['test'] }],
    ...over,
  });
}

export function pathOf([binding, version]: Way): string {
  return `/agent/${binding === 'JSONRPC' ? 'rpc' : 'rest'}-${version.replace('.', '-')}`;
}

export class ServedAgent {
  private constructor(
    readonly url: string,
    readonly host: AgentHost,
    private readonly stop: () => Promise<void>,
    private readonly databaseUrl: string | undefined,
  ) {}

  static async start(handler: AgentHandler, options: ServeTestOptions = {}): Promise<ServedAgent> {
    // What callers are answered is said to the console by the SDK, too.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const places = options.places ?? { tasks: 'memory', sessions: 'memory', work: 'memory' };
    const { databaseUrl, leaseMs = 15_000, redis } = options;
    const stores: OpenedStores = await openHostStores({
      ...{
        places,
        databaseUrl,
        ...(redis && { redis }),
        seal: new CredentialSeal(Buffer.alloc(32, 7)),
        clock: systemClock,
        report: () => undefined,
      },
    });
    const log = new PinoLogger('fatal');
    const outbound = loopbackOutbound();
    const proxies = new AddressRanges(options.proxies ?? []);
    const shared = { stores, outbound, clock: systemClock, log, leaseMs, cancelPatienceMs: 60_000, proxies };
    const { bounds = defaultHostBounds, reminderBounds = defaultBounds, stillMs = 15_000 } = options;
    const app = express().disable('x-powered-by');
    // An agent that cannot be served must not keep the run alive.
    const server = createServer(app).unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const host = AgentHost.of(cardOf(options.card, url, options.ways), handler, {
      ...shared,
      bounds,
      stillMs,
      reminderBounds,
    });
    host.mount(app);
    const stop = async (): Promise<void> => {
      await host.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await outbound.close();
      await stores.close();
    };
    return new ServedAgent(url, host, stop, databaseUrl);
  }

  close(): Promise<void> {
    return this.stop();
  }

  /** Looks into its tables. */
  async query(sql: string, parameters: readonly unknown[]): Promise<Record<string, unknown>[]> {
    const database = new PostgresClient({ connectionString: this.databaseUrl });
    await database.connect();
    try {
      return (await database.query(sql, [...parameters])).rows;
    } finally {
      await database.end();
    }
  }

  /** The A2A project's client, given a card that has this one way. */
  client(way: Way, headers: Readonly<Record<string, string>> = {}, fetchBy?: typeof fetch): Promise<Client> {
    return clientOf(this.url, way, headers, fetchBy);
  }
}

export function clientOf(
  url: string,
  way: Way,
  headers: Readonly<Record<string, string>> = {},
  fetchBy: typeof fetch = (input, init) => fetch(input, init),
): Promise<Client> {
  const [protocolBinding, protocolVersion] = way;
  const fetchImpl: typeof fetch = (input, init) => {
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return fetchBy(input, { ...init, headers: all });
  };
  const options = { fetchImpl, legacyCompat: { enabled: protocolVersion === '0.3' } };
  const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)];
  const card = AgentCard.fromJSON({
    ...{ name: 'Tested agent', version: '1', capabilities: { streaming: true, pushNotifications: true } },
    supportedInterfaces: [{ url: `${url}${pathOf(way)}`, protocolBinding, protocolVersion }],
  });
  return new ClientFactory({ transports }).createFromAgentCard(card);
}

let count = 0;

export interface SendOptions {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly messageId?: string;
  readonly configuration?: object;
  readonly parts?: readonly object[];
}

export function request(text: string, options: SendOptions = {}): SendMessageRequest {
  const { configuration = {}, messageId = `m-${(count += 1)}`, parts = [{ text }], ...ids } = options;
  return SendMessageRequest.fromJSON({ message: { messageId, role: 'ROLE_USER', parts, ...ids }, configuration });
}

export function isMessage(answer: Message | Task): answer is Message {
  return 'messageId' in answer;
}

/** The texts of an answer, whatever it is. */
export function textsOf(answer: Message | Task): unknown[] {
  const parts = isMessage(answer) ? answer.parts : answer.artifacts.flatMap((artifact) => artifact.parts);
  return parts.map(({ content }) => content?.value as unknown);
}

/** What came, each by what it is: a state, a piece of an artifact, a task. */
export function kindsOf(events: readonly StreamResponse[]): string[] {
  return events.flatMap(({ payload }) => {
    if (payload?.$case === 'task') return ['task'];
    if (payload?.$case === 'statusUpdate') return [`state ${String(payload.value.status?.state)}`];
    return payload?.$case === 'artifactUpdate' ? ['artifact'] : [String(payload?.$case)];
  });
}

export async function all<T>(stream: AsyncGenerator<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
