import { highestOf, readDeclaration } from './declaration.ts';
import { EXTENSION_URI } from './extension.ts';
import { findingRules } from './finding.ts';
import { isPlaceholder } from './declared-kinds.ts';

const manifest = {
  kind: 'shipment.manifest',
  subjectType: 'shipment',
  describes: 'the airline manifest for a booked shipment',
  basis: 'observed',
  skills: ['book_shipment'],
};

const params = { keepsTime: false, lapseSkill: 'handle_lapse', kinds: [manifest] };

function card(declared: unknown = params, extension: object = {}): Record<string, unknown> {
  return {
    name: 'Booking',
    supportedInterfaces: [{ url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    skills: [{ id: 'handle_lapse' }, { id: 'book_shipment' }],
    capabilities: { extensions: [{ uri: EXTENSION_URI, required: false, params: declared, ...extension }] },
  };
}

function found(read: unknown): string[] {
  return readDeclaration(read).findings.map(({ code, path }) => `${code} ${path}`);
}

const at = '$.capabilities.extensions[0]';

describe('a card that declares the extension as §6 says', () => {
  it('is read whole, with nothing to find', () => {
    expect(readDeclaration(card())).toEqual({ uri: EXTENSION_URI, params, findings: [] });
  });

  it('may leave out what proto-JSON leaves out: a false `required`', () => {
    const read = readDeclaration(card(params, { required: undefined }));
    expect(read).toEqual({ uri: EXTENSION_URI, params, findings: [] });
  });

  it('is taken to keep no time where it does not say, with a warning', () => {
    const { kinds, lapseSkill } = params;
    const read = readDeclaration(card({ kinds, lapseSkill }));
    expect(read.params).toEqual(params);
    expect(read.findings).toMatchObject([{ code: 'keeps_time_missing', severity: 'warning', paragraph: '§6.1' }]);
  });

  it('may declare no kinds at all', () => {
    expect(found(card({ ...params, kinds: [] }))).toEqual([]);
  });

  it('may be in snake_case', () => {
    const { skills, capabilities } = card({
      keeps_time: true,
      lapse_skill: 'handle_lapse',
      kinds: [{ kind: 'k', subject_type: 'shipment', describes: 'a manifest', basis: 'contract' }],
    });
    const supported_interfaces = [
      { url: 'http://agent.example', protocol_binding: 'HTTP+JSON', protocol_version: '1.0' },
    ];
    const read = readDeclaration({ skills, capabilities, supported_interfaces });
    expect(read.findings).toEqual([]);
    expect(read.params).toEqual({
      keepsTime: true,
      lapseSkill: 'handle_lapse',
      kinds: [{ kind: 'k', subjectType: 'shipment', describes: 'a manifest', basis: 'contract' }],
    });
  });

  it('may be a card of 0.3', () => {
    const { skills, capabilities } = card();
    expect(found({ protocolVersion: '0.3.0', url: 'https://agent.example/', skills, capabilities })).toEqual([]);
  });
});

describe('what goes against §6 is found, and named by its path', () => {
  it.each([
    ['required', card(params, { required: true }), `required_set ${at}.required`],
    ['keepsTime', card({ ...params, keepsTime: 'no' }), `keeps_time_invalid ${at}.params.keepsTime`],
    ['no lapseSkill', card({ keepsTime: false, kinds: [manifest] }), `lapse_skill_missing ${at}.params.lapseSkill`],
    ['lapseSkill', card({ ...params, lapseSkill: 'x' }), `lapse_skill_unknown ${at}.params.lapseSkill`],
    ['no kinds', card({ keepsTime: false, lapseSkill: 'handle_lapse' }), `kinds_missing ${at}.params.kinds`],
    ['kinds', card({ ...params, kinds: {} }), `kinds_invalid ${at}.params.kinds`],
    ['no params', card(params, { params: null }), `params_missing ${at}.params`],
    [
      'an unknown skill',
      card({ ...params, kinds: [{ ...manifest, skills: ['x'] }] }),
      `skill_unknown ${at}.params.kinds[0].skills[0]`,
    ],
    [
      'skills',
      card({ ...params, kinds: [{ ...manifest, skills: 'x' }] }),
      `skills_invalid ${at}.params.kinds[0].skills`,
    ],
    [
      'another basis',
      card({ ...params, kinds: [{ ...manifest, basis: 'guess' }] }),
      `basis_unknown ${at}.params.kinds[0].basis`,
    ],
    [
      'a placeholder',
      card({ ...params, kinds: [{ ...manifest, describes: 'TODO' }] }),
      `describes_placeholder ${at}.params.kinds[0].describes`,
    ],
    [
      'what looks personal (§14)',
      card({ ...params, kinds: [{ ...manifest, describes: 'a call to +44 20 7946 0958' }] }),
      `personal_data ${at}.params.kinds[0].describes`,
    ],
    [
      'an example that looks personal (§14)',
      card({ ...params, kinds: [{ ...manifest, examples: [{ factKey: 'met:jane@example.com' }] }] }),
      `personal_data ${at}.params.kinds[0].examples[0].factKey`,
    ],
    ['a kind twice', card({ ...params, kinds: [manifest, manifest] }), `kind_repeated ${at}.params.kinds[1].kind`],
    [
      'a kind of no name',
      card({ ...params, kinds: [{ ...manifest, kind: '' }] }),
      `kind_invalid ${at}.params.kinds[0]`,
    ],
    ['no interface', { ...card(), supportedInterfaces: [] }, 'interface_missing $.supportedInterfaces'],
  ])('%s', (_, read, expected) => {
    expect(found(read)).toEqual([expected]);
  });

  it('each field that a kind lacks', () => {
    const path = `${at}.params.kinds[0]`;
    expect(found(card({ ...params, kinds: [{ kind: 'k' }] }))).toEqual([
      `subject_type_missing ${path}.subjectType`,
      `describes_missing ${path}.describes`,
      `basis_missing ${path}.basis`,
    ]);
  });

  it('a card without the extension, and what is no card', () => {
    expect(found({ ...card(), capabilities: {} })).toEqual(['extension_missing $.capabilities.extensions']);
    expect(found([])).toEqual(['card_unreadable $']);
  });

  it('and names its paragraph, its severity, and says what it means', () => {
    const [finding] = readDeclaration(card(params, { required: true })).findings;
    expect(finding).toEqual({
      severity: 'error',
      code: 'required_set',
      path: `${at}.required`,
      message: findingRules.required_set.meaning,
      paragraph: '§6.1',
    });
  });
});

describe('a declaration that is wrong in part', () => {
  it('is used as far as it can be read', () => {
    const kinds = [null, { kind: 'good', subjectType: 'shipment', describes: 'TBD', basis: 7 }, 'x'];
    expect(readDeclaration(card({ keepsTime: 'yes', kinds })).params).toEqual({
      keepsTime: false,
      kinds: [{ kind: 'good', subjectType: 'shipment', describes: 'TBD' }],
    });
  });

  it('is chosen among several versions: the highest that is understood', () => {
    const v2 = { uri: 'https://rsaxb.com/a2a/expectations/v2', params: { kinds: [] } };
    const v1 = { uri: EXTENSION_URI, params };
    const read = readDeclaration({ ...card(), capabilities: { extensions: [v2, v1, v1] } });
    expect(read.params).toEqual(params);
    expect(read.findings.map(({ code }) => code)).toEqual(['version_unknown', 'extension_repeated']);
  });
});

describe('several versions (§15)', () => {
  const v = (version: number) => ({ uri: `https://rsaxb.com/a2a/expectations/v${version}` });

  it('are used by the highest that is understood, in whatever order the card has them', () => {
    const understood = [v(3).uri, v(2).uri, v(1).uri];
    expect(highestOf([v(1), v(2), v(4)], understood)[0]).toEqual(v(2));
    expect(highestOf([v(4), v(3), v(1)], understood)[0]).toEqual(v(3));
    expect(highestOf([v(4)], understood)).toEqual([]);
  });
});

/** What §6.1, §6.2, §14 and §15 ask of a card, each with what is found where it is not so. */
describe('each rule of the paragraphs on the card has its finding', () => {
  it.each([
    ['6.1', ['extension_missing', 'required_set', 'params_missing', 'keeps_time_missing', 'keeps_time_invalid']],
    ['6.1', ['lapse_skill_missing', 'lapse_skill_unknown', 'kinds_missing', 'kinds_invalid']],
    ['6.2', ['kind_invalid', 'kind_repeated', 'subject_type_missing', 'describes_missing', 'describes_placeholder']],
    ['6.2', ['basis_missing', 'basis_unknown', 'skills_invalid', 'skill_unknown']],
    ['14', ['personal_data']],
    ['15', ['version_unknown']],
  ] as const)('§%s', (paragraph, codes) => {
    for (const code of codes) expect(findingRules[code].paragraph).toBe(paragraph);
  });
});

describe('a card of a stranger', () => {
  it.each([['a\0b'], ['\ud800'], ['x'.repeat(1_025)]])('does not bring the text %j into the log', (text) => {
    const kind = { kind: 'k', subjectType: text, describes: text, basis: text, skills: [text] };
    const { params: told } = readDeclaration(card({ kinds: [kind, { kind: text }], lapseSkill: text }));
    const isLong = text.length > 1_000;
    const kept = isLong ? { subjectType: text, describes: text, basis: text } : {};
    expect(told).toEqual({ keepsTime: false, kinds: [{ kind: 'k', ...kept }] });
  });

  it('is told no more findings than are worth reading', () => {
    const kinds = Array.from({ length: 1_000 }, (_, index) => ({ kind: `k${index}` }));
    const { findings } = readDeclaration(card({ ...params, kinds }));
    expect(findings).toHaveLength(200);
    expect(findings.at(-1)).toMatchObject({ code: 'more_findings' });
  });

  it('with endless skills has one finding for them, and a short one', () => {
    const skills = Array.from({ length: 1_000 }, (_, index) => `${'s'.repeat(1_000)}${index}`);
    const { findings } = readDeclaration(card({ ...params, kinds: [{ ...manifest, skills }] }));
    expect(findings).toMatchObject([{ code: 'skill_unknown', path: `${at}.params.kinds[0].skills[0]` }]);
    expect(findings[0]?.message.length).toBeLessThan(300);
    const more = readDeclaration(card({ ...params, kinds: [{ ...manifest, skills: [...skills, 's'] }] }));
    expect(more.findings.map(({ code }) => code)).toEqual(['skills_invalid']);
  });
});

describe('a placeholder', () => {
  it.each(['TODO', 'todo: write', '...', ' TBD ', 'string', 'N/A', '—', 'lorem ipsum'])('is %s', (text) => {
    expect(isPlaceholder(text)).toBe(true);
  });

  it.each(['the airline manifest', 'a test report of the ship', 'présence', 'お知らせ'])('is not %s', (text) => {
    expect(isPlaceholder(text)).toBe(false);
  });
});
