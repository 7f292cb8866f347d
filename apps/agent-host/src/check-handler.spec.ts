// Which handler modules are run, and what is said of the others.
import { agentIdentity, testAuthority } from '#testing';
import { findInHandler } from './check-handler.ts';

const handle = async (): Promise<void> => undefined;
const work = { ship: { perform: async () => null } };
const certificate = { certificateHeader: 'Client-Cert', certificateForm: 'rfc9440' };
const jwt = { jwksUrl: 'https://issuer.example/jwks', issuer: 'https://issuer.example', audience: 'agent' };

it.each([
  [{ handle }],
  [{ handle, resume: handle, work, extensions: ['https://e.example'], output: { thinking: true } }],
  [{ handle, input: { schema: { type: 'object' } } }],
  [{ handle, security: { token: jwt, key: { sha256ByUser: { bob: 'ab'.repeat(32) }, scopesByUser: { bob: ['a'] } } } }],
  [{ handle, security: { client: { ...certificate, fingerprintByUser: { bob: 'ab'.repeat(32) }, users: '' } } }],
  [{ handle, security: { client: { ...certificate, authorities: [testAuthority] } } }],
  [{ handle, extensions: [{ uri: 'https://e.example' }], documents: { '/e/v1/extension.json': {} } }],
])('%j is a handler', (module) => {
  expect(findInHandler(module)).toBeUndefined();
});

it.each<[unknown, string]>([
  [undefined, 'its default export must be an AgentHandler'],
  [{}, 'handle must be a function'],
  [{ handle, resume: 1 }, 'resume must be a function'],
  [{ handle, extensions: [1] }, 'extensions must be URIs'],
  [{ handle, extensions: [{ params: {} }] }, 'extensions must be URIs'],
  [{ handle, documents: { 'no/path': {} } }, 'documents: no/path is no path'],
  [{ handle, documents: { '/health/ready': {} } }, 'or the host'],
  [{ handle, documents: { '/a.json': 'text' } }, 'documents: what is at /a.json must be an object'],
  [{ handle, output: true }, 'output must be an object'],
  [{ handle, reminders: 1 }, 'reminders must be true or false'],
  [{ handle, input: 'data' }, 'input must be "text" or {schema}'],
  [{ handle, input: { schema: { type: 'nonsense' } } }, 'input.schema is no JSON Schema'],
  [{ handle, security: { token: { ...jwt, jwksUrl: 'file:///keys' } } }, 'security.token must be'],
  [{ handle, security: { key: { sha256ByUser: { bob: 'the key itself' } } } }, 'security.key must be'],
  [{ handle, security: { key: { sha256ByUser: { bob: 'ab'.repeat(32) }, user: 'x' } } }, 'must not have user'],
  [{ handle, security: { token: { ...jwt, users: 'a|b' } } }, 'security.token must have a text'],
  [{ handle, security: { token: { ...jwt, issuer: 'a|b' } } }, 'security.token must have users'],
  [{ handle, security: { key: { sha256ByUser: {}, scopesByUser: { bob: 'a' } } } }, 'must have lists of scopes'],
  [{ handle, security: { client: certificate } }, 'either fingerprintByUser or authorities'],
  [{ handle, security: { client: { ...certificate, certificateForm: 'pem' } } }, 'rfc9440 or escapedPem'],
  [{ handle, security: { client: { ...certificate, certificateHeader: 'a b' } } }, 'must name a header'],
  [
    { handle, security: { client: { ...certificate, authorities: [agentIdentity.certificate] } } },
    'must have certificates of authorities',
  ],
  [{ handle, work }, 'work is given, and no resume'],
  [{ handle, resume: handle, work: { ship: {} } }, 'work.ship.perform must be a function'],
])('%j is none', (module, finding) => {
  expect(findInHandler(module)).toContain(finding);
});
