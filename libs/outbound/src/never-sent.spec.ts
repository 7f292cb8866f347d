import { AddressRefusedError } from './address-refused-error.ts';
import { isNeverSent } from './never-sent.ts';

const coded = (code: string): Error => Object.assign(new Error(), { code });

describe('a request', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'UND_ERR_CONNECT_TIMEOUT',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
  ])('was never sent where it failed for %s', (code) => {
    expect(isNeverSent(coded(code))).toBe(true);
  });

  it('was never sent where its address is refused, or every attempt failed so', () => {
    const refused = new AddressRefusedError('10.0.0.1 is private');
    expect(isNeverSent(refused)).toBe(true);
    expect(isNeverSent(new AggregateError([coded('ECONNREFUSED'), refused]))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a connection that was cut', coded('ECONNRESET')],
    ['no answer in time', coded('UND_ERR_HEADERS_TIMEOUT')],
    ['one attempt that got through', new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')])],
    ['attempts that are not told', new AggregateError([])],
    ['what has no code', new Error('ECONNREFUSED')],
    ['nothing that is known', undefined],
  ])('may have been sent after %s', (_, cause) => {
    expect(isNeverSent(cause)).toBe(false);
  });
});
