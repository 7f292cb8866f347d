// `simulate`: the pure core at virtual time. No services, no clock.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Outcome, simulate } from '#expectations';
import { CommandError, ExitCode } from '../exit-code.ts';
import { readVector } from '../vector.ts';

/** One vector, or one a line where the name ends in `.ndjson`. */
export async function simulateFile(file: string, isJson: boolean): Promise<void> {
  // Whoever reads has had enough, as `head` has.
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(ExitCode.done);
  });
  if (file.endsWith('.ndjson')) await simulateLines(file);
  else {
    const outcome = decideVector(await readText(file), file);
    process.stdout.write(isJson ? `${JSON.stringify(outcome)}\n` : describe(outcome));
  }
}

async function simulateLines(file: string): Promise<void> {
  let lineNumber = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      lineNumber += 1;
      if (line.trim() === '') continue;
      const outcome = decideVector(line, `${file}:${lineNumber}`);
      if (!process.stdout.write(`${JSON.stringify(outcome)}\n`)) await drained();
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

function drained(): Promise<void> {
  return new Promise((resolve) => process.stdout.once('drain', resolve));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): unknown {
  const isOfFiles = error instanceof Error && 'code' in error && 'syscall' in error;
  return isOfFiles ? new CommandError(ExitCode.wrongUse, `${file} cannot be read: ${error.message}`) : error;
}

function decideVector(text: string, where: string): Outcome {
  try {
    return simulate(readVector(text));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(ExitCode.wrongUse, `${where} is not a vector: ${why}`, { cause });
  }
}

/** For a person: what was recorded, what lapsed, what was refused. */
function describe({ records, lapses, refusals }: Outcome): string {
  const lines = [
    ...records.map(({ agentId, expectationId, status, dueAt, lapses: kinds }) => {
      const lapsed = kinds.length === 0 ? '' : `, lapsed: ${kinds.join(', ')}`;
      return `${agentId} ${expectationId}: ${status}, due ${dueAt}${lapsed}`;
    }),
    ...lapses.map(({ lapse, messageId }) => `lapse at ${lapse.lapsedAt}: ${messageId}`),
    ...refusals.map(({ agentId, expectationId, code }) => `refused: ${agentId} ${expectationId ?? '(no id)'}: ${code}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
