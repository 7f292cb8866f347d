// `card lint`: what is wrong with a card's declaration, as a registration would find it. No watcher is needed.
import { readFile } from 'node:fs/promises';
import { loopbackRanges } from '#outbound';
import { CardFetchError, fetchCard, readDeclaration } from '#protocol';
import { loadConfig } from '#runtime';
import { CommandError, ExitCode } from '../exit-code.ts';
import { openOutbound } from '../process/open-outbound.ts';
import { describeFinding } from './agent-cards.ts';

/** Prints the findings. Throws `CommandError`: 1 where one is an error, 2 for what is no card, 3 where it cannot be had. */
export async function lintCard(place: string, isJson: boolean): Promise<void> {
  const card = /^https?:\/\//i.test(place) ? await fetched(place) : await fromFile(place);
  const { findings } = readDeclaration(card);
  for (const finding of findings) {
    process.stdout.write(isJson ? `${JSON.stringify(finding)}\n` : describeFinding(finding));
  }
  const errorsCount = findings.filter(({ severity }) => severity === 'error').length;
  if (errorsCount > 0) {
    throw new CommandError(ExitCode.notSo, `${place} has ${errorsCount === 1 ? 'an error' : `${errorsCount} errors`}`);
  }
  if (!isJson && findings.length === 0) process.stdout.write('nothing is wrong\n');
}

async function fetched(url: string): Promise<unknown> {
  const outbound = openOutbound(loadConfig(), loopbackRanges);
  try {
    return (await fetchCard(url, { outbound })).card;
  } catch (error) {
    if (!(error instanceof CardFetchError)) throw error;
    const isOfTheWorld = error.retryable || error.code === 'address_refused';
    throw new CommandError(isOfTheWorld ? ExitCode.cannotReach : ExitCode.wrongUse, error.message, { cause: error });
  } finally {
    await outbound.close();
  }
}

async function fromFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(ExitCode.wrongUse, `${path} is no card: ${why}`, { cause });
  }
}
