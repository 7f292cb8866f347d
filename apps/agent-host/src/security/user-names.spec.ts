// Whose name is whose.
import type { SchemeVerification } from '#agent-handler';
import { UserNames } from './user-names.ts';

const tokenOf = (issuer: string, users?: string): SchemeVerification => ({
  ...{ jwksUrl: `${issuer}/jwks`, issuer, audience: 'agent' },
  ...(users !== undefined && { users }),
});
const keys: SchemeVerification = { sha256ByUser: {} };
const namesOf = (verifications: Readonly<Record<string, SchemeVerification>>) =>
  new UserNames(new Map(Object.entries(verifications)));

it('of one source names stay as they are, whatever they are', () => {
  const one = namesOf({ token: tokenOf('https://a.example') });
  const two = namesOf({ token: tokenOf('https://a.example'), other: tokenOf('https://a.example') });
  for (const names of [one, two]) {
    for (const name of ['alice', 'auth0|alice', '|']) expect(names.of('token', name)).toBe(name);
  }
});

it('of several they have their source before them', () => {
  const names = namesOf({ a: tokenOf('https://a.example'), b: tokenOf('https://b.example', 'b'), key: keys });
  expect(['a', 'b', 'key'].map((scheme) => names.of(scheme, 'alice'))).toEqual([
    ...['https://a.example|alice', 'b|alice', 'key|alice'],
  ]);
  expect(names.areOfOneSource(['a', 'key'])).toBe(false);
});

it('where names are kept as they are, none looks like another source’s', () => {
  const names = namesOf({ token: tokenOf('https://a.example', ''), key: keys });
  const said = ['alice', 'auth0|alice', 'key|alice', '|key|alice', '||key|alice', '|'];
  expect(said.map((name) => names.of('token', name))).toEqual([
    ...['alice', 'auth0|alice', '|key|alice', '||key|alice', '|||key|alice', '||'],
  ]);
  expect(names.of('key', 'alice')).toBe('key|alice');
});

it.each([undefined, '', 1, 'a\0', '\ud800', 'x'.repeat(513)])('%j is nobody’s', (name) => {
  expect(namesOf({ token: tokenOf('https://a.example') }).of('token', name)).toBeUndefined();
});

it('with its source a name may have no more bytes than without', () => {
  const names = namesOf({ token: tokenOf('https://a.example'), key: keys });
  expect(names.of('key', 'x'.repeat(508))).toHaveLength(512);
  expect(names.of('key', 'x'.repeat(509))).toBeUndefined();
});
