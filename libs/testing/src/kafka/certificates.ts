// Certificates for a test's broker and client, of an authority of their own, made by openssl when they are asked for.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Paths of PEM files. */
export interface Certificates {
  readonly ca: string;
  /** The broker's key and certificate in one. */
  readonly broker: string;
  readonly clientCert: string;
  readonly clientKey: string;
}

/** Makes them in a directory; the broker's is for 127.0.0.1, the client's name is `clientName`. */
export async function makeCertificates(directory: string, clientName: string): Promise<Certificates> {
  const at = (name: string): string => join(directory, name);
  const openssl = (...parameters: string[]) => run('openssl', parameters);
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  const authority = ['-x509', '-days', '2', '-addext', 'basicConstraints=critical,CA:TRUE'];
  await openssl('req', ...authority, ...key, '-subj', '/CN=authority', '-keyout', at('ca.key'), '-out', at('ca.pem'));
  await writeFile(at('extensions'), 'subjectAltName=IP:127.0.0.1\n');
  for (const [file, name] of [
    ['broker', 'broker'],
    ['client', clientName],
  ] as const) {
    const request = at(`${file}.csr`);
    await openssl('req', ...key, '-subj', `/CN=${name}`, '-keyout', at(`${file}.key`), '-out', request);
    const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('extensions')];
    await openssl('x509', '-req', '-days', '2', '-in', request, ...signer, '-out', at(`${file}.pem`));
  }
  const parts = await Promise.all([at('broker.key'), at('broker.pem')].map((path) => readFile(path, 'utf8')));
  await writeFile(at('broker.store'), parts.join(''));
  return {
    ca: at('ca.pem'),
    broker: at('broker.store'),
    clientCert: at('client.pem'),
    clientKey: at('client.key'),
  };
}
