// Several tenants, each in a partition of its own, each with an agent that keeps its own time: nothing is sent to it, so
// that what is measured is recording and deciding.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { partitionOf } from '#event-log';
import { administratorKey } from './watcher-process.ts';

export const AGENT_ID = 'booking-agent';
export const SOURCE = 'carrier-feed';

export interface Tenant {
  readonly name: string;
  readonly partition: number;
  readonly key: string;
}

const PARTITION_COUNT = 8;
const EXTENSION = 'https://rsaxb.com/a2a/expectations/v1';

/** Makes so many tenants, their keys and agents. */
export async function openTenants(url: string, count: number): Promise<readonly Tenant[]> {
  const server = createServer((_, response) => response.end(JSON.stringify(card()))).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const cardUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/card.json`;
  const tenants: Tenant[] = [];
  for (let number = 0; tenants.length < count; number += 1) {
    const name = `tenant-${number}`;
    const partition = partitionOf(name, PARTITION_COUNT);
    if (tenants.some((tenant) => tenant.partition === partition)) continue;
    const grant = { tenant: name, name: 'bench', scopes: ['agents', 'observe', 'facts', 'read'], sources: [SOURCE] };
    const { key } = (await call(url, administratorKey, 'POST', '/v1/keys', grant)) as { readonly key: string };
    await call(url, key, 'PUT', `/v1/agents/${AGENT_ID}`, { cardUrl });
    tenants.push({ name, partition, key });
  }
  server.close();
  return tenants;
}

async function call(url: string, key: string, method: string, path: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as unknown;
}

function card(): unknown {
  const kinds = ['manifest', 'departure', 'arrival'].map((step) => ({
    kind: `shipment.${step}`,
    subjectType: 'shipment',
    basis: 'observed',
  }));
  return {
    name: 'Booking',
    description: 'Books freight.',
    version: '1.0.0',
    supportedInterfaces: [{ url: 'http://127.0.0.1:1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { extensions: [{ uri: EXTENSION, required: false, params: { keepsTime: true, kinds } }] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'book', name: 'Book', description: 'Books freight.', tags: ['freight'] }],
  };
}
