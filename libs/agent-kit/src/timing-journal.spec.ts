// A journal in a file, whoever forgets to read it or reads it again.
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileJournal } from './timing-journal.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'duewatch-kit-'))));
afterEach(() => rm(folder, { recursive: true }));

it('is read once, before anything is appended, and loses nothing where that is forgotten', async () => {
  const path = join(folder, 'journal');
  await appendFile(path, '{"type":"tick","at":"2026-09-10T12:00:00Z"}\n{"type":"fac');
  const journal = await FileJournal.open(path);
  const tick = { type: 'tick', at: '2026-09-10T13:00:00Z' } as const;
  await expect(journal.append([tick])).rejects.toThrow('is read before');
  expect(await journal.read()).toHaveLength(1);
  await journal.append([tick]);
  await expect(journal.read()).rejects.toThrow('read once');
  await journal.close();
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3);
});
