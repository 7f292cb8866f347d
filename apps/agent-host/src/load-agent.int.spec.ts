// How long a handler's module is waited for.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#runtime';
import { AgentFolderError, loadAgent } from './load-agent.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'));
  await writeFile(join(folder, 'agent-card.yaml'), 'name: x');
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, before: string): Promise<void> =>
  writeFile(join(folder, name), `${before}\nexport default { handle: async () => undefined };\n`);
const load = (withinMs: number, signal = new AbortController().signal) =>
  loadAgent(folder, { clock: systemClock, withinMs, signal });

it('one that is there is the handler', async () => {
  await write('handler.mjs', '');
  expect((await load(60_000)).cardText).toBe('name: x');
});

it.each(['handler.mjs', 'handler.ts'])('%s is given up where what it awaits does not come in time', async (name) => {
  await write(name, 'await new Promise(() => undefined);');
  await expect(load(1)).rejects.toThrow(AgentFolderError);
  await expect(load(1)).rejects.toThrow('has not loaded within 0.001 s');
});

it('is not waited for once that is over by a signal, whose reason is told', async () => {
  await write('handler.mjs', 'await new Promise(() => undefined);');
  const ending = new AbortController();
  const loading = load(60_000, ending.signal);
  ending.abort(new Error('told to end'));
  await expect(loading).rejects.toThrow('told to end');
});
