// Draws facts: planned ones, so that the same one is reported again, and new ones near the present instant.
import fc from 'fast-check';
import { inPercent, present, weighted } from './draw.ts';
import { jitterMs, onGrid } from './grid.ts';
import { factKeys, noiseKeys, reporters, subjects } from './pool.ts';

/** A fact and who would report it; `observedAt` is set when it is reported, unless it is planned. */
export interface PlannedFact {
  readonly reporter: string;
  readonly fact: unknown;
}

const keys = fc.oneof({ weight: 75, arbitrary: factKeys }, { weight: 25, arbitrary: noiseKeys });
const namedSubjects = inPercent(45, subjects);

/** The facts a scenario's feeds will report, some of them more than once. */
export const factPlans: fc.Arbitrary<readonly PlannedFact[]> = fc.array(
  fc
    .record({
      reporter: reporters,
      factKey: keys,
      hours: fc.integer({ min: 0, max: 20 }),
      ms: jitterMs,
      subject: namedSubjects,
    })
    .map(({ reporter, factKey, hours, ms, subject }) => ({
      reporter,
      fact: present({ factKey, observedAt: onGrid(hours, ms), source: 'whoever', subject }),
    })),
  { minLength: 8, maxLength: 8 },
);

/** How one fact of a report is chosen. */
export type FactDraft = (plan: readonly PlannedFact[], hours: number) => unknown;

const planned: fc.Arbitrary<FactDraft> = fc.integer({ min: 0, max: 7 }).map(
  (index): FactDraft =>
    (plan) =>
      plan[index]?.fact,
);

const current: fc.Arbitrary<FactDraft> = fc
  .record({
    factKey: keys,
    ago: weighted([40, 0], [25, 1], [15, 2], [12, 4], [8, -1]),
    ms: jitterMs,
    subject: namedSubjects,
  })
  .map(
    ({ factKey, ago, ms, subject }): FactDraft =>
      (_plan, hours) =>
        present({ factKey, observedAt: onGrid(Math.max(0, hours - ago), ago === 0 && hours === 0 ? 0 : ms), subject }),
  );

const malformed: fc.Arbitrary<FactDraft> = weighted<FactDraft>(
  [1, () => ({ factKey: 'k1' })],
  [1, () => ({ factKey: '', observedAt: onGrid(1) })],
  [1, () => ({ factKey: 'k2', observedAt: 'yesterday' })],
  [1, () => ({ factKey: 'k3', observedAt: onGrid(1), subject: { type: 'shipment' } })],
  [2, () => ({ factKey: 'k1', observedAt: onGrid(1), subject: null })],
  [1, () => null],
);

export const factDrafts: fc.Arbitrary<FactDraft> = fc.oneof(
  { weight: 60, arbitrary: planned },
  { weight: 35, arbitrary: current },
  { weight: 5, arbitrary: malformed },
);

export const reportDrafts: fc.Arbitrary<readonly FactDraft[]> = fc.oneof(
  { weight: 60, arbitrary: factDrafts.map((one) => [one]) },
  { weight: 40, arbitrary: fc.array(factDrafts, { minLength: 1, maxLength: 4 }) },
);
