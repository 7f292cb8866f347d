// §8.1, §9.1, §13.6: what is withdrawn, and the three ways to lapse.
import assert from 'node:assert/strict';
import { inCore, type Must } from './must.ts';
import { expectation, fact, lapsesOf, raised, recordOf, status, tick, told } from './story.ts';

function withdrawnOn(state: 'CANCELED' | 'FAILED' | 'REJECTED'): Must {
  const cause = `task_${state.toLowerCase()}`;
  return {
    paragraph: '8.1',
    must: `withdraws every open expectation of a task that is ${state.toLowerCase()}`,
    check: () => {
      const outcome = told(raised('09-01T01:00', [expectation('a'), expectation('b')]), status('09-02T00:00', state));
      assert.deepEqual(
        ['a', 'b'].map((id) => recordOf(outcome, id).withdrawn),
        [cause, cause],
      );
    },
    mutant: inCore('state/task.ts', `  ['TASK_STATE_${state}', '${cause}'],\n`, ''),
  };
}

export const ofWithdrawal: readonly Must[] = [
  withdrawnOn('CANCELED'),
  withdrawnOn('FAILED'),
  withdrawnOn('REJECTED'),
  {
    paragraph: '8.1',
    must: 'does not let what is withdrawn lapse',
    check: () => {
      const canceled = status('09-02T00:00', 'CANCELED');
      const outcome = told(raised('09-01T01:00', [expectation('a')]), canceled, tick('09-11T00:00'));
      assert.deepEqual(lapsesOf(outcome), []);
      assert.equal(recordOf(outcome, 'a').status, 'withdrawn');
    },
    mutant: inCore('evolve/close.ts', '  state.deadlines.remove(expectation);\n', ''),
  },
  {
    paragraph: '8.1',
    must: 'keeps what is withdrawn in the record, marked so',
    check: () => {
      const outcome = told(raised('09-01T01:00', [expectation('a')]), status('09-02T00:00', 'FAILED'));
      assert.equal(recordOf(outcome, 'a').status, 'withdrawn');
    },
    mutant: inCore(
      'withdraw.ts',
      "  turn.emit({ type: 'expectationWithdrawn', at: turn.at, agentId: agent.id, expectationId: id, ...withdrawal });\n",
      '',
    ),
  },
  {
    paragraph: '8.1',
    must: 'withdraws what is superseded at the moment its successor is recorded',
    check: () => {
      const next = expectation('b', { supersedes: 'a' });
      const outcome = told(raised('09-01T01:00', [expectation('a')]), raised('09-02T00:00', [next]));
      assert.equal(recordOf(outcome, 'a').withdrawn, 'superseded');
    },
    mutant: inCore(
      'record.ts',
      "  if (replaced !== undefined) withdraw(turn, replaced, { withdrawn: 'superseded', supersededBy: expectationId });\n",
      '',
    ),
  },
  {
    paragraph: '9.1',
    must: 'finds overdue what has not come when its due time and grace have passed',
    check: () => {
      const graced = expectation('a', { grace: 'PT2H' });
      const before = told(raised('09-01T01:00', [graced]), tick('09-10T02:00'));
      const after = told(raised('09-01T01:00', [graced]), tick('09-10T02:01'));
      assert.deepEqual([lapsesOf(before), lapsesOf(after)], [[], ['a overdue']]);
    },
    mutant: inCore('evolve/recorded.ts', 'addGrace(raised.dueAt, raised.grace)', 'Infinity'),
  },
  {
    paragraph: '9.1',
    must: 'finds skipped what a later step was satisfied without, at once and not when it is due',
    check: () => {
      const later = expectation('later', { after: ['a'] });
      const outcome = told(raised('09-01T01:00', [expectation('a'), later]), fact('09-03T00:00', 'later'));
      assert.deepEqual(lapsesOf(outcome), ['a skipped']);
    },
    mutant: inCore(
      'gap.ts',
      "lapse(turn, skipped, 'skipped', gaps.get(skipped));",
      "if (turn.now > skipped.dueAt) lapse(turn, skipped, 'skipped', gaps.get(skipped));",
    ),
  },
  {
    paragraph: '9.1',
    must: 'finds stalled what nothing was heard of until its horizon',
    check: () => {
      const bounded = expectation('a', { dueAt: '2026-09-30T00:00:00Z', horizon: '2026-09-05T00:00:00Z' });
      const outcome = told(raised('09-01T01:00', [bounded]), tick('09-05T00:01'));
      assert.deepEqual(lapsesOf(outcome), ['a stalled']);
    },
    mutant: inCore(
      'deadline.ts',
      'return expectation.is(Mark.stalled) || !isSilent(expectation) ? Infinity : silentUntil(expectation);',
      'return Infinity;',
    ),
  },
  {
    paragraph: '13.6',
    must: "withdraws on the origin task's end whatever was seen of it before: also what is recorded after it",
    check: () => {
      const outcome = told(
        raised('09-01T01:00', [expectation('a')]),
        status('09-02T00:00', 'CANCELED'),
        raised('09-03T00:00', [expectation('b')]),
      );
      assert.equal(recordOf(outcome, 'b').withdrawn, 'task_canceled');
    },
    mutant: inCore('passes.ts', '  withdrawEnded(turn, carrier, recorded);\n', ''),
  },
];
