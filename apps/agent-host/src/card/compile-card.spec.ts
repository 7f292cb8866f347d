// Which cards are served, and what is said of each claim of the others.
import { readFileSync } from 'node:fs';
import { AgentCard } from '@a2a-js/sdk';
import { parse, stringify } from 'yaml';
import { EXTENSION_URI } from '#protocol';
import { REMINDERS_URI } from '#reminders';
import type { Abilities } from './capabilities.ts';
import { compileCard } from './compile-card.ts';

const text = readFileSync(new URL('../../../../examples/support-agent/agent-card.yaml', import.meta.url), 'utf8');
const none: Abilities = {
  hasPushStore: false,
  extensions: [],
  verifications: {},
  hasProxies: false,
  isTyped: false,
  takesReminders: false,
};

/** The example's card with other members, and no reminders; undefined leaves one out. */
function cardWith(members: Record<string, unknown>): string {
  return stringify({ ...(parse(text) as object), capabilities: { streaming: true }, ...members });
}

function refused(card: string, abilities: Partial<Abilities> = {}): string[] {
  const answer = compileCard(card, { ...none, ...abilities });
  return 'refusals' in answer ? answer.refusals.map(({ claim, code }) => `${claim} ${code}`) : [];
}

const at = (over: object) => [
  { url: 'https://a.example/x', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', ...over },
];
const jwt = { jwksUrl: 'https://i.example/jwks', issuer: 'https://i.example', audience: 'a' };
const keys = { sha256ByUser: {} };
const certificate = { certificateHeader: 'Client-Cert', certificateForm: 'rfc9440', fingerprintByUser: {} } as const;
const skill = { id: 'a', name: 'A', description: 'Does it.', tags: ['t'] };
const bearer = { httpAuthSecurityScheme: { scheme: 'Bearer' } };

const expectations = (params: object) => ({
  ...{ uri: EXTENSION_URI, required: false },
  params: { keepsTime: false, lapseSkill: 'answer-product-question', kinds: [], ...params },
});

describe('what the handler puts on the card', () => {
  it('is served with what the card says itself', () => {
    const extensions = ['https://e.example', expectations({})];
    const answer = compileCard(cardWith({ capabilities: { extensions: [{ uri: 'https://e.example' }] } }), {
      ...{ ...none, extensions },
    });
    if (!('compiled' in answer)) throw new Error(JSON.stringify(answer.refusals));
    expect(answer.compiled.card.capabilities?.extensions).toMatchObject([{ uri: 'https://e.example' }, extensions[1]]);
  });

  it.each<[string, object, string[]]>([
    ['no skill of the card answers for lapses', { lapseSkill: 'nobody' }, ['params.lapseSkill expectations-not-so']],
    [
      'a kind describes nothing',
      { kinds: [{ kind: 'a' }] },
      expect.arrayContaining([expect.stringContaining('kinds')]),
    ],
  ])('is not served where %s', (_, params, codes) => {
    const found = refused(cardWith({}), { extensions: [expectations(params)] });
    expect(found.map((code) => code.replace('capabilities.extensions[0].', ''))).toEqual(codes);
  });

  it('is not served where the card says it as well', () => {
    const extensions = [expectations({})];
    expect(refused(cardWith({ capabilities: { extensions } }), { extensions })).toEqual([
      'capabilities.extensions[1] extension-twice',
    ]);
  });
});

describe('a card', () => {
  it('becomes what is served, each interface at the path of its URL', () => {
    const answer = compileCard(text, { ...none, takesReminders: true });
    if (!('compiled' in answer)) throw new Error(JSON.stringify(answer.refusals));
    expect(answer.compiled.interfaces[0]).toEqual({
      ...{ binding: 'HTTP+JSON', version: '1.0', path: '/support/a2a', tenant: '' },
    });
    expect(AgentCard.toJSON(answer.compiled.card)).toMatchObject({ name: 'Support agent', version: '1.0.0' });
  });

  it.each([
    ['what is no YAML', 'name: [', [' unreadable']],
    ['a member twice', 'name: a\nname: b', [' unreadable']],
    ['what is no object', '- a', [' unreadable']],
    ['a tag that nobody knows', text.replace('name: ', 'name: !secret '), [' unreadable']],
  ])('is not served where it is %s', (_, card, codes) => {
    expect(refused(card)).toEqual(codes);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['no name', { name: undefined }, ['name missing']],
    ['a name that no key could hold', { name: 'x'.repeat(300) }, ['name too-long']],
    ['a number for a version', { version: 1 }, ['version wrong-type']],
    ['a member nobody knows', { url: 'https://a.example' }, ['url unknown-member']],
    ['a provider who is nowhere', { provider: { organization: 'Me' } }, ['provider.url missing']],
    ['a skill twice', { skills: [skill, skill] }, ['skills[1].id skill-twice']],
    ['no interface', { supportedInterfaces: [] }, ['supportedInterfaces missing']],
    [
      'gRPC',
      { supportedInterfaces: at({ protocolBinding: 'GRPC' }) },
      ['supportedInterfaces[0].protocolBinding binding-not-served'],
    ],
    [
      'a version to come',
      { supportedInterfaces: at({ protocolVersion: '2.0' }) },
      ['supportedInterfaces[0].protocolVersion version-not-served'],
    ],
    [
      'a version without quotes',
      { supportedInterfaces: at({ protocolVersion: 1 }) },
      ['supportedInterfaces[0].protocolVersion wrong-type'],
    ],
    ['a relative URL', { supportedInterfaces: at({ url: '/x' }) }, ['supportedInterfaces[0].url interface-url']],
    [
      'a pattern for a path',
      { supportedInterfaces: at({ url: 'https://a.example/:x' }) },
      ['supportedInterfaces[0].url interface-url'],
    ],
    [
      "the host's own path",
      { supportedInterfaces: at({ url: 'https://a.example/health' }) },
      ['supportedInterfaces[0].url path-reserved'],
    ],
    [
      'an interface twice',
      { supportedInterfaces: [...at({}), ...at({ tenant: 'acme' }), ...at({ url: 'https://b.example/x/' })] },
      ['supportedInterfaces[2] interface-twice'],
    ],
    [
      'push without a store',
      { capabilities: { pushNotifications: true } },
      ['capabilities.pushNotifications push-without-store'],
    ],
    [
      'an extended card',
      { capabilities: { extendedAgentCard: true } },
      ['capabilities.extendedAgentCard extended-card-not-served'],
    ],
    [
      'an extension that the handler has not',
      { capabilities: { extensions: [{ uri: 'https://e.example' }] } },
      ['capabilities.extensions[0] extension-not-implemented'],
    ],
    [
      'an extension that could not be asked for',
      { capabilities: { extensions: [{ uri: 'of mine, alone' }] } },
      ['capabilities.extensions[0].uri wrong-form', 'capabilities.extensions[0] extension-not-implemented'],
    ],
    [
      'reminders that the handler does not take',
      { capabilities: { reminders: { inject: true } } },
      ['capabilities.reminders reminders-not-so'],
    ],
    [
      'the extension of reminders that the handler does not take, on no stream',
      { capabilities: { extensions: [{ uri: REMINDERS_URI }] } },
      ['capabilities.extensions[0].params reminders-not-so', 'capabilities.extensions[0].params reminders-not-so'],
    ],
    [
      'a member of reminders that nobody knows',
      { capabilities: { reminders: { priority: 1 } } },
      ['capabilities.reminders.priority unknown-member'],
    ],
    ['a scheme that nobody verifies', { securitySchemes: { b: bearer } }, ['securitySchemes.b scheme-not-enforced']],
    [
      'a requirement of no scheme',
      { securityRequirements: [{ schemes: { b: { list: [] } } }] },
      ['securityRequirements[0] scheme-unknown'],
    ],
    ['a signature', { signatures: [{ protected: 'a', signature: 'b' }] }, ['signatures signature-not-kept']],
    [
      'input modes that the handler does not take',
      { defaultInputModes: ['image/png'] },
      ['defaultInputModes modes-of-input'],
    ],
  ])('is not served with %s', (_, members, codes) => {
    expect(refused(cardWith(members))).toEqual(codes);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['on no stream', { reminders: { inject: true, emit: true } }, ['capabilities.reminders']],
    ['that are emitted and not taken', { streaming: true, reminders: { emit: true } }, ['capabilities.reminders']],
    [
      'of one kind alone',
      { reminders: { inject: true, propagate: ['REMINDER_PROPAGATION_NONE'] } },
      ['capabilities.reminders.propagate'],
    ],
    [
      'one way here and another there',
      { reminders: { inject: true }, extensions: [{ uri: REMINDERS_URI, params: { inject: false } }] },
      ['capabilities.reminders'],
    ],
  ])('is not served with reminders %s', (_, capabilities, claims) => {
    const codes = claims.map((claim) => `${claim} reminders-not-so`);
    expect(refused(cardWith({ capabilities }), { takesReminders: true })).toEqual(codes);
  });

  it('may claim reminders where the handler takes them, and then declares them as the extension, too', () => {
    const claimed = { streaming: true, reminders: { inject: true, emit: true } };
    const answer = compileCard(cardWith({ capabilities: claimed }), { ...none, takesReminders: true });
    if (!('compiled' in answer)) throw new Error(JSON.stringify(answer.refusals));
    expect(answer.compiled.reminders).toMatchObject({ inject: true, emit: true, required: false, extension: true });
    expect(answer.compiled.card.capabilities?.extensions).toMatchObject([{ uri: REMINDERS_URI }]);
  });

  it('is told once what two checks have to say of a claim', () => {
    expect(refused(cardWith({ capabilities: { reminders: 'yes' } }))).toEqual(['capabilities.reminders wrong-type']);
  });

  it('asks callers for what the handler verifies, or says that it lets everybody in', () => {
    const securitySchemes = { b: bearer };
    expect(refused(cardWith({ securitySchemes }), { verifications: { b: jwt, misspelt: jwt } })).toEqual([
      ...['securitySchemes.misspelt scheme-unknown', 'securityRequirements scheme-not-asked'],
    ]);
    const open = cardWith({ securitySchemes, securityRequirements: [{ schemes: {} }] });
    expect(refused(open, { verifications: { b: jwt } })).toEqual([]);
  });

  it('is told all that is wrong with it at once', () => {
    const capabilities = { pushNotifications: true, extendedAgentCard: true };
    const supportedInterfaces = at({ protocolBinding: 'GRPC', protocolVersion: '2.0' });
    expect(refused(cardWith({ name: undefined, capabilities, supportedInterfaces }))).toHaveLength(5);
  });

  it('may claim what the handler and the stores can keep', () => {
    const capabilities = { pushNotifications: true, extensions: [{ uri: 'https://e.example' }] };
    const security = { securitySchemes: { b: bearer }, securityRequirements: [{ schemes: { b: { list: [] } } }] };
    const abilities = { hasPushStore: true, extensions: ['https://e.example'], verifications: { b: jwt } };
    expect(refused(cardWith({ capabilities, ...security }), abilities)).toEqual([]);
  });
});

describe('what a card requires of callers', () => {
  const verifications = { b: jwt, k: keys, m: certificate };
  const schemes = {
    b: bearer,
    k: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
    m: { mtlsSecurityScheme: {} },
  };
  const refusedOf = (securitySchemes: object, asked: object = {}, abilities: Partial<Abilities> = {}): string[] => {
    const requirement = { schemes: asked };
    const card = cardWith({ securitySchemes, securityRequirements: [requirement] });
    return refused(card, { verifications, hasProxies: true, ...abilities });
  };

  it('may be scopes: of a token, and where the handler says who has them', () => {
    expect(refusedOf(schemes, { b: { list: ['read', 'write:all'] } })).toEqual([]);
    const k = { ...keys, scopesByUser: { bob: ['read'] } };
    expect(refusedOf(schemes, { k: { list: ['read'] } }, { verifications: { ...verifications, k } })).toEqual([]);
    for (const name of ['k', 'm']) {
      const codes = ['securityRequirements[0] scheme-not-enforced'];
      expect(refusedOf(schemes, { [name]: { list: ['read'] } })).toEqual(codes);
    }
    expect(refusedOf(schemes, { b: { list: ['say "x"'] } })).toEqual(['securityRequirements[0] wrong-type']);
  });

  it('may be a client’s certificate, where it is known whose word on it is believed', () => {
    expect(refusedOf(schemes, { m: { list: [] } })).toEqual([]);
    const codes = ['securitySchemes.m scheme-not-enforced'];
    expect(refusedOf(schemes, { m: { list: [] } }, { hasProxies: false })).toEqual(codes);
    expect(refusedOf(schemes, {}, { verifications: { ...verifications, m: keys } })).toEqual(codes);
  });

  it('is of one user, where two schemes are required at once', () => {
    const both = { b: { list: [] }, k: { list: [] } };
    expect(refusedOf(schemes, both)).toEqual(['securityRequirements[0] users-not-one']);
    const k = { ...keys, users: jwt.issuer };
    expect(refusedOf(schemes, both, { verifications: { ...verifications, k } })).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['a key in a cookie', { apiKeySecurityScheme: { location: 'cookie', name: 'k' } }, ['x scheme-not-enforced']],
    ['Basic', { httpAuthSecurityScheme: { scheme: 'Basic' } }, ['x scheme-not-enforced']],
    ['two kinds in one', { ...bearer, mtlsSecurityScheme: {} }, ['x scheme-not-enforced']],
    ['a kind that nobody knows', { http: { scheme: 'Bearer' } }, ['x scheme-not-enforced']],
    ['OAuth without flows', { oauth2SecurityScheme: {} }, ['x.oauth2SecurityScheme.flows missing']],
    [
      'a member that nobody knows',
      { mtlsSecurityScheme: { header: 'Client-Cert' } },
      ['x.mtlsSecurityScheme.header unknown-member'],
    ],
  ])('is not served with %s', (_, x, codes) => {
    const found = refusedOf({ x }, {}, { verifications: { x: jwt } });
    expect(found).toEqual(codes.map((code) => `securitySchemes.${code}`));
  });

  it('may be OAuth and OpenID Connect, whose tokens are verified alike', () => {
    const flows = { clientCredentials: { tokenUrl: 'https://i.example/token', scopes: { read: 'Reads.' } } };
    const o = { oauth2SecurityScheme: { flows } };
    const i = { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://i.example/.well-known' } };
    const asked = { o: { list: ['read'] }, i: { list: [] } };
    expect(refusedOf({ o, i }, asked, { verifications: { o: jwt, i: jwt } })).toEqual([]);
  });
});
