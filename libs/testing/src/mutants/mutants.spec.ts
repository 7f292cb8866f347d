// Every planted fault of the core is found by comparing it with the naive model; and the finding itself is tried on faults
// planted in a copy of the model.
import { judge } from '../model/judge.ts';
import { hunt } from './hunt.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutant-list.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const find = hunt(judge, 30, 4000);

describe('a fault planted in a copy of the model', () => {
  let workshop: Workshop;
  beforeAll(() => {
    workshop = openWorkshop({ sources: 'libs/testing/src/model', entry: 'judge.ts', decide: 'judge' });
  });
  afterAll(() => workshop.close());

  const planted: readonly Mutant[] = [
    {
      name: 'a deadline fires at its own instant',
      file: 'deadline.ts',
      find: 'deadline.at < world.now',
      replace: 'deadline.at <= world.now',
    },
    {
      name: 'the order of recording counts before the depth',
      file: 'deadline.ts',
      find: 'one.depth - other.depth ||',
      replace: '',
    },
    {
      name: 'a repeat renews the early-fact window',
      file: 'report.ts',
      find: 'if (known !== undefined) return applyRepeat(world, known);',
      replace: 'if (known !== undefined) { known.receivedAt = world.now; return applyRepeat(world, known); }',
    },
    {
      name: 'what is closed is forgotten at the very end of its period',
      file: 'memory.ts',
      find: 'one.forgotten || later(one.closedAt, closedMemory) >= world.now',
      replace: 'one.forgotten || later(one.closedAt, closedMemory) > world.now',
    },
  ];

  it.each(planted.map((mutant) => [mutant.name, mutant] as const))('is found: %s', async (_name, mutant) => {
    expect(find(await workshop.plant(mutant))).toBeDefined();
  });

  it('is found nowhere where nothing is changed', async () => {
    const harmless = { name: 'none', file: 'world.ts', find: 'world.moment += 1', replace: 'world.moment += 2' };
    expect(hunt(judge, 30, 100)(await workshop.plant(harmless))).toBeUndefined();
  });

  it('is refused where its text does not stand exactly once', async () => {
    const nowhere = { name: 'lost', file: 'world.ts', find: 'no such text', replace: '' };
    await expect(workshop.plant(nowhere)).rejects.toThrow('0 times, not once');
  });
});

(mutants.length === 0 ? describe.skip : describe)('a fault planted in the core', () => {
  let workshop: Workshop;
  beforeAll(() => {
    workshop = openWorkshop({ sources: 'libs/expectations/src', entry: 'index.ts', decide: 'simulate' });
  });
  afterAll(() => workshop.close());

  it.each(
    mutants.length === 0 ? [['none', undefined] as const] : mutants.map((mutant) => [mutant.name, mutant] as const),
  )('is found: %s', async (_name, mutant) => {
    expect(mutant && find(await workshop.plant(mutant))).toBeDefined();
  });
});
