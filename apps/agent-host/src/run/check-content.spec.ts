// What a handler may say and return, and what its author is told of the rest.
import { checkActivity, checkArtifact, checkSaid, checkUsage } from './check-content.ts';
import { checkJson, checkText } from './check-json.ts';
import { checkOutcome } from './check-outcome.ts';

class Money {
  readonly amount = 7;
}

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
/** Small to hold, and a list of 2 ** 30 when it is written. */
const manifold = (levels: number): unknown => {
  const inner = levels === 0 ? 1 : manifold(levels - 1);
  return [inner, inner];
};
const cyclic: unknown[] = [];
cyclic.push(cyclic);

describe('is taken', () => {
  it.each([
    'a text',
    { text: '' },
    { data: null },
    { raw: 'aGk=', mediaType: 'text/plain', filename: 'a.txt', metadata: { a: [1] } },
    [{ text: 'a' }, { url: 'https://a.example' }],
    { text: 'a', data: undefined },
  ])('to say %j', (said) => {
    expect(checkSaid(said, 'it')).toBe(said);
  });

  it.each([
    undefined,
    null,
    { outcome: 'completed' },
    { outcome: 'completed', message: 'done' },
    { outcome: 'failed', message: [{ text: 'no' }] },
    { outcome: 'waiting', work: 'ship', payload: null },
    { outcome: 'waiting', work: 'ship', payload: {}, state: [] },
  ])('to return %j', (outcome) => {
    expect(checkOutcome(outcome, ['ship'])).toEqual(outcome ?? undefined);
  });

  it('an artifact, an activity, a usage, JSON of any kind', () => {
    expect(checkArtifact({ artifactId: 'a', parts: [], append: true })).toBeDefined();
    expect(checkActivity({ agent: 'a', phase: 'started' })).toBeDefined();
    expect(checkUsage({ model: 'm', inputTokens: 0, outputTokens: 1 })).toBeDefined();
    expect(checkJson(Object.assign(Object.create(null), { a: undefined, b: nested(62) }), 'it')).toBeDefined();
  });
});

describe('is refused, with its place', () => {
  it.each<[unknown, string]>([
    [undefined, 'it must be a text or a part, not undefined'],
    [5, 'it must be a text or a part, not a number'],
    [new Money(), 'it must be an object, not a Money'],
    [{}, 'it must have exactly one of text, data, url, raw; it has none'],
    [{ text: 'a', data: 1 }, 'it must have exactly one of text, data, url, raw; it has text, data'],
    [{ text: 5 }, 'it.text must be a text, not a number'],
    [{ raw: 'not base64!' }, 'it.raw must be base64'],
    [{ data: { at: new Date(0) } }, 'it.data.at is a Date, which is no JSON'],
    [{ data: [1, Number.NaN] }, 'it.data[1] is NaN, which is no JSON'],
    [{ data: [undefined] }, 'it.data[0] is undefined, which is no JSON'],
    [{ data: 1n }, 'it.data is a bigint, which is no JSON'],
    [{ data: { call: () => 1 } }, 'it.data.call is a function, which is no JSON'],
    [{ text: 'a', metadata: 'b' }, 'it.metadata must be an object, not a string'],
    [[{ text: 'a' }, 'b'], 'it[1] must be a text or a part, not a string'],
    [{ data: nested(65) }, 'is nested deeper than 64 levels'],
    [{ data: cyclic }, 'is nested deeper than 64 levels'],
    [{ data: manifold(30) }, 'is one of more than 1,000,000 values'],
    ['a'.repeat(10_000_001), 'it is larger than 10 MB'],
    [{ data: 'a'.repeat(10_000_001) }, 'it is larger than 10 MB'],
  ])('to say what is no content (%#)', (said, told) => {
    expect(() => checkSaid(said, 'it')).toThrow(TypeError);
    expect(() => checkSaid(said, 'it')).toThrow(told);
  });

  it.each<[unknown, string]>([
    ['done', "the handler returned 'done': its outcome must be one of completed,"],
    [{ outcome: 'foo' }, "the handler returned { outcome: 'foo' }: its outcome must be one of completed,"],
    [{ outcome: 'toString' }, 'its outcome must be one of'],
    [[], 'the handler returned []'],
    [{ outcome: 'completed', message: 5 }, 'outcome.message must be a text or a part, not a number'],
    [{ outcome: 'inputRequired' }, 'outcome.message must be a text or a part, not undefined'],
    [{ outcome: 'waiting', work: 'fly', payload: 1 }, "the handler waits for 'fly', and its work is ship"],
    [{ outcome: 'waiting', work: 'ship' }, 'outcome.payload is undefined, which is no JSON'],
    [{ outcome: 'waiting', work: 'ship', payload: 1, state: new Map() }, 'outcome.state is a Map, which is no JSON'],
  ])('to return what is no outcome: %j', (outcome, told) => {
    expect(() => checkOutcome(outcome, ['ship'])).toThrow(TypeError);
    expect(() => checkOutcome(outcome, ['ship'])).toThrow(told);
  });

  it('an artifact, an activity, a usage, a thought of another form', () => {
    expect(() => checkArtifact({ artifactId: '', parts: [] })).toThrow('artifact.artifactId must not be empty');
    expect(() => checkArtifact({ artifactId: 'a', parts: 'b' })).toThrow('artifact.parts must be a list of parts');
    expect(() => checkArtifact({ artifactId: 'a', parts: [], append: 1 })).toThrow('artifact.append must be');
    expect(() => checkActivity({ agent: 'a', phase: 'over' })).toThrow('activity.phase must be one of started');
    expect(() => checkUsage({ model: 'm', inputTokens: '5', outputTokens: 1 })).toThrow('usage.inputTokens must be');
    expect(() => checkText(undefined, 'what is thought')).toThrow('what is thought must be a text, not undefined');
  });
});
