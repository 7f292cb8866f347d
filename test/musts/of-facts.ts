// §9.2, §9.3: what a fact does, and what hangs from what it satisfies.
import assert from 'node:assert/strict';
import { inCore, type Must } from './must.ts';
import { agentId, at, eventsOf, expectation, fact, lapsesOf, raised, recordOf, subject, tick, told } from './story.ts';

const anchored = expectation('b', { anchor: { expectationId: 'a', offset: 'PT1H45M' }, dueAt: at('09-12T00:00') });

export const ofFacts: readonly Must[] = [
  {
    paragraph: '9.2',
    must: 'satisfies every open expectation of exactly its key',
    check: () => {
      const same = { satisfiedBy: { factKey: 'k' } };
      const expectations = [expectation('a', same), expectation('b', same)];
      const outcome = told(raised('09-01T01:00', expectations), fact('09-02T00:00', 'k'));
      assert.deepEqual(
        outcome.records.map(({ status }) => status),
        ['satisfied', 'satisfied'],
      );
    },
    mutant: inCore('report.ts', '[...waiting] : [waiting];', '[...waiting].slice(0, 1) : [waiting];'),
  },
  {
    paragraph: '9.2',
    must: 'records the instant of receipt as satisfiedAt, and observedAt from the fact',
    check: () => {
      const report = fact('09-03T00:00', 'a', { observedAt: at('09-02T00:00') });
      const { satisfiedAt, observedAt } = recordOf(told(raised('09-01T01:00', [expectation('a')]), report), 'a');
      assert.deepEqual([satisfiedAt, observedAt], [at('09-03T00:00'), at('09-02T00:00')]);
    },
    mutant: inCore(
      'satisfy.ts',
      'const satisfiedAt = by.receivedAt === turn.now ? at : formatInstant(by.receivedAt);',
      'const satisfiedAt = formatInstant(by.observedAt);',
    ),
  },
  {
    paragraph: '9.2',
    must: 'records a fact against its subject, so that a silence is broken',
    check: () => {
      const bounded = expectation('a', { dueAt: at('09-30T00:00'), horizon: at('09-05T00:00') });
      const heard = fact('09-02T00:00', 'anything', { subject });
      assert.deepEqual(lapsesOf(told(raised('09-01T01:00', [bounded]), heard, tick('09-06T00:00'))), []);
    },
    mutant: inCore(
      'report.ts',
      'if (subjectType !== null && subjectId !== null) subjects.push({ type: subjectType, id: subjectId });',
      '',
    ),
  },
  {
    paragraph: '9.2',
    must: 're-anchors every open expectation whose anchor it satisfied',
    check: () => {
      const outcome = told(raised('09-01T01:00', [expectation('a'), anchored]), fact('09-02T00:00', 'a'));
      assert.notEqual(recordOf(outcome, 'b').dueAt, at('09-12T00:00'));
    },
    mutant: inCore(
      'satisfy.ts',
      '  for (const [anchored, anchor] of moved) if (anchored.isOpen) reanchor(turn, anchored, anchor.id, by.observedAt);\n',
      '',
    ),
  },
  {
    paragraph: '9.2',
    must: 'raises a skipped lapse for every open expectation that the satisfied one names in after',
    check: () => {
      const later = expectation('later', { after: ['a', 'b'] });
      const steps = [expectation('a'), expectation('b'), later];
      const outcome = told(raised('09-01T01:00', steps), fact('09-03T00:00', 'later'));
      assert.deepEqual(lapsesOf(outcome), ['a skipped', 'b skipped']);
    },
    mutant: inCore('gap.ts', '[...gaps.keys()].sort(bySeq))', '[...gaps.keys()].sort(bySeq).slice(0, 1))'),
  },
  {
    paragraph: '9.2',
    must: 'records as late what was observed after the due time',
    check: () => {
      const outcome = told(raised('09-01T01:00', [expectation('a')]), fact('09-11T00:00', 'a'));
      assert.equal(recordOf(outcome, 'a').late, true);
    },
    mutant: inCore('satisfy.ts', 'const late = isLate(by.observedAt, expectation.dueAt);', 'const late = false;'),
  },
  {
    paragraph: '9.2',
    must: 'submits no lapse task for what has been satisfied',
    check: () => {
      const attempted = { agentId, expectationId: 'a', lapse: 'overdue', attempt: 1 } as const;
      const events = eventsOf(
        raised('09-01T01:00', [expectation('a')]),
        tick('09-11T00:00'),
        fact('09-11T01:00', 'a'),
        { type: 'dispatchAttempted', at: at('09-11T02:00'), ...attempted },
      );
      const last = events.at(-1);
      assert.deepEqual([last?.type, last?.type === 'dispatchVoided' && last.cause], ['dispatchVoided', 'satisfied']);
    },
    mutant: inCore(
      'dispatch.ts',
      "  if (named?.closed !== undefined) return named.closed.satisfied ? 'satisfied' : 'withdrawn';\n",
      '  if (named?.closed !== undefined) return undefined;\n',
    ),
  },
  {
    paragraph: '9.2',
    must: 'does not take a fact that matches nothing for an error',
    check: () => {
      assert.deepEqual(
        eventsOf(fact('09-02T00:00', 'nothing')).map(({ type }) => type),
        ['agentDeclared', 'factRecorded'],
      );
    },
    mutant: inCore(
      'report.ts',
      '  if (!satisfies) return;\n',
      "  if (!satisfies) return refuse(turn, reporter, index, factKey, 'it matches nothing');\n",
    ),
  },
  {
    paragraph: '9.3',
    must: "sets the current due time to the anchor's observedAt plus the offset",
    check: () => {
      const departed = fact('09-02T05:00', 'a', { observedAt: at('09-02T02:41') });
      const outcome = told(raised('09-01T01:00', [expectation('a'), anchored]), departed);
      assert.equal(recordOf(outcome, 'b').dueAt, at('09-02T04:26'));
    },
    mutant: inCore(
      'satisfy.ts',
      'reanchor(turn, anchored, anchor.id, by.observedAt)',
      'reanchor(turn, anchored, anchor.id, by.receivedAt)',
    ),
  },
  {
    paragraph: '9.3',
    must: 'preserves the projected due time',
    check: () => {
      const moved = [raised('09-01T01:00', [expectation('a'), anchored]), fact('09-02T00:00', 'a')];
      const { lapses } = told(...moved, tick('09-13T00:00'));
      assert.deepEqual(
        lapses.map(({ lapse }) => [lapse.projectedDueAt, lapse.dueAt]),
        [[at('09-12T00:00'), at('09-02T01:45')]],
      );
    },
    mutant: inCore(
      'lapse.ts',
      'projectedDueAt: formatInstant(expectation.projectedDueAt)',
      'projectedDueAt: formatInstant(expectation.dueAt)',
    ),
  },
  {
    paragraph: '9.3',
    must: 'does not find overdue, on its projected time, what hangs from an anchor that has lapsed',
    check: () => {
      const outcome = told(raised('09-01T01:00', [expectation('a'), anchored]), tick('09-20T00:00'));
      assert.deepEqual(lapsesOf(outcome), ['a overdue']);
    },
    mutant: inCore('lapse.ts', '  });\n  suspendBehind(turn, expectation);\n', '  });\n'),
  },
];
