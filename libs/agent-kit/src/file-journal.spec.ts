// What a journal in a file keeps, whatever a crash leaves of it, and what it refuses to go on with.
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decide, type Input, State, takeSnapshot } from '#expectations';
import { FileJournal } from './file-journal.ts';
import type { Checkpoint, JournalContent } from './timing-journal.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duewatch-kit-'));
  path = join(folder, 'journal');
});
afterEach(() => rm(folder, { recursive: true }));

const tick = (minute: number): Input => ({ type: 'tick', at: `2026-09-10T12:0${minute}:00Z` });
const many = [[tick(1)], [tick(2), tick(3)], [tick(4)]];

/** Written by one process, which is then gone. */
async function written(appends: readonly (readonly Input[])[], checkpoint?: Checkpoint): Promise<void> {
  const journal = await FileJournal.open(path);
  await journal.read();
  if (checkpoint !== undefined) await journal.compact(checkpoint);
  for (const inputs of appends) await journal.append(inputs);
  await journal.close();
}

async function read(): Promise<JournalContent> {
  const journal = await FileJournal.open(path);
  try {
    return await journal.read();
  } finally {
    await journal.close();
  }
}

function checkpointOf(): Checkpoint {
  const state = new State();
  decide(state, { type: 'configured', at: tick(0).at, settings: { lineageBound: 2 } });
  decide(state, { type: 'agentDeclared', at: tick(0).at, agentId: 'agent', params: null });
  return { v: 1, atMs: Date.parse(tick(0).at), lapses: [], state: [...takeSnapshot(state)] };
}

describe('what was appended', () => {
  it('is there again, in order', async () => {
    await written(many);
    expect(await read()).toEqual({ inputs: many.flat() });
    await written([[tick(5)]]);
    expect(await read()).toEqual({ inputs: [...many.flat(), tick(5)] });
  });

  it('is there, each append whole or not at all, wherever a crash has cut it', async () => {
    await written(many);
    const whole = await readFile(path);
    const found = new Set<number>();
    for (let length = whole.length; length >= 0; length -= 1) {
      await truncate(path, length);
      const { inputs } = await read();
      expect(inputs).toEqual(many.flat().slice(0, inputs.length));
      found.add(inputs.length);
    }
    // Of the second append both inputs or neither.
    expect([...found]).toEqual([4, 3, 1, 0]);
    expect(await read()).toEqual({ inputs: [] });
  });

  it('is gone on with behind what was cut', async () => {
    await written(many);
    await appendFile(path, '01234567 {"inputs":[{"type":"ti');
    await written([[tick(5)]]);
    expect((await read()).inputs).toEqual([...many.flat(), tick(5)]);
  });

  it('is read up to a last line that came in parts', async () => {
    await written(many);
    await appendFile(path, `${'\0'.repeat(40)}"tick"}]}\n`);
    expect((await read()).inputs).toEqual(many.flat());
  });
});

describe('a journal', () => {
  it('is refused where a line before the last is not what was written, with the line', async () => {
    await written(many);
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, lines.with(2, lines[2]!.replace('12:02', '12:07')).join('\n'));
    await expect(read()).rejects.toMatchObject({ name: 'JournalCorruptError', line: 3 });
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(5);
  });

  it.each(['{"type":"tick"}', '{"type":"tick"}\n', 'duewatch-timing-journal 2\n'])(
    'is refused, and left as it is, where it is something else: %j',
    async (text) => {
      await writeFile(path, text);
      await expect(read()).rejects.toMatchObject({ line: 1 });
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );

  it('is read once, before anything is appended', async () => {
    const journal = await FileJournal.open(path);
    await expect(journal.append([tick(1)])).rejects.toThrow('is read before');
    await journal.read();
    await expect(journal.read()).rejects.toThrow('read once');
    await journal.close();
  });
});

describe('a checkpoint', () => {
  it('takes the place of all that was appended, and is followed by what comes', async () => {
    await written(many);
    await written([[tick(5)]], checkpointOf());
    expect(await read()).toEqual({ checkpoint: checkpointOf(), inputs: [tick(5)] });
    expect(await readdir(folder)).toEqual(['journal']);
  });

  it('is made again where a crash has left one that was not finished', async () => {
    await written(many);
    await writeFile(`${path}.next`, 'duewatch-timing-journal 1\n0123');
    expect((await read()).inputs).toEqual(many.flat());
    await written([], checkpointOf());
    expect(await read()).toEqual({ checkpoint: checkpointOf(), inputs: [] });
  });

  it('is refused where any of it is missing: it was kept whole before it was one', async () => {
    await written([], checkpointOf());
    const whole = await readFile(path);
    await truncate(path, whole.length - 1);
    await expect(read()).rejects.toMatchObject({ name: 'JournalCorruptError', line: 4 });
  });

  it('that cannot be made leaves the journal as it was, and is not tried again at once', async () => {
    const journal = await FileJournal.open(path, { compactFromBytes: 100 });
    await journal.read();
    for (const inputs of many) await journal.append(inputs);
    expect(journal.isGrown).toBe(true);
    await mkdir(`${path}.next`);
    await expect(journal.compact(checkpointOf())).rejects.toThrow('EISDIR');
    expect(journal.isGrown).toBe(false);
    await journal.append([tick(5)]);
    await rmdir(`${path}.next`);
    await journal.compact(checkpointOf());
    const { size } = await stat(path);
    while (!journal.isGrown) await journal.append([tick(6)]);
    // By as much as it has: what is copied is in proportion to what is said.
    expect((await stat(path)).size).toBeGreaterThan(2 * size);
    await journal.close();
  });
});
