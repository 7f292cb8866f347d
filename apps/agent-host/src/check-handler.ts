// The form of a handler module; what it does is its author's.
import type { AgentHandler, Work } from '#agent-handler';
import { reserved } from './card/interfaces.ts';
import { isMembers } from './card/members.ts';
import { findMistyped, findUnknown } from './check-members.ts';
import { findInOutput } from './check-output.ts';
import { inputReader } from './run/read-input.ts';
import { findInSecurity } from './security/check-security.ts';

const handlerMembers: Readonly<Record<keyof AgentHandler, true>> = {
  ...{ input: true, extensions: true, reminders: true, output: true, security: true, work: true },
  ...{ documents: true, handle: true, resume: true },
};
const workMembers: Readonly<Record<keyof Work, true>> = { isRepeatable: true, perform: true };

/** What is wrong with it, for its author; undefined where nothing is. */
export function findInHandler(module: unknown): string | undefined {
  if (!isMembers(module)) return 'its default export must be an AgentHandler';
  const { documents = {}, extensions = [], handle, input = 'text', output, reminders, resume, security, work } = module;
  if (typeof handle !== 'function') return 'handle must be a function';
  if (resume !== undefined && typeof resume !== 'function') return 'resume must be a function';
  if (!Array.isArray(extensions) || !extensions.every(isExtension))
    return 'extensions must be URIs, or entries with a uri';
  if (reminders !== undefined && typeof reminders !== 'boolean') return 'reminders must be true or false';
  return (
    findMistyped(module, Object.keys(handlerMembers), 'an AgentHandler') ??
    findInOutput(output) ??
    findInInput(input) ??
    findInDocuments(documents) ??
    findInSecurity(security) ??
    findInWork(work, resume)
  );
}

function findInInput(input: unknown): string | undefined {
  if (input === 'text') return undefined;
  if (!isMembers(input) || !isMembers(input['schema'])) return 'input must be "text" or {schema}';
  const unknown = findUnknown(input, ['schema'], 'input');
  if (unknown !== undefined) return unknown;
  try {
    inputReader({ schema: input['schema'] });
    return undefined;
  } catch (error) {
    return `input.schema is no JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function isExtension(extension: unknown): boolean {
  return typeof (isMembers(extension) ? extension['uri'] : extension) === 'string';
}

function findInDocuments(documents: unknown): string | undefined {
  if (!isMembers(documents)) return 'documents must be an object, by path';
  for (const [path, document] of Object.entries(documents)) {
    const isPath = /^(\/[A-Za-z0-9._~-]+)+$/.test(path) && !reserved.test(path);
    if (!isPath) return `documents: ${path} is no path, or the host's own`;
    if (!isMembers(document)) return `documents: what is at ${path} must be an object`;
  }
  return undefined;
}

function findInWork(work: unknown, resume: unknown): string | undefined {
  if (work === undefined) return undefined;
  if (!isMembers(work)) return 'work must be an object';
  for (const [name, each] of Object.entries(work)) {
    const at = `work.${name}`;
    if (!isMembers(each) || typeof each['perform'] !== 'function') return `${at}.perform must be a function`;
    const { isRepeatable = false } = each;
    if (typeof isRepeatable !== 'boolean') return `${at}.isRepeatable must be true or false`;
    const unknown = findMistyped(each, Object.keys(workMembers), at);
    if (unknown !== undefined) return unknown;
  }
  return resume === undefined ? 'work is given, and no resume that goes on after it' : undefined;
}
