// The form of a handler's `output`. It hides by default: what is not understood must never be taken for a wish to tell.
import type { OutputPolicy } from '#agent-handler';
import { isMembers } from './card/members.ts';
import { findUnknown } from './check-members.ts';

interface Wanted {
  readonly words: string;
  readonly is: (value: unknown) => boolean;
}

const flag: Wanted = { words: 'true or false', is: (value) => typeof value === 'boolean' };
const modes = ['normalized', 'suppress', 'raw'] satisfies OutputPolicy['agentMetadata'][];

const wanted: Readonly<Record<keyof OutputPolicy, Wanted>> = {
  namespace: { words: 'a text', is: (value) => typeof value === 'string' && value !== '' },
  thinking: flag,
  decisionResults: flag,
  agentActivity: flag,
  agentMetadata: { words: `one of ${modes.join(', ')}`, is: (value) => modes.some((mode) => mode === value) },
};

/** What is wrong with it, for its author; undefined where nothing is. */
export function findInOutput(output: unknown): string | undefined {
  if (output === undefined) return undefined;
  if (!isMembers(output)) return 'output must be an object';
  const wrong = Object.entries(wanted).find(([name, { is }]) => output[name] !== undefined && !is(output[name]));
  if (wrong !== undefined) return `output.${wrong[0]} must be ${wrong[1].words}`;
  return findUnknown(output, Object.keys(wanted), 'output');
}
