// `duewatch topics` as a person or a script uses it, on a real broker.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { testBrokers } from '#testing';

const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;

describe('the topics command', () => {
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    environment = {
      ...process.env,
      DUEWATCH_KAFKA_BROKERS: (await testBrokers()).join(','),
      DUEWATCH_KAFKA_PREFIX: `command-${randomBytes(6).toString('hex')}`,
      DUEWATCH_PARTITIONS: '2',
    };
  });

  function topics(
    line: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
    return new Promise((resolve) => {
      const options = { env: { ...environment, ...more } };
      const child = execFile(process.execPath, [main, 'topics', ...line.split(' ')], options, (_, stdout) =>
        resolve({ code: child.exitCode, lines: stdout.trimEnd().split('\n') }),
      );
    });
  }

  const done = { code: 0, lines: ['the topics are as they should be'] };

  it('plans, applies, and finds nothing to do from then on', async () => {
    const planned = await topics('plan');
    expect(planned).toEqual({ code: 0, lines: Array(5).fill(expect.stringMatching(/^create command-/)) });
    expect(await topics('check')).toEqual({
      code: 1,
      lines: Array(5).fill(expect.stringMatching(/ is missing: run /)),
    });
    expect(await topics('apply')).toEqual(planned);
    expect(await topics('apply')).toEqual(done);
    expect(await topics('plan')).toEqual(done);
    expect(await topics('check')).toEqual(done);
    expect(await topics('check --json')).toEqual({ code: 0, lines: [''] });
  });

  it('ends with 1 where only a person can put it right, a line of JSON each', async () => {
    const { code, lines } = await topics('apply --json', { DUEWATCH_PARTITIONS: '3' });
    expect(code).toBe(1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      ['partition_count', 'partition_count', 'partition_count', 'other_partitioning'].map((reason) => ({
        step: 'refuse',
        topic: expect.stringMatching(/^command-/),
        isBreaking: true,
        reason,
        sentence: expect.stringMatching(/^cannot put right: /),
      })),
    );
  });
});
