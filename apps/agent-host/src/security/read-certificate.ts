// A certificate out of a header's value: whatever it is, it is one certificate or none.
import { X509Certificate } from 'node:crypto';
import type { CertificateForm } from '#agent-handler';

/** Undefined where it is no certificate in this form, and nothing else. */
export function readCertificate(value: string, form: CertificateForm): X509Certificate | undefined {
  const der = form === 'rfc9440' ? fromItem(value) : fromEscapedPem(value);
  if (der === undefined) return undefined;
  try {
    const certificate = new X509Certificate(der);
    // Behind a certificate there may be anything.
    return certificate.raw.equals(der) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 9440 §2.1: a Byte Sequence of RFC 8941, without parameters. */
function fromItem(value: string): Buffer | undefined {
  return fromBase64(/^:([^:]+):$/.exec(value)?.[1] ?? '');
}

function fromEscapedPem(value: string): Buffer | undefined {
  const pem = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/.exec(unescaped(value));
  return fromBase64((pem?.[1] ?? '').replace(/\s/g, ''));
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}
