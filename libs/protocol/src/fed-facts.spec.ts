import { plausibleAround } from './fact.ts';
import { readFedFacts } from './fed-facts.ts';
import { reporterOfTopic } from './reporter.ts';

const window = plausibleAround(Date.parse('2026-09-10T12:00:00Z'));
const reporter = reporterOfTopic('duewatch.facts.acme');
const fact = (factKey: string, over: object = {}) => ({ factKey, observedAt: '2026-09-10T11:00:00Z', ...over });

describe('the facts of one record of a feed', () => {
  it('are one report of the topic’s, whatever source they claim', () => {
    const facts = [fact('a', { source: 'carrier:ek' }), fact('b', { source: 7 }), fact('c')];
    expect(readFedFacts(facts, reporter, window)).toEqual({
      input: { type: 'factsReported', reporter: 'kafka:duewatch.facts.acme', facts },
      implausible: [],
    });
  });

  it('are one report also where they are more than an HTTP body puts into one', () => {
    const facts = Array.from({ length: 1_000 }, (_, index) => fact(`k${index}`));
    expect(readFedFacts(facts, reporter, window).input?.facts).toHaveLength(1_000);
  });

  it('are told malformed as they are, and as stubs over a limit', () => {
    const facts = [7, fact('k', { subject: { type: 't', id: 'a\0' } })];
    expect(readFedFacts(facts, reporter, window).input?.facts).toEqual([7, { factKey: 'k' }]);
  });

  it('are not told where they are not believed, and the others are', () => {
    const odd = fact('odd', { observedAt: '2099-01-01T00:00:00Z' });
    expect(readFedFacts([odd, fact('a')], reporter, window)).toEqual({
      input: { type: 'factsReported', reporter, facts: [fact('a')] },
      implausible: [{ reporter, fact: odd, message: 'observedAt is more than 10 minutes ahead of its receipt' }],
    });
    expect(readFedFacts([odd], reporter, window)).not.toHaveProperty('input');
  });
});
