// What a card is made of, at whatever depth: what it must have, of which form, and nothing that nobody knows.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { cardShape } from './card-shape.ts';
import { checkShape } from './members.ts';

const example = new URL('../../../../examples/support-agent/agent-card.yaml', import.meta.url);
const card = parse(readFileSync(example, 'utf8')) as object;
const refused = (members: object): string[] =>
  checkShape({ ...card, ...members }, '', cardShape).map(({ claim, code }) => `${claim} ${code}`);

describe('a card', () => {
  const skill = { id: 'a', name: 'A', description: 'Does it.', tags: ['t'] };
  const schemes = (x: object): object => ({ securitySchemes: { x } });
  const key = { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } };
  const x = 'securitySchemes.x';

  it('may leave texts empty that need not be given', () => {
    const flow = { tokenUrl: 'https://i.example/token', refreshUrl: '', scopes: { read: '' } };
    const oauth = { oauth2SecurityScheme: { flows: { clientCredentials: flow }, description: '' } };
    expect(refused({ documentationUrl: '', ...schemes(oauth) })).toEqual([]);
    expect(refused({ name: '', ...schemes({ apiKeySecurityScheme: { location: 'header', name: '' } }) })).toEqual([
      ...['name wrong-form', 'securitySchemes.x.apiKeySecurityScheme.name wrong-form'],
    ]);
  });

  it.each<[string, object, string[]]>([
    [
      'media types that are none',
      { defaultOutputModes: [1, { a: 'b' }, 'text'] },
      [...['defaultOutputModes[0] wrong-type', 'defaultOutputModes[1] wrong-type'], 'defaultOutputModes[2] wrong-form'],
    ],
    [
      'lists that must have an element, and have none',
      { defaultOutputModes: [], skills: [{ ...skill, tags: [] }] },
      ['defaultOutputModes missing', 'skills[0].tags missing'],
    ],
    ['no skill', { skills: [] }, ['skills missing']],
    [
      'tags and examples that are no texts',
      { skills: [{ ...skill, tags: [1, {}], examples: [null] }] },
      ['skills[0].tags[0] wrong-type', 'skills[0].tags[1] wrong-type', 'skills[0].examples[0] wrong-type'],
    ],
    [
      'a provider who is none',
      { provider: { organization: 1, phone: '1' } },
      ['provider.organization wrong-type', 'provider.url missing', 'provider.phone unknown-member'],
    ],
    [
      'URLs that lead nowhere',
      { documentationUrl: 'nonsense', iconUrl: 'javascript:alert(1)' },
      ['documentationUrl wrong-form', 'iconUrl wrong-form'],
    ],
    ['a name of two lines', { name: 'a\nb' }, ['name wrong-form']],
    [
      'scopes that are no list',
      { ...schemes(key), securityRequirements: [{ schemes: { x: 'read' } }, { schemes: { x: { list: 'read' } } }] },
      ['securityRequirements[0].schemes.x wrong-type', 'securityRequirements[1].schemes.x.list wrong-type'],
    ],
    ['two schemes in one', schemes({ ...key, mtlsSecurityScheme: {} }), [`${x} scheme-not-enforced`]],
    ['a scheme of OpenAPI', schemes({ type: 'apiKey' }), [`${x} scheme-not-enforced`]],
    [
      'a member of a scheme that nobody knows',
      schemes({ apiKeySecurityScheme: { ...key.apiKeySecurityScheme, prefix: 'Key' } }),
      [`${x}.apiKeySecurityScheme.prefix unknown-member`],
    ],
    [
      'a header that is none',
      schemes({ apiKeySecurityScheme: { location: 'header', name: 'bad header\n' } }),
      [`${x}.apiKeySecurityScheme.name wrong-form`],
    ],
    [
      'two flows in one, of which callers would be told one',
      schemes({ oauth2SecurityScheme: { flows: { implicit: {}, password: {} } } }),
      [`${x}.oauth2SecurityScheme.flows scheme-not-enforced`],
    ],
    [
      'a flow without its URL',
      schemes({ oauth2SecurityScheme: { flows: { clientCredentials: { scopes: {} } } } }),
      [`${x}.oauth2SecurityScheme.flows.clientCredentials.tokenUrl missing`],
    ],
  ])('is none with %s', (_, members, codes) => {
    expect(refused(members)).toEqual(codes);
  });

  it('may have all that A2A has', () => {
    const flow = { authorizationUrl: 'https://i.example/a', tokenUrl: 'https://i.example/t', scopes: {} };
    const all = {
      provider: { organization: 'Me', url: 'https://me.example' },
      documentationUrl: 'https://me.example/docs',
      iconUrl: 'data:image/png;base64,AA==',
      defaultOutputModes: ['text/plain; charset=utf-8', 'image/*', 'application/vnd.me.v1+json'],
      skills: [{ ...skill, examples: ['Do it.'], inputModes: ['text/plain'], outputModes: [] }],
      securitySchemes: {
        o: { oauth2SecurityScheme: { flows: { authorizationCode: { ...flow, pkceRequired: true } } } },
      },
      securityRequirements: [{ schemes: { o: { list: [] } } }],
    };
    expect(refused(all)).toEqual([]);
  });
});
