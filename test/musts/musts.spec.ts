// What the specification binds a watcher to is done, and would be missed: each rule is switched off once.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantTree } from '#testing';
import { allMusts, type PlacedMust } from './musts.ts';

const musts = await allMusts();

/** What the check of a MUST says, and how it ends, beside a product with a fault. */
function checked(
  main: string,
  { group, index }: PlacedMust,
): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, group, String(index)], { timeout: 240_000 }, (_, said) =>
      resolve({ code: child.exitCode, said }),
    );
  });
}

describe.each(musts)('§$paragraph: a watcher $must', (must) => {
  it('is so', async () => {
    await must.check();
  });

  it('is missed where it is switched off', async () => {
    const tree = plantTree([must.mutant], 'test/musts');
    try {
      expect(await checked(tree.main, must)).toEqual({
        code: 1,
        said: expect.stringMatching(/^checking\nnot held: /) as string,
      });
    } finally {
      tree.remove();
    }
  });
});

it('is listed in the documentation, each with its paragraph', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/conformance.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| §'));
  const cells = rows.map((row) =>
    row
      .split('|')
      .slice(1, 3)
      .map((cell) => cell.trim()),
  );
  expect(cells).toEqual(musts.map(({ paragraph, must }) => [`§${paragraph}`, must]));
});
