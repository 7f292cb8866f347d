import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectoryError, prepareDataDirectory } from './data-directory.ts';

describe('the data directory', () => {
  let parent: string;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'duewatch-data-'));
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('is made with those above it, and may be there already', async () => {
    const path = join(parent, 'above', 'data');
    await prepareDataDirectory(path);
    await prepareDataDirectory(path);
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('is refused where a file stands in its place, or above it', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    await expect(prepareDataDirectory(file)).rejects.toThrow(DataDirectoryError);
    await expect(prepareDataDirectory(join(file, 'data'))).rejects.toThrow(/file.data cannot be used.*DATA_DIR/);
  });

  const itForUsers = process.getuid?.() === 0 ? it.skip : it;
  itForUsers('is refused where it may not be written', async () => {
    const path = join(parent, 'closed');
    await prepareDataDirectory(path);
    await chmod(path, 0o500);
    await expect(prepareDataDirectory(path)).rejects.toThrow(DataDirectoryError);
  });

  const itOnLinux = process.platform === 'linux' ? it : it.skip;
  itOnLinux('is refused, and not tried for ever, where no directory can be made', async () => {
    await expect(prepareDataDirectory('/proc/none/data')).rejects.toThrow(DataDirectoryError);
  });
});
