// §10.3: how far an expectation may be extended.
import assert from 'node:assert/strict';
import { inCore, type Must } from './must.ts';
import { at, eventsOf, expectation, raised, told } from './story.ts';

/** `b0` and its extensions, each in the lineage of the one before. */
function extensions(count: number): readonly object[] {
  return Array.from({ length: count }, (_, nth) => ({
    ...expectation(`b${nth}`, { dueAt: at(`09-1${nth}T00:00`) }),
    ...(nth > 0 && { supersedes: `b${nth - 1}` }),
  }));
}

const same = { ...expectation('b', { satisfiedBy: { factKey: 'a' } }), supersedes: 'a' };

export const ofExtending: readonly Must[] = [
  {
    paragraph: '10.3',
    must: "counts lineage: an extension's is one more than that of what it extends",
    check: () => {
      const { records } = told(raised('09-01T01:00', extensions(3)));
      assert.deepEqual(
        records.map(({ lineage }) => lineage),
        [0, 1, 2],
      );
    },
    mutant: inCore(
      'record.ts',
      'lineage: replaced === undefined ? 0 : replaced.lineage + 1,',
      'lineage: replaced === undefined ? 0 : 1,',
    ),
  },
  {
    paragraph: '10.3',
    must: 'bounds lineage, and refuses to record beyond the bound',
    check: () => {
      const { refusals } = told(raised('09-01T01:00', extensions(5)));
      assert.deepEqual(
        refusals.map(({ expectationId, code }) => [expectationId, code]),
        [['b4', 'lineage_bound']],
      );
    },
    mutant: inCore('judge.ts', 'if (replaced.lineage + 1 > bound) {', 'if (replaced.lineage + 1 > bound + 9) {'),
  },
  {
    paragraph: '10.3',
    must: 'reports the refusal',
    check: () => {
      const refused = eventsOf(raised('09-01T01:00', extensions(5))).find(({ type }) => type === 'expectationRefused');
      assert(refused?.type === 'expectationRefused' && refused.reported);
    },
    mutant: inCore(
      'record.ts',
      'const reported = expectationId === null || !agent.refusals.has(refusalKey(refusal.code, contentHash));',
      'const reported = false;',
    ),
  },
  {
    paragraph: '10.3',
    must: 'refuses what is identical to one in its own lineage',
    check: () => {
      const { refusals } = told(raised('09-01T01:00', [expectation('a')]), raised('09-02T00:00', [same]));
      assert.deepEqual(
        refusals.map(({ code }) => code),
        ['identical_in_lineage'],
      );
    },
    mutant: inCore(
      'judge.ts',
      '[identityOfOpen(replaced), ...ancestors].some((identity) => isSame(identity, own))',
      '[identityOfOpen(replaced), ...ancestors].length < 0 && isSame(own, own)',
    ),
  },
];
