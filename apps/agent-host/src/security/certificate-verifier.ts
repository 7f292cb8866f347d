// Clients' certificates, as a proxy that ends TLS tells them. That the client has the key is the proxy's word, and a header
// is nobody's: it is read from the proxies' own addresses, and from everywhere else as if it were not there.
import { createHash, X509Certificate } from 'node:crypto';
import type { ClientCertificate } from '#agent-handler';
import type { AddressRanges } from '#outbound';
import type { Clock } from '#runtime';
import { userByHash } from './key-verifier.ts';
import { readCertificate } from './read-certificate.ts';
import { scopesOf, type Verifier } from './verified.ts';

/** Of extended key usage: for clients of TLS, and for anything. */
const clientUsages = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];

export interface CertificateVerifierOptions {
  /** Where proxies are that may be believed. */
  readonly proxies: AddressRanges;
  readonly clock: Clock;
}

export function certificateVerifier(
  verification: ClientCertificate,
  { clock, proxies }: CertificateVerifierOptions,
): Verifier {
  const { authorities = [], certificateForm, fingerprintByUser = {} } = verification;
  const header = verification.certificateHeader.toLowerCase();
  const findPinned = userByHash(fingerprintByUser);
  const issuers = authorities.map((pem) => new X509Certificate(pem));
  return async (request) => {
    if (!proxies.has(request.socket.remoteAddress ?? '')) return undefined;
    const values = request.headersDistinct[header] ?? [];
    const [value = ''] = values;
    // Who appends to what a client has sent instead of replacing it must not be taken at its first word.
    const certificate = values.length === 1 ? readCertificate(value, certificateForm) : undefined;
    if (certificate === undefined || !isValidAt(certificate, clock.now())) return undefined;
    const name =
      findPinned(createHash('sha256').update(certificate.raw).digest()) ??
      (isIssuedByAny(certificate, issuers, clock.now()) ? subjectOf(certificate) : undefined);
    return name === undefined ? undefined : { name, scopes: scopesOf(verification, name) };
  };
}

function isValidAt({ validFrom, validTo }: X509Certificate, nowMs: number): boolean {
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
}

function isIssuedByAny(certificate: X509Certificate, issuers: readonly X509Certificate[], nowMs: number): boolean {
  const usages = certificate.keyUsage as readonly string[] | undefined;
  if (certificate.ca || usages?.some((usage) => clientUsages.includes(usage)) === false) return false;
  return issuers.some(
    (issuer) => isValidAt(issuer, nowMs) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey),
  );
}

/** As RFC 4514 writes it, the most particular first. Node has escaped each line. */
function subjectOf({ subject }: X509Certificate): string | undefined {
  return subject === '' ? undefined : subject.split('\n').reverse().join(',');
}
