// The form of a handler module; what it does is its author's.
import type { AgentHandler, Work } from '#agent-handler';
import { findMistyped, findUnknown, isObject, type Members } from './check-members.ts';
import { findInOutput } from './check-output.ts';
import { inputReader } from './run/read-input.ts';

const handlerMembers: Readonly<Record<keyof AgentHandler, true>> = {
  ...{ input: true, extensions: true, reminders: true, output: true, security: true, work: true },
  ...{ handle: true, resume: true },
};
const workMembers: Readonly<Record<keyof Work, true>> = { isRepeatable: true, perform: true };

/** What is wrong with it, for its author; undefined where nothing is. */
export function findInHandler(module: unknown): string | undefined {
  if (!isObject(module)) return 'its default export must be an AgentHandler';
  const { extensions = [], handle, input = 'text', output, reminders, resume, security, work } = module;
  if (typeof handle !== 'function') return 'handle must be a function';
  if (resume !== undefined && typeof resume !== 'function') return 'resume must be a function';
  if (!Array.isArray(extensions) || extensions.some((uri) => typeof uri !== 'string')) return 'extensions must be URIs';
  if (reminders !== undefined && typeof reminders !== 'boolean') return 'reminders must be true or false';
  return (
    findMistyped(module, Object.keys(handlerMembers), 'an AgentHandler') ??
    findInOutput(output) ??
    findInInput(input) ??
    findInSecurity(security) ??
    findInWork(work, resume)
  );
}

function findInInput(input: unknown): string | undefined {
  if (input === 'text') return undefined;
  if (!isObject(input) || !isObject(input['schema'])) return 'input must be "text" or {schema}';
  const unknown = findUnknown(input, ['schema'], 'input');
  if (unknown !== undefined) return unknown;
  try {
    inputReader({ schema: input['schema'] });
    return undefined;
  } catch (error) {
    return `input.schema is no JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function findInSecurity(security: unknown): string | undefined {
  if (security === undefined) return undefined;
  if (!isObject(security)) return 'security must be an object';
  for (const [name, scheme] of Object.entries(security)) {
    if (!isObject(scheme) || !(isJwt(scheme) || isKeys(scheme))) {
      return `security.${name} must be {jwksUrl, issuer, audience} or {sha256ByUser}`;
    }
  }
  return undefined;
}

function isJwt({ jwksUrl, issuer, audience }: Members): boolean {
  const isUrl = typeof jwksUrl === 'string' && URL.canParse(jwksUrl) && /^https?:$/.test(new URL(jwksUrl).protocol);
  return isUrl && [issuer, audience].every((text) => typeof text === 'string' && text !== '');
}

function isKeys({ sha256ByUser }: Members): boolean {
  if (!isObject(sha256ByUser)) return false;
  return Object.entries(sha256ByUser).every(
    ([user, hash]) => user !== '' && typeof hash === 'string' && /^[0-9a-f]{64}$/i.test(hash),
  );
}

function findInWork(work: unknown, resume: unknown): string | undefined {
  if (work === undefined) return undefined;
  if (!isObject(work)) return 'work must be an object';
  for (const [name, each] of Object.entries(work)) {
    const at = `work.${name}`;
    if (!isObject(each) || typeof each['perform'] !== 'function') return `${at}.perform must be a function`;
    const { isRepeatable = false } = each;
    if (typeof isRepeatable !== 'boolean') return `${at}.isRepeatable must be true or false`;
    const unknown = findMistyped(each, Object.keys(workMembers), at);
    if (unknown !== undefined) return unknown;
  }
  return resume === undefined ? 'work is given, and no resume that goes on after it' : undefined;
}
