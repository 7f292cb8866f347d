// Draws the extension's block as an artifact or a status message carries it: planned expectations, questions, withdrawals, facts.
import fc from 'fast-check';
import { chance, inPercent, present } from './draw.ts';
import { reportDrafts } from './fact-drafts.ts';
import type { FactDraft, PlannedFact } from './fact-drafts.ts';
import { onGrid } from './grid.ts';
import { malformations, variations } from './malformed.ts';
import type { Oddity } from './malformed.ts';
import type { Content } from './plan.ts';
import { plannedCount, plannedId } from './pool.ts';
import { extensionsOfQuestions, questionOf, questions } from './question.ts';
import type { Question } from './question.ts';

const extensionUri = 'https://rsaxb.com/a2a/expectations/v1';

/** What is planned, and the hour it is. */
export interface Setting {
  readonly plan: readonly Content[];
  readonly facts: readonly PlannedFact[];
  readonly hours: number;
}

const ids = fc.integer({ min: 0, max: plannedCount - 1 }).map(plannedId);

interface ItemDraft {
  readonly index: number;
  readonly oddity: Oddity;
  /** Asks about the task whose status carries it. */
  readonly asks: boolean;
}

const oddities = fc.oneof({ weight: 94, arbitrary: variations }, { weight: 6, arbitrary: malformations });
const indexes = fc.integer({ min: 0, max: plannedCount - 1 });
const items: fc.Arbitrary<ItemDraft> = fc.record({ index: indexes, oddity: oddities, asks: chance(30) });

/** Neighbours in the plan, in its order: an expectation and what extends it. */
const runs: fc.Arbitrary<readonly ItemDraft[]> = fc
  .record({ from: indexes, oddities: fc.array(oddities, { minLength: 2, maxLength: 5 }) })
  .map(({ from, oddities: drawn }) =>
    drawn.map((oddity, place) => ({ index: Math.min(from + place, plannedCount - 1), oddity, asks: false })),
  );

/** How a block is made of what is planned. */
export interface BlockDraft {
  readonly items: readonly ItemDraft[];
  readonly question?: Question | undefined;
  readonly withdraw: unknown;
  readonly facts: readonly FactDraft[] | undefined;
  readonly isOdd: boolean;
}

export const artifactBlocks: fc.Arbitrary<BlockDraft> = fc.record({
  items: fc.oneof(
    { weight: 55, arbitrary: runs },
    { weight: 45, arbitrary: fc.array(items, { minLength: 1, maxLength: 6 }) },
  ),
  withdraw: inPercent(
    14,
    fc.array(fc.oneof({ weight: 95, arbitrary: ids }, { weight: 5, arbitrary: fc.constantFrom(7, null, ['e1']) }), {
      maxLength: 3,
    }),
  ),
  question: inPercent(12, extensionsOfQuestions),
  facts: inPercent(10, reportDrafts),
  isOdd: chance(2),
});

export const messageBlocks: fc.Arbitrary<BlockDraft> = fc.record({
  items: fc.oneof(
    { weight: 60, arbitrary: fc.constant([]) },
    { weight: 40, arbitrary: fc.array(items, { maxLength: 3 }) },
  ),
  question: inPercent(75, questions),
  withdraw: inPercent(8, fc.array(ids, { maxLength: 2 })),
  facts: inPercent(8, reportDrafts),
  isOdd: chance(2),
});

/** An artifact or message that carries the extension's block. */
export function carrying(block: Readonly<Record<string, unknown>>): unknown {
  return { metadata: { [extensionUri]: block } };
}

/** The carrier of a drafted block; in a status message `askedTask` is its own task. */
export function carrierOf(block: BlockDraft, setting: Setting, askedTask?: string): unknown {
  const expectations = block.items.map(({ index, oddity, asks }) => {
    const content = setting.plan[index] ?? {};
    const asking = asks && askedTask !== undefined ? { ...content, subject: { type: 'task', id: askedTask } } : content;
    return oddity(asking);
  });
  if (block.question !== undefined) {
    const { id, factKey, dueInHours, after, supersedes, anchorId } = block.question;
    const anchor = anchorId === undefined ? undefined : { expectationId: anchorId, offset: 'PT2H' };
    const asked = block.question.about ?? askedTask ?? 't1';
    expectations.push(
      questionOf(id, asked, factKey, onGrid(setting.hours + dueInHours), { after, supersedes, anchor }),
    );
  }
  const facts = block.facts?.map((draft) => draft(setting.facts, setting.hours));
  if (block.isOdd) return carrying({ expectations: { 0: expectations[0] }, withdraw: 'e1', facts });
  return carrying(present({ expectations, withdraw: block.withdraw, facts }));
}
