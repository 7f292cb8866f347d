// Faults in facts, satisfaction, gaps and silence.
import type { Mutant } from './mutant.ts';

export const ofFacts: readonly Mutant[] = [
  {
    name: 'a report is applied as listed',
    file: 'report.ts',
    find: 'placed.sort((left, right) => left.observedAt - right.observedAt);',
    replace: '',
  },
  {
    name: 'a repeat satisfies nothing, though it has satisfied nothing before',
    file: 'report.ts',
    find: 'isRepeat && unmatchedAt < 0 ? none',
    replace: 'isRepeat ? none',
  },
  {
    name: 'observed in the future is kept',
    file: 'report.ts',
    find: 'observedAt: Math.min(reported.observedAt, turn.now)',
    replace: 'observedAt: reported.observedAt',
  },
  {
    name: 'the reporter is no part of a fact',
    file: 'reported.ts',
    find: 'hashWith(keyHash, reporter, observedAt)',
    replace: "hashWith(keyHash, '', observedAt)",
  },
  {
    name: 'a null subject is malformed',
    file: 'reported.ts',
    find: 'if (subject === undefined || subject === null) {',
    replace: 'if (subject === undefined) {',
  },
  {
    name: 'what hangs from it is due by the receipt, not by what was observed',
    file: 'satisfy.ts',
    find: 'reanchor(turn, anchored, anchor.id, by.observedAt)',
    replace: 'reanchor(turn, anchored, anchor.id, by.receivedAt)',
  },
  {
    name: 'the first of what hangs from it is not re-anchored',
    file: 'satisfy.ts',
    find: '    for (const anchored of anchoredTo(expectation)) moved.push([anchored, expectation]);',
    replace: '    for (const anchored of anchoredTo(expectation).slice(1)) moved.push([anchored, expectation]);',
  },
  {
    name: 'a gap on another subject is one',
    file: 'gap.ts',
    find: 'if (!skipped.isOpen || skipped.subject !== subject ||',
    replace: 'if (!skipped.isOpen ||',
  },
  {
    name: 'a gap names only the first that revealed it',
    file: 'gap.ts',
    find: 'else if (revealedBy.at(-1) !== id) revealedBy.push(id);',
    replace: '',
  },
  {
    name: 'a question’s answer is no fact on its task',
    file: 'evolve/fact.ts',
    find: '    state.factCount += 1;\n    subject.record(state.factCount, observedAt);',
    replace: '',
  },
  {
    name: 'a repeat that satisfies is on its subject as of now',
    file: 'evolve/fact.ts',
    find: 'if (!isNew) subject.record(number, firstObservedAt);',
    replace: 'if (!isNew) subject.record((state.factCount += 1), firstObservedAt);',
  },
  {
    name: 'a fact serves an agent again',
    file: 'evolve/fact.ts',
    find: 'state.recent.serve(recentAt, expectation.agent);',
    replace: '',
  },
  {
    name: 'a fact that satisfied is remembered as one that did not',
    file: 'evolve/fact.ts',
    find: '    state.unmatched.remove(unmatchedAt);\n    return;',
    replace: '    return;',
  },
  {
    name: 'the last fact is the one reported last',
    file: 'state/subject.ts',
    find: 'this.replaceLast(number, Math.max(observedAt, observed[last] ?? 0));',
    replace: 'this.replaceLast(number, observedAt);',
  },
  {
    name: 'what was observed before the raising is the last fact',
    file: 'state/subject.ts',
    find: 'if ((this.numbers[middle] ?? 0) > number) high = middle;',
    replace: 'if ((this.numbers[middle] ?? 0) >= number) high = middle;',
  },
  {
    name: 'an early fact satisfies though it is forgotten',
    file: 'passes.ts',
    find: 'if (unmatched.has(fact.factHash, fact.number) || matched.has(fact.factHash, fact.number)) return fact;',
    replace: 'return fact;',
  },
  {
    name: 'the successor of a step is skipped when it is recorded',
    file: 'passes.ts',
    find: '|| raised.supersedes !== null ||',
    replace: '||',
  },
  {
    name: 'an anchor that was satisfied before fixes nothing',
    file: 'passes.ts',
    find: 'if (closed?.satisfied === true)',
    replace: 'if (closed?.satisfied === true && turn.now < 0)',
  },
  {
    name: 'what is anchored to what is suspended is not',
    file: 'passes.ts',
    find: '(anchor.hasLapsed || anchor.is(Mark.suspended))',
    replace: 'anchor.hasLapsed',
  },
  {
    name: 'the search for an early fact begins at one that is forgotten',
    file: 'state/recent-facts.ts',
    find: 'return Math.max(head, this.cursors.get(head)?.get(agent) ?? head);',
    replace: 'return this.cursors.get(head)?.get(agent) ?? head;',
  },
];
