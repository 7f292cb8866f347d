import { EXTENSION_URI } from '#protocol';
import { ExpectationRefusedError } from './core-judge.ts';
import type { Expectation } from './expectation.ts';
import { expectations } from './expectations.ts';
import type { Lapse } from './lapse.ts';
import type { TaskBlock } from './task-block.ts';

const clock = { now: () => Date.parse('2026-09-10T12:00:00Z'), sleep: () => Promise.resolve() };
const desk = expectations(
  {
    lapseSkill: 'handle_lapse',
    kinds: {
      'shipment.manifest': {
        subjectType: 'shipment',
        describes: 'the airline manifest for a booked shipment',
        basis: 'observed',
        expects: (id) => `the airline manifest for ${id}`,
        factKey: (id) => `shipment.manifest.received:${id}`,
      },
      'shipment.arrival': { subjectType: 'shipment', describes: 'the arrival of a shipment', basis: 'contract' },
      'question.answer': { subjectType: 'task', describes: 'an answer to a question', basis: 'declared' },
    },
  },
  clock,
);

const begin = (isActivated = true): TaskBlock<keyof typeof desk.definition.kinds> =>
  desk.inTask({ taskId: 'task-1', contextId: 'ctx-1', messageId: 'message-1', isActivated });

const lapse: Lapse = {
  expectationId: 'exp-1',
  kind: 'shipment.manifest',
  subject: { type: 'shipment', id: 'PA-1' },
  expects: 'the airline manifest for PA-1',
  ...{ lapse: 'overdue', told: 'overdue', lineage: 0 },
  ...{ projectedDueAt: '2026-09-10T10:00:00Z', dueAt: '2026-09-10T10:00:00Z', lapsedAt: '2026-09-10T11:00:00Z' },
  ...{ messageId: 'lapse:exp-1:overdue:2026-09-10T10:00:00Z', contextId: 'ctx-1', originTaskId: 'task-0' },
};

const codeOf = (raise: () => unknown): string | undefined => {
  try {
    raise();
  } catch (error) {
    if (error instanceof ExpectationRefusedError) return error.code;
    throw error;
  }
  return undefined;
};

describe('an expectation', () => {
  it('is made of the kinds table and what is said of it', () => {
    const raised = begin().expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT8H' }, grace: 'PT2H' });
    expect(raised).toEqual({
      expectationId: expect.stringMatching(/^exp-[0-9a-f]{32}$/),
      kind: 'shipment.manifest',
      subject: { type: 'shipment', id: 'PA-1' },
      expects: 'the airline manifest for PA-1',
      satisfiedBy: { factKey: 'shipment.manifest.received:PA-1' },
      dueAt: '2026-09-10T20:00:00Z',
      grace: 'PT2H',
      basis: 'observed',
    });
  });

  it('has words and a key of its own where the table gives none', () => {
    expect(begin().expect('shipment.arrival', { subject: 'PA-1', due: { in: 'PT8H' } })).toMatchObject({
      expects: 'the arrival of a shipment (PA-1)',
      satisfiedBy: { factKey: 'shipment.arrival:PA-1' },
    });
  });

  it('has the same id where the same message is worked on again, and another otherwise', () => {
    const wanted = { subject: 'PA-1', due: { in: 'PT8H' } } as const;
    const { expectationId } = begin().expect('shipment.manifest', wanted);
    expect(begin().expect('shipment.manifest', wanted).expectationId).toBe(expectationId);
    const others = desk.inTask({ taskId: 'task-1', contextId: 'ctx-1', messageId: 'message-2', isActivated: true });
    expect(others.expect('shipment.manifest', wanted).expectationId).not.toBe(expectationId);
    expect(begin().expect('shipment.manifest', { ...wanted, subject: 'PA-2' }).expectationId).not.toBe(expectationId);
  });

  it('is projected from its anchor where no due time is given', () => {
    const task = begin();
    const manifest = task.expect('shipment.manifest', { subject: 'PA-1', due: '2026-09-10T20:00:00Z' });
    const arrival = task.expect('shipment.arrival', {
      subject: 'PA-1',
      anchor: { to: manifest, offset: 'PT1H45M' },
      after: manifest,
      horizon: { in: 'P2D' },
    });
    expect(arrival).toMatchObject({
      dueAt: '2026-09-10T21:45:00Z',
      anchor: { expectationId: manifest.expectationId, offset: 'PT1H45M' },
      after: [manifest.expectationId],
      horizon: '2026-09-12T12:00:00Z',
    });
  });

  it('of a question is about the task that asks it', () => {
    const asked = begin().expectAnswer('question.answer', { due: { in: 'PT4H' } });
    expect(asked).toMatchObject({ subject: { type: 'task', id: 'task-1' } });
  });

  it.each<[string, string, (task: ReturnType<typeof begin>) => unknown]>([
    ['no due time', 'invalid', (task) => task.expect('shipment.manifest', { subject: 'PA-1' })],
    ['no subject', 'invalid', (task) => task.expect('shipment.manifest', { subject: '', due: { in: 'PT1H' } })],
    [
      'a grace that is none',
      'invalid',
      (task) => task.expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT1H' }, grace: '2 hours' }),
    ],
    [
      'an id over the limit',
      'invalid',
      (task) => task.expect('shipment.manifest', { subject: 'P'.repeat(1_025), due: { in: 'PT1H' } }),
    ],
    [
      'a kind that is not on the card',
      'undeclared_kind',
      (task) => task.expect('shipment.lost' as 'shipment.manifest', { subject: 'PA-1', due: { in: 'PT1H' } }),
    ],
    [
      'something nobody raised to replace',
      'supersedes_unknown',
      (task) => task.expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT1H' }, supersedes: 'exp-9' }),
    ],
  ])('with %s is refused as a watcher would refuse it', (_, code, raise) => {
    const task = begin();
    expect(codeOf(() => raise(task))).toBe(code);
    expect(task.on({ artifactId: 'a' })).toEqual({ artifactId: 'a' });
  });

  it('is refused under an id that another has, and repeats nothing where it is the same', () => {
    const task = begin();
    const raised = task.expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT1H' } });
    expect(codeOf(() => task.expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT2H' } }))).toBe('id_reused');
    expect(task.expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT1H' } })).toEqual(raised);
    expect(blockOf(task.on({ artifactId: 'a' }))?.expectations).toEqual([raised]);
  });

  it('is refused past the 1,000 that one artifact may carry; the next has room again', () => {
    const task = begin();
    const expectOf = (subject: number): Expectation =>
      task.expect('shipment.manifest', { subject: `PA-${subject}`, due: { in: 'PT1H' } });
    for (let subject = 0; subject < 1_000; subject += 1) expectOf(subject);
    expect(codeOf(() => expectOf(1_000))).toBe('invalid');
    expect(blockOf(task.on({ artifactId: 'a' }))?.expectations).toHaveLength(1_000);
    expectOf(1_000);
    expect(blockOf(task.on({ artifactId: 'b' }))?.expectations).toHaveLength(1);
  });
});

describe('what lapsed', () => {
  it('is given more time by one that supersedes it', () => {
    const more = begin().extend(lapse, { due: { in: 'PT4H' } });
    expect(more).toEqual({
      expectationId: expect.stringMatching(/^exp-/),
      kind: 'shipment.manifest',
      subject: lapse.subject,
      expects: lapse.expects,
      satisfiedBy: { factKey: 'shipment.manifest.received:PA-1' },
      dueAt: '2026-09-10T16:00:00Z',
      basis: 'observed',
      supersedes: 'exp-1',
    });
  });

  it('is not given the same time again, nor more where it had it as often as it may, nor twice at once', () => {
    expect(codeOf(() => begin().extend(lapse, { due: lapse.projectedDueAt }))).toBe('identical_in_lineage');
    const often = { ...lapse, lineage: 3 };
    expect([begin().canExtend(lapse), begin().canExtend(often)]).toEqual([true, false]);
    expect(codeOf(() => begin().extend(often, { due: { in: 'PT4H' } }))).toBe('lineage_bound');
    const task = begin();
    task.extend(lapse, { due: { in: 'PT4H' } });
    expect(codeOf(() => task.extend(lapse, { due: { in: 'PT5H' }, expectationId: 'exp-3' }))).toBe('supersedes_closed');
  });

  it('may be extended as often as the deployment says', () => {
    const patient = expectations({ ...desk.definition, lineageBound: 5 }, clock);
    const task = patient.inTask({ taskId: 'task-1', contextId: 'ctx-1', isActivated: true });
    expect(task.extend({ ...lapse, lineage: 4 }, { due: { in: 'PT4H' } })).toMatchObject({ supersedes: 'exp-1' });
  });
});

describe('an artifact', () => {
  it('carries what the task expects, withdraws and reports, beside what it had', () => {
    const task = begin();
    const raised = task.expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT1H' } });
    task.withdraw('exp-0', 'booked with another airline');
    task.withdraw([lapse], 'booked with another airline');
    const fact = task.report({ factKey: 'shipment.booked:PA-1', subject: raised.subject });
    const artifact = task.on({ artifactId: 'a', metadata: { own: 1 }, extensions: ['urn:other'] });
    expect(fact).toEqual({
      factKey: 'shipment.booked:PA-1',
      observedAt: '2026-09-10T12:00:00Z',
      source: 'agent',
      subject: raised.subject,
    });
    expect(artifact).toEqual({
      artifactId: 'a',
      extensions: ['urn:other', EXTENSION_URI],
      metadata: {
        own: 1,
        [EXTENSION_URI]: {
          expectations: [raised],
          withdraw: ['exp-0', 'exp-1'],
          reason: 'booked with another airline',
          facts: [fact],
        },
      },
    });
    expect(task.on({ artifactId: 'b' })).toEqual({ artifactId: 'b' });
  });

  it('carries nothing before a client that has not activated the extension (§7)', () => {
    const task = begin(false);
    task.expect('shipment.manifest', { subject: 'PA-1', due: { in: 'PT1H' } });
    task.withdraw('exp-0');
    expect(task.on({ artifactId: 'a', metadata: { own: 1 } })).toEqual({ artifactId: 'a', metadata: { own: 1 } });
  });

  it('does not carry a fact that a watcher would refuse', () => {
    expect(codeOf(() => begin().report({ factKey: '' }))).toBe('invalid');
    expect(codeOf(() => begin().report({ factKey: 'k', subject: { type: 'shipment', id: '' } }))).toBe('invalid');
    expect(() => begin().withdraw('')).toThrow(TypeError);
  });
});

function blockOf(artifact: object): { readonly expectations: unknown[] } | undefined {
  const { metadata } = artifact as { readonly metadata?: { readonly [name: string]: unknown } };
  return metadata?.[EXTENSION_URI] as { readonly expectations: unknown[] } | undefined;
}
