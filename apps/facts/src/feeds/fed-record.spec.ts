import { readFedRecord } from './fed-record.ts';

const fact = { factKey: 'departed:s1', observedAt: '2026-09-10T11:00:00Z', source: 'tower' };
const bytes = (text: string): Uint8Array => Buffer.from(text);
const read = (value: Uint8Array | null) => readFedRecord({ value });

describe('a record of a feed', () => {
  it('is a fact', () => {
    expect(read(bytes(JSON.stringify(fact)))).toEqual({ facts: [fact] });
  });

  it('is an array of facts, whatever their form', () => {
    expect(read(bytes(JSON.stringify([fact, 7, {}])))).toEqual({ facts: [fact, 7, {}] });
    expect(read(bytes('[]'))).toEqual({ facts: [] });
  });

  it('has a thousand facts at most', () => {
    const many = (count: number) => bytes(`[${'7,'.repeat(count - 1)}7]`);
    expect(read(many(1_000))).toHaveProperty('facts.length', 1_000);
    expect(read(many(1_001))).toEqual({ reason: 'too_large', message: 'it has 1001 facts; at most 1000 are taken' });
  });

  it.each<[string, Uint8Array | null, string, RegExp]>([
    ['without a value', null, 'no_value', /no value/],
    ['that is empty', bytes(''), 'not_json', /it is empty/],
    ['that is no JSON', bytes('{"factKey": secret'), 'not_json', /line 1, column 13/],
    ['that is not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'not_json', /not UTF-8/],
    ['that names a member twice', bytes('{"factKey":"a","factKey":"b"}'), 'not_json', /twice/],
    ['that is too deep', bytes('['.repeat(65) + ']'.repeat(65)), 'not_json', /nested deeper than 64/],
    ['that is a text', bytes('"a"'), 'wrong_shape', /a fact, or an array of facts/],
    ['that is null', bytes('null'), 'wrong_shape', /a fact, or an array of facts/],
    ['that is too large', bytes(JSON.stringify('x'.repeat(512_000))), 'too_large', /512002 bytes/],
  ])('is parked where it is one %s', (_, value, reason, message) => {
    const parked = read(value);
    expect(parked).toEqual({ reason, message: expect.stringMatching(message) });
    expect(JSON.stringify(parked)).not.toContain('secret');
  });

  it('is parked with its batch where that cannot be read', () => {
    expect(readFedRecord({ value: null, unreadable: { lastOffset: 9, reason: 'it is cut off' } })).toEqual({
      reason: 'unreadable',
      message: 'its batch cannot be read: it is cut off',
    });
  });
});
