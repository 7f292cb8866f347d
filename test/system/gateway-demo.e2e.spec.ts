// The gateway's demonstration, run as README has it, before a watcher as `npm start` runs it.
import { execFile } from 'node:child_process';
import { administratorKey, Watcher } from './watcher.ts';

const script = new URL('../../dist/examples/gateway/demo.js', import.meta.url).pathname;

it('shows an unmodified client and agent watched: raised, lapsed, extended, satisfied; and leaves a record of it', async () => {
  const watcher = await Watcher.create();
  try {
    await watcher.start();
    const { code, said } = await new Promise<{ code: number | null; said: string }>((resolve) => {
      const child = execFile(process.execPath, [script, administratorKey, watcher.url], (_, stdout, stderr) =>
        resolve({ code: child.exitCode, said: stdout + stderr }),
      );
    });
    expect(said.split('\n').map((line) => line.slice(0, 2))).toEqual(['1.', '2.', '3.', '4.', '5.', '']);
    expect(code).toBe(0);

    const answer = await fetch(`${watcher.url}/v1/expectations?agentId=booking-desk`, {
      headers: { authorization: `Bearer ${administratorKey}` },
    });
    const { items } = (await answer.json()) as { items: readonly Record<string, unknown>[] };
    expect(items.map(({ status, lineage }) => [status, lineage])).toEqual(
      expect.arrayContaining([
        ['withdrawn', 0],
        ['satisfied', 1],
      ]),
    );
    expect(items).toHaveLength(2);
  } finally {
    await watcher.remove();
  }
});
