// Every MUST of the Expectations extension that concerns a watcher, in the order of its paragraphs. Each group is loaded by
// itself: what a check does not need is not loaded with it.
import type { Must } from './must.ts';

export const groups = {
  withdrawal: async () => (await import('./of-withdrawal.ts')).ofWithdrawal,
  facts: async () => (await import('./of-facts.ts')).ofFacts,
  lapseTasks: async () => (await import('./of-lapse-tasks.ts')).ofLapseTasks,
  extending: async () => (await import('./of-extending.ts')).ofExtending,
  questions: async () => (await import('./of-questions.ts')).ofQuestions,
  gateway: async () => (await import('./of-gateway.ts')).ofGateway,
  trust: async () => (await import('./of-trust.ts')).ofTrust,
} satisfies Readonly<Record<string, () => Promise<readonly Must[]>>>;

export type Group = keyof typeof groups;

export interface PlacedMust extends Must {
  readonly group: Group;
  /** Its place in the group. */
  readonly index: number;
}

export async function allMusts(): Promise<readonly PlacedMust[]> {
  const lists: PlacedMust[][] = [];
  // One after the other: jest loads modules that are asked for at once more than once.
  for (const group of Object.keys(groups) as Group[]) {
    lists.push((await groups[group]()).map((must, index) => ({ ...must, group, index })));
  }
  return lists.flat().toSorted((left, right) => Number.parseFloat(left.paragraph) - Number.parseFloat(right.paragraph));
}
