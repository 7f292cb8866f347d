// Faults in lapses, withdrawals, tasks and memory.
import type { Mutant } from './mutant.ts';

export const ofClosing: readonly Mutant[] = [
  {
    name: 'only what hangs right behind a lapse is suspended',
    file: 'lapse.ts',
    find: '      anchors.push(anchored);',
    replace: '',
  },
  {
    name: 'the message id names the projected due time',
    file: 'lapse.ts',
    find: 'messageId: `lapse:${id}:${kind}:${block.dueAt}`',
    replace: 'messageId: `lapse:${id}:${kind}:${block.projectedDueAt}`',
  },
  {
    name: 're-anchored, it stays suspended',
    file: 'evolve/open.ts',
    find: '  expectation.marks &= ~Mark.suspended;\n  if (expectation.hasLapsed) {',
    replace: '  if (expectation.hasLapsed) {',
  },
  {
    name: 'a due time set anew does not move the retirement',
    file: 'evolve/open.ts',
    find: 'expectation.setLapsed(expectation.lapsedAt, retirementOf(state, expectation, expectation.lapsedAt));',
    replace: '',
  },
  {
    name: 'nothing hangs from what was replaced any more',
    file: 'evolve/withdrawn.ts',
    find: '  moveAnchored(expectation, successor);',
    replace: '',
  },
  {
    name: 'what nobody recorded is not skipped when it is, later',
    file: 'evolve/close.ts',
    find: 'if (satisfied && named.status === Status.unknown) {',
    replace: 'if (satisfied && named.status === Status.open) {',
  },
  {
    name: 'what was replaced does not follow its successor into memory',
    file: 'evolve/close.ts',
    find: 'if (predecessor !== undefined) state.closed.succeed(predecessor.position, position);',
    replace: '',
  },
  {
    name: 'what waited still waits when it is closed',
    file: 'evolve/lists.ts',
    find: 'if (waiting instanceof Set) waiting.delete(expectation);',
    replace: '',
  },
  {
    name: 'what is closed takes up room of its agent',
    file: 'evolve/lists.ts',
    find: '  expectation.agent.openCount -= 1;',
    replace: '',
  },
  {
    name: 'what was suspended behind a retirement is released',
    file: 'withdraw.ts',
    find: "const isReleasing = supersededBy === undefined && withdrawn !== 'retired';",
    replace: 'const isReleasing = supersededBy === undefined;',
  },
  {
    name: 'a retirement takes nothing with it',
    file: 'withdraw.ts',
    find: 'retiring.push(...behind.filter((anchored) => canLapseNoMore(anchored, instant)));',
    replace: '',
  },
  {
    name: 'a stale state is applied',
    file: 'observe.ts',
    find: "return !isTerminal(state) && statusAt < task.statusAt ? 'stale' : undefined;",
    replace: 'return undefined;',
  },
  {
    name: 'facts of an artifact come before its withdrawals',
    file: 'observe.ts',
    find: '  const { reason } = block;\n',
    replace:
      '  if (block.facts.length > 0) report(turn, `agent:${agent.id}`, block.facts);\n  const { reason } = block;\n',
  },
  {
    name: 'from one question to the next is leaving',
    file: 'observe.ts',
    find: 'else if (isInterrupted(before) && !isInterrupted(state)) {',
    replace: 'else if (isInterrupted(before)) {',
  },
  {
    name: 'only the first question of a task is answered',
    file: 'question.ts',
    find: 'return [...task.questions].sort(bySeq);',
    replace: 'return [...task.questions].sort(bySeq).slice(0, 1);',
  },
  {
    name: 'completed withdraws too',
    file: 'state/task.ts',
    find: "  ['TASK_STATE_REJECTED', 'task_rejected'],",
    replace: "  ['TASK_STATE_REJECTED', 'task_rejected'],\n  ['TASK_STATE_COMPLETED', 'task_rejected'],",
  },
  {
    name: 'a fact that satisfied nothing is forgotten with the window, however long facts are remembered',
    file: 'memory.ts',
    find: 'while (isOver(unmatched.oldestAt, factMemory, now) && isOver(unmatched.oldestAt, earlyFactWindow, now)) {',
    replace: 'while (isOver(unmatched.oldestAt, earlyFactWindow, now)) {',
  },
  {
    name: 'the end of a task is known for as long as something open needs it',
    file: 'memory.ts',
    find: 'if (isTerminal(task.state) || !task.isNeeded) forgetTask(task);',
    replace: 'if (!task.isNeeded) forgetTask(task);',
  },
  {
    name: 'facts are forgotten by number at once, not after their report',
    file: 'evolve/fact.ts',
    find: '  state.unmatched.add(factHash, state.now, number);',
    replace:
      '  state.unmatched.add(factHash, state.now, number);\n  while (state.unmatched.count > state.settings.factMemoryMax) state.unmatched.dropOldest();',
  },
  {
    name: 'names of what was replaced follow one step only',
    file: 'state/expectation.ts',
    find: '  while (latest.successor !== null) latest = latest.successor;',
    replace: '  if (latest.successor !== null) latest = latest.successor;',
  },
  {
    name: 'a fact recorded again is the one that was forgotten',
    file: 'state/fact-memory.ts',
    find: 'return position >= 0 && this.numberOf(position) === number;',
    replace: 'return position >= 0;',
  },
  {
    name: 'what is due earlier than before is found at the old instant',
    file: 'state/deadlines.ts',
    find: 'if (key < before) this.rise(expectation, key, expectation.heapAt);',
    replace: 'if (key < before) return;',
  },
  {
    name: 'what has taken the place of another in the heap is not sunk',
    file: 'state/deadlines.ts',
    find: '    else this.sink(last, key, at);',
    replace: '    else this.rise(last, key, at);',
  },
  {
    name: 'the successor of a closed one is forgotten',
    file: 'state/closed-memory.ts',
    find: 'if (closed.successor !== undefined) this.successors.set(position, closed.successor);',
    replace: '',
  },
  {
    name: 'ids are sorted by units, not by code points',
    file: 'order.ts',
    find: 'unit + 0x10000',
    replace: 'unit',
  },
];
