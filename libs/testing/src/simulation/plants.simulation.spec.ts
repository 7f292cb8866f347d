// Every fault planted in the shell is found by some seed: a simulation that finds nothing would pass as well.
import { plants } from './plants/plant-list.ts';
import { SeedRun } from './seed-run.ts';

/** So many must do for each. */
const seeds = Array.from({ length: 24 }, (_, nth) => 1 + nth);

describe('a fault planted in the shell', () => {
  it.each(plants.map((plant) => [plant.name, plant] as const))('is found: %s', async (_, plant) => {
    const run = new SeedRun(seeds, [plant]);
    try {
      await expect(run.firstFailure()).resolves.toMatchObject({ failure: expect.any(String) });
    } finally {
      await run.end();
    }
  });
});
