// Faults in what is raised, judged and recorded, and in what is set.
import type { Mutant } from './mutant.ts';

export const ofRecording: readonly Mutant[] = [
  {
    name: 'a missing basis is taken',
    file: 'raised.ts',
    find: "if (!isName(content['basis'])) return `basis: ${NAME}`;",
    replace: '',
  },
  {
    name: 'the order of members counts',
    file: 'hash.ts',
    find: 'Object.keys(members).sort()',
    replace: 'Object.keys(members)',
  },
  {
    name: 'a part that is no list is read',
    file: 'block.ts',
    find: 'return Array.isArray(value) ?',
    replace: 'return value !== undefined ?',
  },
  {
    name: 'an id used for something else is only refused while that is open',
    file: 'judge.ts',
    find: 'if (named !== undefined) {',
    replace: 'if (named?.open !== undefined) {',
  },
  {
    name: 'the bounds come before the cycle',
    file: 'judge.ts',
    find: 'return judgeLineage(state, carrier, raised, replaced?.open) ?? judgeBounds(state, carrier, raised, replaced?.open);',
    replace:
      'return judgeBounds(state, carrier, raised, replaced?.open) ?? judgeLineage(state, carrier, raised, replaced?.open);',
  },
  {
    name: 'the lineage bound is one higher',
    file: 'judge.ts',
    find: 'if (replaced.lineage + 1 > bound) {',
    replace: 'if (replaced.lineage > bound) {',
  },
  {
    name: 'only what it replaces counts for identity, not the ancestors of that',
    file: 'judge.ts',
    find: '[identityOfOpen(replaced), ...ancestors]',
    replace: '[identityOfOpen(replaced), ...ancestors.slice(0, 0)]',
  },
  {
    name: 'what it replaces takes up room on its subject',
    file: 'judge.ts',
    find: '(replaced !== undefined && replaced.subject === subject ? 1 : 0)',
    replace: '0',
  },
  {
    name: 'the due time does not count for identity',
    file: 'lineage.ts',
    find: 'return hashList([kind, subjectType, subjectId, factKey], dueAt);',
    replace: 'return hashList([kind, subjectType, subjectId, factKey], 0 * dueAt);',
  },
  {
    name: 'ancestors are known for ever',
    file: 'lineage.ts',
    find: 'return ancestors?.filter(({ position }) => position >= state.closed.start) ?? [];',
    replace: 'return ancestors ?? [];',
  },
  {
    name: 'a refusal is reported each time',
    file: 'record.ts',
    find: 'expectationId === null || !agent.refusals.has(refusalKey(refusal.code, contentHash))',
    replace: 'true',
  },
  {
    name: 'the successor of a question is one on any subject',
    file: 'record.ts',
    find: 'return replaced.subject?.type === raised.subjectType && replaced.subject.id === raised.subjectId;',
    replace: 'return true;',
  },
  {
    name: 'the id of what was replaced does not mean its successor',
    file: 'names.ts',
    find: 'while (named?.closed?.successor !== undefined) {',
    replace: 'while (named?.closed?.successor !== undefined && state.now < 0) {',
  },
  {
    name: 'what names nothing yet never means what is recorded later',
    file: 'evolve/recorded.ts',
    find: 'const expectation = agent.names.get(expectationId) ?? new Expectation(agent, expectationId);',
    replace: 'const expectation = new Expectation(agent, expectationId);',
  },
  {
    name: 'grace is not counted',
    file: 'evolve/recorded.ts',
    find: 'addGrace(raised.dueAt, raised.grace)',
    replace: 'raised.dueAt',
  },
  {
    name: 'what a card declares is added to what the one before it declared',
    file: 'evolve/agent.ts',
    find: 'agent.kinds = kinds;',
    replace: 'agent.kinds = new Map([...agent.kinds, ...kinds]);',
  },
  {
    name: 'a setting of a tenant counts before the agent’s own',
    file: 'state/state.ts',
    find: 'return (agent.settings[name] as Settings[K] | undefined) ?? this.settings[name];',
    replace: 'return this.settings[name];',
  },
  {
    name: 'of faulty settings what is well-formed counts',
    file: 'settings.ts',
    find: 'if (message !== undefined) return { message: `settings.${name}: ${message}` };',
    replace: '',
  },
];
