// Ways in which an item is malformed, or odd and well-formed all the same.
import type fc from 'fast-check';
import { weighted } from './draw.ts';
import type { Content } from './plan.ts';

/** Turns a well-formed content into what is seen in its place. */
export type Oddity = (content: Content) => unknown;

function withField(name: string, value: unknown): Oddity {
  return (content) => ({ ...content, [name]: value });
}

function withoutField(name: string): Oddity {
  return (content) => Object.fromEntries(Object.entries(content).filter(([member]) => member !== name));
}

/** What makes an expectation `invalid`, with or without an id that can be read. */
export const malformations: fc.Arbitrary<Oddity> = weighted<Oddity>(
  [4, withoutField('dueAt')],
  [2, withoutField('expects')],
  [2, withField('kind', '')],
  [2, withField('basis', null)],
  [3, withField('dueAt', '2026-09-01 01:00:00Z')],
  [2, withField('dueAt', '2026-09-01T24:00:00Z')],
  [2, withField('dueAt', '1969-12-31T23:59:59.999Z')],
  [2, withField('dueAt', 1_788_220_800)],
  [2, withField('grace', 'PT')],
  [2, withField('grace', null)],
  [2, withField('grace', 'P1.5DT2H')],
  [2, withField('horizon', 'later')],
  [2, withField('after', 'e1')],
  [2, withField('after', ['e1', ''])],
  [2, withField('subject', { type: 'shipment' })],
  [2, withField('satisfiedBy', { factKey: '' })],
  [2, withField('anchor', { expectationId: 'e1' })],
  [3, (content) => ({ ...content, anchor: { expectationId: content['expectationId'], offset: 'PT1H' } })],
  [3, (content) => ({ ...content, supersedes: content['expectationId'] })],
  [3, withoutField('expectationId')],
  [2, withField('expectationId', '')],
  [2, withField('expectationId', 7)],
  [2, () => null],
  [2, () => ['e1']],
  [1, () => 'e1'],
);

/** The same content in other words, or with one thing changed: a repeat, or an id used for something else. */
export const variations: fc.Arbitrary<Oddity> = weighted<Oddity>(
  [75, (content) => content],
  [10, (content) => Object.fromEntries(Object.entries(content).toReversed())],
  [3, withoutField('after')],
  [3, withField('expects', 'something else')],
  [3, withField('grace', 'PT1H')],
  [3, withField('note', { kept: [true, 1.0, { deep: null }] })],
  [3, (content) => ({ ...content, after: [content['expectationId']] })],
);
