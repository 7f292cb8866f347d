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
  [{ handle, output: { namespace: 'mine', thinking: false, decisionResults: true, agentActivity: false } }],
  [{ handle, output: { agentMetadata: 'raw', thinking: undefined } }],
  [{ handle, onLapse: () => undefined, handleTool: () => undefined }],
  [
    new (class OfAClass {
      readonly model = 'its own';
      handle = handle;
    })(),
  ],
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
  [{ handle, output: { thinking: 'no' } }, 'output.thinking must be true or false'],
  [{ handle, output: { agentActivity: 0 } }, 'output.agentActivity must be true or false'],
  [{ handle, output: { agentMetadata: 'SUPPRESS' } }, 'output.agentMetadata must be one of normalized, suppress, raw'],
  [{ handle, output: { namespace: '' } }, 'output.namespace must be a text'],
  [{ handle, output: { decisionresults: true } }, 'decisionresults is no member of output, which has namespace, '],
  [{ handle, Output: { thinking: false } }, 'Output is no member of an AgentHandler, which has input, '],
  [{ handle, inputs: 3 }, 'inputs is no member of an AgentHandler'],
  [{ handle, resumes: handle }, 'resumes is no member of an AgentHandler'],
  [{ handle, input: { schema: {}, strict: true } }, 'strict is no member of input'],
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
  [
    { handle, resume: handle, work: { ship: { ...work.ship, repeatable: true } } },
    'repeatable is no member of work.ship',
  ],
  [{ handle, resume: handle, work: { ship: { ...work.ship, isRepeatable: 'yes' } } }, 'work.ship.isRepeatable must be'],
])('%j is none', (module, finding) => {
  expect(findInHandler(module)).toContain(finding);
});
