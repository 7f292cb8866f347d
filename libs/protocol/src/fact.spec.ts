import { plausibleAround, readFacts } from './fact.ts';
import { reporterOf } from './reporter.ts';

const principal = { name: 'ops', sources: ['carrier-feed:emirates', 'truck:*'] };
const observedAt = '2026-09-10T20:15:00Z';

function fact(key: string, source?: unknown, more: object = {}): object {
  return { factKey: key, observedAt, ...(source !== undefined && { source }), ...more };
}

describe('the reporter of a fact', () => {
  it.each([
    ['the name of the principal where it claims no source', undefined, 'ops'],
    ['or claims none in words', null, 'ops'],
    ['the source that it may claim', 'carrier-feed:emirates', 'carrier-feed:emirates'],
    ['or that begins as it may', 'truck:7', 'truck:7'],
    ['or that is its own name', 'ops', 'ops'],
  ])('is %s', (_, source, reporter) => {
    expect(reporterOf(fact('k', source), principal)).toEqual({ reporter });
  });

  it.each([
    ['carrier-feed:qatar', 'source_not_allowed'],
    ['carrier-feed:emirates2', 'source_not_allowed'],
    ['truck', 'source_not_allowed'],
    [7, 'invalid'],
    [{}, 'invalid'],
  ])('is never %j: %s', (source, code) => {
    expect(reporterOf(fact('k', source), principal)).toEqual({ refused: expect.any(String), code });
  });

  it('is never an agent, a topic or a task by a general pattern', () => {
    const anyone = { name: 'x', sources: ['*', 'task-state', 'gateway'] };
    expect(reporterOf(fact('k', 'kafka:duewatch.facts.acme'), anyone)).toHaveProperty('refused');
    expect(reporterOf(fact('k', 'kafka:t'), { name: 'x', sources: ['kafka:*'] })).toEqual({ reporter: 'kafka:t' });
    expect(reporterOf(fact('k', 'agent:booking'), anyone)).toHaveProperty('refused');
    expect(reporterOf(fact('k', 'task-state'), anyone)).toHaveProperty('refused');
    expect(reporterOf(fact('k', 'gateway'), anyone)).toHaveProperty('refused');
    expect(reporterOf(fact('k', 'agent:booking'), { name: 'x', sources: ['agent:*'] })).toEqual({
      reporter: 'agent:booking',
    });
  });
});

describe('the facts of one body', () => {
  it('of one reporter are one report', () => {
    const facts = [fact('a'), fact('b')];
    expect(readFacts(facts, principal)).toEqual({
      inputs: [{ type: 'factsReported', reporter: 'ops', facts }],
      facts: [
        { outcome: 'told', input: 0, index: 0 },
        { outcome: 'told', input: 0, index: 1 },
      ],
    });
  });

  it('of several reporters are reports in the order of the body', () => {
    const { inputs } = readFacts([fact('a'), fact('b', 'truck:1'), fact('c', 'truck:1'), fact('d')], principal);
    expect(inputs.map(({ reporter, facts }) => [reporter, facts.length])).toEqual([
      ['ops', 1],
      ['truck:1', 2],
      ['ops', 1],
    ]);
  });

  it('go in runs of at most 500', () => {
    const { inputs, facts } = readFacts(
      Array.from({ length: 1_001 }, (_, index) => fact(`k${index}`)),
      principal,
    );
    expect(inputs.map((input) => input.facts.length)).toEqual([500, 500, 1]);
    expect(facts[1_000]).toEqual({ outcome: 'told', input: 2, index: 0 });
  });

  it('go in runs of at most 512 kB', () => {
    const large = fact('k', undefined, { padding: 'x'.repeat(300_000) });
    expect(readFacts([large, large], principal).inputs).toHaveLength(2);
  });

  it('are told malformed as they are: the decider refuses them, in the record', () => {
    const facts = [7, null, { factKey: '' }, { factKey: 'k', observedAt: 1789094460 }];
    expect(readFacts(facts, principal, { plausible: plausibleAround(0) }).inputs).toEqual([
      { type: 'factsReported', reporter: 'ops', facts },
    ]);
  });

  it('are told as stubs where they are over a limit', () => {
    const { inputs, facts } = readFacts(
      [fact('k', undefined, { subject: { type: 't', id: 'a\0' } }), fact('a\0b')],
      principal,
    );
    expect(inputs[0]?.facts).toEqual([{ factKey: 'k' }, null]);
    const message = 'subject.id holds a NUL or half a character';
    expect(facts[0]).toEqual({ outcome: 'told', input: 0, index: 0, message });
    const huge = { factKey: 'k', observedAt: '2099-01-01T00:00:00Z', padding: 'x'.repeat(600_000) };
    const read = readFacts([huge], principal, { plausible: plausibleAround(0) });
    expect(read.inputs[0]?.facts).toEqual([{ factKey: 'k' }]);
    expect(read.facts[0]).toMatchObject({ outcome: 'told', message: 'is larger than 512 kB' });
  });

  it.each([
    ['a NUL', 'a\0', 'source holds a NUL or half a character'],
    ['half a character', '\ud800', 'source holds a NUL or half a character'],
    ['no end', 'x'.repeat(1_025), 'source is longer than 1,024 characters'],
  ])('are never told under a source with %s, whoever may claim it', (_, source, message) => {
    const anyone = { name: 'ops', sources: ['*'] };
    const { inputs, facts } = readFacts([fact('k', source)], anyone);
    expect(inputs).toEqual([{ type: 'factsReported', reporter: 'ops', facts: [{ factKey: 'k' }] }]);
    expect(facts).toEqual([{ outcome: 'told', input: 0, index: 0, message }]);
  });

  it('are refused one by one where they claim a source they may not', () => {
    const { inputs, facts } = readFacts([fact('a', 'qatar'), fact('b')], principal, { path: '$.facts' });
    expect(inputs[0]?.facts).toEqual([fact('b')]);
    expect(facts[0]).toEqual({
      outcome: 'refused',
      code: 'source_not_allowed',
      path: '$.facts[0].source',
      message: 'this key may not claim the source "qatar"',
    });
  });
});

describe('an implausible instant is quarantined', () => {
  const now = Date.parse('2026-09-10T12:00:00Z');
  const outcome = (at: string): string | undefined =>
    readFacts([{ factKey: 'k', observedAt: at }], principal, { plausible: plausibleAround(now) }).facts[0]?.outcome;

  it.each([
    ['2026-09-10T12:10:00.000Z', 'told'],
    ['2026-09-10T12:10:00.001Z', 'quarantined'],
    ['2026-09-10T20:10:00+08:00', 'told'],
    ['2026-06-12T12:00:00Z', 'told'],
    ['2026-06-12T11:59:59.999Z', 'quarantined'],
    ['2099-01-01t00:00:00z', 'quarantined'],
    ['1970-01-21T16:58:14Z', 'quarantined'],
    ['not an instant', 'told'],
  ])('%s is %s', (at, expected) => {
    expect(outcome(at)).toBe(expected);
  });

  it('with its reporter and its reason, and is told to no log', () => {
    const read = readFacts([{ factKey: 'k', observedAt: '2099-01-01T00:00:00Z' }], principal, {
      plausible: plausibleAround(now),
    });
    expect(read.inputs).toEqual([]);
    expect(read.facts[0]).toMatchObject({
      outcome: 'quarantined',
      reporter: 'ops',
      path: '$[0].observedAt',
      message: 'observedAt is more than 10 minutes ahead of its receipt',
    });
  });
});
