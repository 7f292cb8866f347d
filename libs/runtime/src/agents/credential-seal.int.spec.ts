import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCredentialSeal, SealBrokenError } from './credential-seal.ts';

describe('the seal of a data directory', () => {
  let directory: string;

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'seal-')), 'made');
  });

  afterEach(() => rm(join(directory, '..'), { recursive: true }));

  it('is one for all processes that open it at once, and later', async () => {
    const seals = await Promise.all([1, 2, 3, 4].map(() => openCredentialSeal(directory)));
    const later = await openCredentialSeal(directory);
    for (const seal of seals) expect(later.open(seal.seal('sesame', 'a'), 'a')).toBe('sesame');
    expect(await readdir(directory)).toEqual(['credentials.key']);
    expect((await stat(join(directory, 'credentials.key'))).mode & 0o777).toBe(0o600);
  });

  it('is not made over a key that is damaged', async () => {
    await openCredentialSeal(directory);
    await writeFile(join(directory, 'credentials.key'), 'short');
    await expect(openCredentialSeal(directory)).rejects.toThrow(SealBrokenError);
  });
});
