import { EXTENSION_URI } from '#protocol';
import { readLapse } from './lapse.ts';
import { LapseRouter } from './lapse-router.ts';

const block = {
  expectationId: 'exp-1',
  kind: 'shipment.manifest',
  subject: { type: 'shipment', id: 'PA-1' },
  expects: 'the airline manifest for PA-1',
  lapse: 'overdue',
  projectedDueAt: '2026-09-10T10:00:00Z',
  dueAt: '2026-09-10T10:00:00Z',
  lapsedAt: '2026-09-10T11:00:00Z',
  lineage: 0,
};

const messageOf = (lapse: unknown): object => ({
  messageId: 'lapse:exp-1:overdue:2026-09-10T10:00:00Z',
  contextId: 'ctx-1',
  referenceTaskIds: ['task-0'],
  metadata: { [EXTENSION_URI]: { lapse } },
});

const router = new LapseRouter<[string], string>((lapse, given) => `overdue ${lapse.told} ${given}`)
  .onLapse('skipped', () => 'skipped')
  .onLapse({ kind: 'shipment.arrival' }, () => 'arrival')
  .onLapse({ kind: 'shipment.arrival', lapse: 'stalled' }, () => 'arrival stalled');

const routed = (lapse: object): unknown => router.route(messageOf({ ...block, ...lapse }), 'given');

describe('a lapse', () => {
  it('is read with where it came from', () => {
    expect(readLapse(messageOf({ ...block, lastFactAt: '2026-09-10T09:00:00Z' }))).toEqual({
      lapse: {
        ...block,
        lastFactAt: '2026-09-10T09:00:00Z',
        told: 'overdue',
        messageId: 'lapse:exp-1:overdue:2026-09-10T10:00:00Z',
        contextId: 'ctx-1',
        originTaskId: 'task-0',
      },
    });
  });

  it('of a kind that is not known counts as overdue, and keeps its word (§15)', () => {
    expect(readLapse(messageOf({ ...block, lapse: 'mislaid' }))).toMatchObject({
      lapse: { lapse: 'overdue', told: 'mislaid' },
    });
  });

  it.each<[string, object]>([
    ['no id', { expectationId: '' }],
    ['a subject without a type', { subject: { id: 'PA-1' } }],
    ['a due time that is none', { dueAt: 'soon' }],
    ['half a lineage', { lineage: 0.5 }],
  ])('with %s cannot be answered for', (_, change) => {
    expect(readLapse(messageOf({ ...block, ...change }))).toEqual({ malformed: expect.any(String) });
    expect(routed(change)).toEqual({ malformed: expect.any(String) });
  });

  it('is none where a message carries none', () => {
    expect([{}, { metadata: null }, { metadata: { [EXTENSION_URI]: { facts: [] } } }].map(readLapse)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the router', () => {
  it('leads each lapse to the most particular handler, and to the one for overdue where there is none', () => {
    expect(routed({ lapse: 'skipped' })).toEqual({ answer: 'skipped' });
    expect(routed({ lapse: 'stalled' })).toEqual({ answer: 'overdue stalled given' });
    expect(routed({ lapse: 'mislaid' })).toEqual({ answer: 'overdue mislaid given' });
    expect(routed({ kind: 'shipment.arrival', lapse: 'skipped' })).toEqual({ answer: 'arrival' });
    expect(routed({ kind: 'shipment.arrival', lapse: 'stalled' })).toEqual({ answer: 'arrival stalled' });
  });

  it('takes the later of two alike', () => {
    const twice = new LapseRouter<[], string>(() => 'one')
      .onLapse('overdue', () => 'two')
      .onLapse('overdue', () => 'three');
    expect(twice.route(messageOf(block))).toEqual({ answer: 'three' });
  });

  it('passes on what is no lapse', () => {
    expect(router.route({ metadata: {} }, 'given')).toEqual({ passed: true });
  });
});
