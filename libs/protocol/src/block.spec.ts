import { limits } from './limits.ts';
import { readBlock } from './block.ts';
import { METADATA_KEY } from './extension.ts';

function read(block: unknown): ReturnType<typeof readBlock> {
  return readBlock({ [METADATA_KEY]: block }, '$.metadata');
}

const at = `$.metadata["${METADATA_KEY}"]`;

describe('a block within the limits', () => {
  it('is taken as it is, unknown fields of its items included', () => {
    const block = {
      expectations: [{ expectationId: 'e', more: { a: 1 } }, null, 7],
      withdraw: ['x'],
      reason: 'r',
      facts: [{}],
    };
    expect(read(block)).toEqual({ block, notes: [], excessive: false });
  });

  it('loses what this version does not know', () => {
    expect(read({ facts: [], lapse: {} }).block).toEqual({ facts: [] });
  });
});

describe('a part that is no list', () => {
  it('is ignored, and said so', () => {
    expect(read({ expectations: {}, withdraw: 'x', reason: 7, facts: null })).toEqual({
      block: {},
      notes: [
        { part: 'expectations', path: `${at}.expectations`, message: 'is not a list and was ignored' },
        { part: 'withdraw', path: `${at}.withdraw`, message: 'is not a list and was ignored' },
        { part: 'reason', path: `${at}.reason`, message: 'is not a text of at most 4,000 characters and was ignored' },
        { part: 'facts', path: `${at}.facts`, message: 'is not a list and was ignored' },
      ],
      excessive: false,
    });
  });

  it('and so is a block that is no object, and a missing one without a word', () => {
    expect(read('x')).toEqual({
      block: undefined,
      notes: [expect.objectContaining({ part: 'block' })],
      excessive: false,
    });
    expect(readBlock('none', '$')).toEqual({ block: undefined, notes: [], excessive: false });
    expect(readBlock(Object.create({ [METADATA_KEY]: {} }), '$').block).toBeUndefined();
  });

  it('and so is a block of a version that is not understood, where there is none that is', () => {
    const v2 = 'https://rsaxb.com/a2a/expectations/v2';
    expect(readBlock({ [v2]: {} }, '$')).toMatchObject({ block: undefined, notes: [{ path: `$["${v2}"]` }] });
    expect(readBlock({ [v2]: {}, [METADATA_KEY]: {} }, '$')).toMatchObject({ block: {}, notes: [] });
  });
});

describe('an item over a limit becomes a stub under its own id, and its neighbours stay', () => {
  const long = 'x'.repeat(1_025);
  it.each([
    ['a long kind', { expectationId: 'e', kind: long }, { expectationId: 'e' }, 'kind is longer than 1,024 characters'],
    [
      'a long subject',
      { expectationId: 'e', subject: { type: 's', id: long } },
      { expectationId: 'e' },
      'subject.id is longer than 1,024 characters',
    ],
    [
      'a long name in after',
      { expectationId: 'e', after: ['a', long] },
      { expectationId: 'e' },
      'after[1] is longer than 1,024 characters',
    ],
    [
      'a long text',
      { expectationId: 'e', expects: 'x'.repeat(4_001) },
      { expectationId: 'e' },
      'expects is longer than 4,000 characters',
    ],
    ['a long id', { expectationId: long }, null, 'expectationId is longer than 1,024 characters'],
    ['a NUL in the id', { expectationId: 'a\0b' }, null, 'expectationId holds a NUL or half a character'],
    [
      'half a character in a text',
      { expectationId: 'e', expects: '\ud83d' },
      { expectationId: 'e' },
      'expects holds a NUL or half a character',
    ],
    [
      'a NUL in a name',
      { expectationId: 'e', more: [{ 'a\0': 1 }] },
      { expectationId: 'e' },
      "more[0].(a member's name) holds a NUL or half a character",
    ],
  ])('%s', (_, item, stub, message) => {
    expect(read({ expectations: [{ a: 1 }, item, { b: 2 }] })).toEqual({
      block: { expectations: [{ a: 1 }, stub, { b: 2 }] },
      notes: [{ part: 'expectations', index: 1, path: `${at}.expectations[1]`, message }],
      excessive: false,
    });
  });

  it('counts characters, not code units', () => {
    const id = '📦'.repeat(1_024);
    expect(read({ facts: [{ factKey: id }] }).notes).toEqual([]);
    expect(read({ facts: [{ factKey: `${id}x` }] }).block).toEqual({ facts: [null] });
  });

  it('64 levels are enough, 65 are not', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(read({ expectations: [nested(64)] }).notes).toEqual([]);
    expect(read({ expectations: [nested(65), nested(5_000)] })).toMatchObject({
      block: { expectations: [null, null] },
    });
  });

  it('1,000 items are taken, the ones after them not', () => {
    const expectations = Array.from({ length: 1_002 }, (_, index) => ({ expectationId: `e${index}`, kind: 'k' }));
    const { block, notes } = read({ expectations });
    expect(block?.expectations?.slice(999)).toEqual([
      expectations[999],
      { expectationId: 'e1000' },
      { expectationId: 'e1001' },
    ]);
    expect(notes.map(({ index }) => index)).toEqual([1_000, 1_001]);
  });

  it('512 kB are taken, what goes past them not', () => {
    const padding = 'x'.repeat(200_000);
    const facts = [1, 2, 3, 4].map((n) => ({ factKey: `k${n}`, padding: n < 4 ? padding : '' }));
    const { block, notes } = read({ facts });
    expect(block?.facts).toEqual([facts[0], facts[1], { factKey: 'k3' }, facts[3]]);
    expect(notes).toHaveLength(1);
  });

  it('what goes past 512 kB keeps its id all the same, as far as 512 kB of ids go', () => {
    const full = { expectationId: 'full', padding: 'x'.repeat(limits.blockBytes - 41) };
    const { block, notes } = read({ expectations: [full, { expectationId: 'e' }] });
    expect([block?.expectations?.[0] === full, block?.expectations?.[1]]).toEqual([true, { expectationId: 'e' }]);
    expect(notes).toMatchObject([{ index: 1, message: 'is past the 512 kB that one block may carry' }]);
    const long = Array.from({ length: 501 }, (_, index) => ({ factKey: `${'x'.repeat(1_000)}${index}` }));
    const stubs = read({ expectations: [full], facts: [...Array<number>(1_000).fill(0), ...long, ...long] }).block
      ?.facts;
    expect([stubs?.[1_000], stubs?.at(-1)]).toEqual([long[0], null]);
  });

  it('an id that cannot have been recorded withdraws nothing', () => {
    expect(read({ withdraw: ['e', 7, '', 'a\0'] })).toMatchObject({
      block: { withdraw: ['e'] },
      notes: [{ index: 1 }, { index: 2 }, { index: 3 }],
    });
  });
});
