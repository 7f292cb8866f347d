import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { EXTENSION_URI, lapseRequest } from '#protocol';
import { DeclarationError } from './card-declaration.ts';
import { CoreJudge } from './core-judge.ts';
import type { Expectation } from './expectation.ts';
import { expectations } from './expectations.ts';
import { extensionJson } from './extension-schema.ts';
import { serveExtensionJson } from './serve-extension-json.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false, keywords: ['uri', 'status'] });
ajv.addSchema(extensionJson);
const isA = (name: keyof typeof extensionJson.$defs, value: unknown): boolean =>
  ajv.validate(`${extensionJson.$id}#/$defs/${name}`, value);

/** Every expectation of the specification's vectors, odd shapes included. */
const vectors = join(import.meta.dirname, '../../../test/vectors');
const raised: readonly unknown[] = readdirSync(vectors).flatMap((name) => {
  const { inputs } = JSON.parse(readFileSync(join(vectors, name), 'utf8'));
  return inputs.flatMap(({ artifact, message }: Record<string, unknown>) => expectationsOf(artifact ?? message));
});

function expectationsOf(carrier: unknown): readonly unknown[] {
  const listed = (carrier as Readonly<Record<string, Record<string, Record<string, unknown>>>> | undefined)?.[
    'metadata'
  ]?.[EXTENSION_URI]?.['expectations'];
  return Array.isArray(listed) ? listed : [];
}

/** Whether the core reads it at all. */
function isRead(value: unknown): boolean {
  const judge = new CoreJudge('task', { keepsTime: false, kinds: [] }, 3, 0);
  return judge.expectation(value as Expectation)?.code !== 'invalid';
}

/** The specification's own, word for word (§6.1, §8, §9.2, §10.1, §11). */
const examples = JSON.parse(readFileSync(join(import.meta.dirname, 'extension-examples.json'), 'utf8'));

describe('the schemas', () => {
  it('are of the objects that Appendix A names', () => {
    const names = ['ExpectationKind', 'Expectation', 'Subject', 'Fact', 'Lapse', 'ExpectationRecord'];
    expect(Object.keys(extensionJson.$defs)).toEqual(expect.arrayContaining(names));
  });

  it('take the specification’s examples', () => {
    const [{ params }] = examples.declaration.capabilities.extensions;
    const blocks = [examples.artifact, examples.lapseMessage].map(({ metadata }) => metadata[EXTENSION_URI]);
    const refused = [
      ['Declaration', params],
      ...params.kinds.map((kind: unknown) => ['ExpectationKind', kind]),
      ...blocks[0].expectations.map((expectation: unknown) => ['Expectation', expectation]),
      ['Expectation', examples.question],
      ['Subject', examples.question.subject],
      ['Fact', examples.fact],
      ['Lapse', blocks[1].lapse],
    ].filter(([name, value]) => !isA(name, value));
    expect(refused).toEqual([]);
    expect(blocks.filter((block) => !ajv.validate(extensionJson.$id, block))).toEqual([]);
  });

  it('take every expectation that the core reads', () => {
    const read = raised.filter(isRead);
    expect(read.length).toBeGreaterThan(100);
    expect(read.filter((value) => !isA('Expectation', value))).toEqual([]);
  });

  it.each<[string, object]>([
    ['an empty id', { expectationId: '' }],
    ['a subject without an id', { subject: { type: 'shipment' } }],
    ['a matcher without a key', { satisfiedBy: {} }],
    ['no due time', { dueAt: undefined }],
    ['a due time without an offset', { dueAt: '2026-09-10T20:15:00' }],
    ['a negative grace', { grace: '-PT1H' }],
    ['a grace of years in hours of a day', { grace: 'P1.5D' }],
    ['an optional field that is null', { horizon: null }],
    ['an anchor without an offset', { anchor: { expectationId: 'e2' } }],
    ['an empty name in after', { after: [''] }],
  ])('refuse %s, as the core does', (_, change) => {
    const [valid] = raised.filter(isRead);
    const changed: unknown = JSON.parse(JSON.stringify({ ...(valid as object), ...change }));
    expect([isA('Expectation', valid), isA('Expectation', changed), isRead(changed)]).toEqual([true, false, false]);
  });

  it('take what the kit declares, reports, and reads as a lapse', () => {
    const desk = expectations({
      lapseSkill: 'handle_lapse',
      kinds: { departure: { subjectType: 'shipment', describes: 'a departure', basis: 'observed', skills: ['book'] } },
    });
    expect(isA('Declaration', desk.extension.params)).toBe(true);
    const task = desk.inTask({ taskId: 'task', contextId: 'ctx', isActivated: true });
    expect(isA('Fact', task.report({ factKey: 'k' }))).toBe(true);
    task.expect('departure', { subject: 'S1', due: { in: 'PT1H' } });
    task.withdraw('exp-0', 'no more');
    const { metadata } = task.on<{ metadata?: Record<string, unknown> }>({});
    expect(ajv.validate(extensionJson.$id, metadata?.[EXTENSION_URI])).toBe(true);
    const lapse = {
      ...{
        expectationId: 'e',
        kind: 'k',
        subject: { type: 's', id: '1' },
        expects: 'it',
        lapse: 'overdue' as const,
        lineage: 0,
      },
      ...{ projectedDueAt: '2026-09-10T10:00:00Z', dueAt: '2026-09-10T10:00:00Z', lapsedAt: '2026-09-10T11:00:00Z' },
    } as const;
    const { message } = lapseRequest({
      ...{ type: 'expectationLapsed', at: lapse.lapsedAt, agentId: 'a', expectationId: 'e' },
      ...{ taskId: 't', contextId: 'c', messageId: 'm', lapse, selfTimed: false },
    });
    expect(ajv.validate(extensionJson.$id, message.metadata[EXTENSION_URI])).toBe(true);
    expect(isA('Lapse', { ...lapse, lineage: -1 })).toBe(false);
  });
});

it('serves the document, once to who has it', async () => {
  const server = createServer(serveExtensionJson);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/extension.json`;
  try {
    const answer = await fetch(url);
    expect(await answer.json()).toEqual(extensionJson);
    const again = await fetch(url, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    const other = await fetch(url, { method: 'POST' });
    expect([answer.status, again.status, other.status]).toEqual([200, 304, 405]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

describe('a declaration', () => {
  const kind = { subjectType: 'shipment', describes: 'a departure', basis: 'observed' } as const;
  const card = {
    supportedInterfaces: [],
    skills: [{ id: 'handle_lapse' }, { id: 'book' }],
    capabilities: { streaming: true },
  };

  it('is put on a card, beside its other extensions, in the place of an earlier one', () => {
    const other = { uri: 'urn:other' };
    const desk = expectations({ lapseSkill: 'handle_lapse', kinds: { departure: { ...kind, skills: ['book'] } } });
    const declared = desk.declareOn(
      desk.declareOn({ ...card, capabilities: { streaming: true, extensions: [other] } }),
    );
    expect(declared.capabilities).toEqual({
      streaming: true,
      extensions: [
        other,
        {
          uri: EXTENSION_URI,
          description: 'States what this agent expects to happen next, and by when.',
          required: false,
          params: {
            keepsTime: false,
            lapseSkill: 'handle_lapse',
            kinds: [{ kind: 'departure', ...kind, skills: ['book'] }],
          },
        },
      ],
    });
  });

  it('is refused on a card that has not the lapse skill', () => {
    const desk = expectations({ lapseSkill: 'answer', kinds: { departure: kind } });
    expect(() => desk.declareOn(card)).toThrow(DeclarationError);
    expect(() => desk.declareOn(card)).toThrow('§6.1');
  });

  it('is refused with a kind that describes nothing', () => {
    const vague = { departure: { ...kind, describes: 'tbd' } };
    expect(() => expectations({ lapseSkill: 'handle_lapse', kinds: vague })).toThrow('§6.2');
  });
});
