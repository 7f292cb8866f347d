// Whose certificate is believed: from whom, in which form, and until when.
import { createHash, X509Certificate } from 'node:crypto';
import type { Request } from 'express';
import type { ClientCertificate } from '#agent-handler';
import { AddressRanges } from '#outbound';
import { agentIdentity, testAuthority, watcherIdentity } from '#testing';
import { certificateVerifier } from './certificate-verifier.ts';

const certificateOf = (pem: string) => new X509Certificate(pem);
const watcher = certificateOf(watcherIdentity.certificate);
const inItem = (pem: string) => `:${certificateOf(pem).raw.toString('base64')}:`;
const shown = inItem(watcherIdentity.certificate);
const fingerprint = createHash('sha256').update(watcher.raw).digest('hex');

const inHeader = { certificateHeader: 'Client-Cert', certificateForm: 'rfc9440' } as const;
const pinned: ClientCertificate = { ...inHeader, fingerprintByUser: { alice: fingerprint } };
const signed: ClientCertificate = { ...inHeader, authorities: [testAuthority] };
const whileValid = Date.parse('2030-01-01T00:00:00Z');

interface Shown {
  readonly by?: ClientCertificate;
  readonly header?: string;
  readonly values?: readonly string[];
  readonly from?: string;
  readonly atMs?: number;
}

/** The name that a request is believed to have. */
async function nameBy({ by = pinned, header = 'client-cert', values = [shown], from, atMs }: Shown): Promise<unknown> {
  const clock = { now: () => atMs ?? whileValid, sleep: async () => undefined };
  const verify = certificateVerifier(by, { proxies: new AddressRanges(['10.0.0.0/8', '::1']), clock });
  const request = { socket: { remoteAddress: from ?? '10.1.2.3' }, headersDistinct: { [header]: [...values] } };
  const verified = await verify(request as unknown as Request);
  return typeof verified === 'object' ? verified.name : verified;
}

it('it is who has it pinned, or who its authority says', async () => {
  expect(await nameBy({})).toBe('alice');
  expect(await nameBy({ by: signed })).toBe('CN=watcher');
});

it('it is read as nginx and Envoy write it, too, where the handler says so', async () => {
  const by = { ...pinned, certificateHeader: 'SSL-Client-Cert', certificateForm: 'escapedPem' } as const;
  const values = [encodeURIComponent(watcherIdentity.certificate)];
  expect(await nameBy({ by, header: 'ssl-client-cert', values })).toBe('alice');
  expect(await nameBy({ by, header: 'ssl-client-cert', values: [shown] })).toBeUndefined();
  expect(await nameBy({ by, header: 'ssl-client-cert', values: ['%E0%A4%A'] })).toBeUndefined();
});

it('it is believed from the proxies alone, however their addresses are written', async () => {
  expect(await nameBy({ from: '::ffff:10.1.2.3' })).toBe('alice');
  expect(await nameBy({ from: '::1' })).toBe('alice');
  for (const from of ['127.0.0.1', '192.0.2.1', '::2', '']) expect(await nameBy({ from })).toBeUndefined();
});

it('it is believed while it is valid, to the second', async () => {
  const [fromMs, toMs] = [Date.parse(watcher.validFrom), Date.parse(watcher.validTo)];
  for (const by of [pinned, signed]) {
    for (const atMs of [fromMs, toMs]) expect(await nameBy({ by, atMs })).toBeDefined();
    for (const atMs of [fromMs - 1, toMs + 1]) expect(await nameBy({ by, atMs })).toBeUndefined();
  }
});

it.each<[string, Shown]>([
  ['which nobody has pinned', { values: [inItem(agentIdentity.certificate)] }],
  ['of an authority itself', { by: signed, values: [inItem(testAuthority)] }],
  ['beside another', { values: [shown, shown] }],
  ['and another in one line', { values: [`${shown}, ${shown}`] }],
  ['with parameters', { values: [`${shown};a=1`] }],
  ['in no header', { values: [] }],
  ['in another header', { header: 'x-client-cert' }],
  ['without colons', { values: [watcher.raw.toString('base64')] }],
  ['in base64 with spaces', { values: [shown.replace('A', 'A ')] }],
  ['with something behind it', { values: [`:${Buffer.concat([watcher.raw, Buffer.from('x')]).toString('base64')}:`] }],
  ['cut short', { values: [`:${watcher.raw.subarray(0, 100).toString('base64')}:`] }],
  ['as PEM where it is to be DER', { values: [`:${Buffer.from(watcherIdentity.certificate).toString('base64')}:`] }],
  ['that is none', { values: [`:${Buffer.alloc(10_000, 7).toString('base64')}:`] }],
])('a certificate %s is nobody’s', async (_, what) => {
  expect(await nameBy(what)).toBeUndefined();
});
