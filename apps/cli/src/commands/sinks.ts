// `sinks`: where people are told of lapses, over `/v1/sinks`. No secret is an argument: others see those.
import { readFile } from 'node:fs/promises';
import { callApi } from '../api.ts';
import { CommandError, ExitCode } from '../exit-code.ts';

interface SinkView {
  readonly sinkId: string;
  readonly type: string;
  readonly origin: string;
  readonly lapses?: readonly string[];
  readonly agentId?: string;
  readonly kind?: string;
  readonly groupBySeconds: number;
  readonly isSigned: boolean;
  readonly givenUpCount: number;
  readonly lastFailure?: { readonly at: string; readonly cause: string };
}

export interface SinkOptions {
  readonly json?: true;
}

export interface SetOptions extends SinkOptions {
  readonly secretFile?: string;
  readonly headerFile?: string;
  readonly lapse?: readonly string[];
  readonly agent?: string;
  readonly kind?: string;
  readonly groupBy?: string;
}

export async function listSinks({ json }: SinkOptions): Promise<void> {
  const { items } = (await callApi('GET', '/v1/sinks')) as { readonly items: readonly SinkView[] };
  for (const sink of items) process.stdout.write(json === true ? `${JSON.stringify(sink)}\n` : describe(sink));
}

/** Replaces all that was set of it before. Throws `CommandError`. */
export async function setSink(sinkId: string, type: string, url: string, options: SetOptions): Promise<void> {
  const { secretFile, headerFile, lapse, agent, kind, groupBy, json } = options;
  const sink = (await callApi('PUT', pathOf(sinkId), {
    ...{ type, url },
    ...(secretFile !== undefined && { secret: await read(secretFile) }),
    ...(headerFile !== undefined && { header: headerOf(await read(headerFile)) }),
    ...(lapse !== undefined && { lapses: lapse }),
    ...(agent !== undefined && { agentId: agent }),
    ...(kind !== undefined && { kind }),
    ...(groupBy !== undefined && { groupBySeconds: Number(groupBy) }),
  })) as SinkView;
  process.stdout.write(json === true ? `${JSON.stringify(sink)}\n` : describe(sink));
}

/** Throws `CommandError` where there is none. */
export async function removeSink(sinkId: string): Promise<void> {
  await callApi('DELETE', pathOf(sinkId));
}

async function read(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    throw new CommandError(ExitCode.wrongUse, `${path} cannot be read`, { cause });
  }
}

function headerOf(line: string): { readonly name: string; readonly value: string } {
  const [, name = '', value = ''] = /^([^:\r\n]+):[ \t]*(.+)$/.exec(line) ?? [];
  if (name === '') throw new CommandError(ExitCode.wrongUse, '--header-file must hold one line, such as X-Key: abc');
  return { name, value };
}

function pathOf(sinkId: string): string {
  return `/v1/sinks/${encodeURIComponent(sinkId)}`;
}

/** Texts of strangers are shown as JSON: nothing in them moves a terminal. */
function describe(sink: SinkView): string {
  const { sinkId, type, origin, lapses, agentId, kind, groupBySeconds, isSigned } = sink;
  const only = [
    ...(lapses === undefined ? [] : [lapses.join('|')]),
    ...(agentId === undefined ? [] : [`agent ${JSON.stringify(agentId)}`]),
    ...(kind === undefined ? [] : [`kind ${JSON.stringify(kind)}`]),
  ];
  const what = only.length === 0 ? 'every lapse' : only.join(', ');
  const signed = isSigned ? '  signed' : '';
  return `${sinkId}  ${type}  ${origin}  ${what}  grouped by ${groupBySeconds} s${signed}${standingOf(sink)}\n`;
}

function standingOf({ givenUpCount, lastFailure }: SinkView): string {
  if (lastFailure === undefined) return '';
  const { at, cause } = lastFailure;
  return `  ${givenUpCount} given up, last failure ${at}: ${JSON.stringify(cause)}`;
}
