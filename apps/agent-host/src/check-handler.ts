// The form of a handler module; what it does is its author's.
import { reserved } from './card/interfaces.ts';
import { inputReader } from './run/read-input.ts';
import { findInSecurity } from './security/check-security.ts';

type Members = Readonly<Record<string, unknown>>;

/** What is wrong with it, for its author; undefined where nothing is. */
export function findInHandler(module: unknown): string | undefined {
  if (!isObject(module)) return 'its default export must be an AgentHandler';
  const { documents = {}, extensions = [], handle, input = 'text', output, reminders, resume, security, work } = module;
  if (typeof handle !== 'function') return 'handle must be a function';
  if (resume !== undefined && typeof resume !== 'function') return 'resume must be a function';
  if (!Array.isArray(extensions) || !extensions.every(isExtension))
    return 'extensions must be URIs, or entries with a uri';
  if (reminders !== undefined && typeof reminders !== 'boolean') return 'reminders must be true or false';
  if (output !== undefined && !isObject(output)) return 'output must be an object';
  return findInInput(input) ?? findInDocuments(documents) ?? findInSecurity(security) ?? findInWork(work, resume);
}

function findInInput(input: unknown): string | undefined {
  if (input === 'text') return undefined;
  if (!isObject(input) || !isObject(input['schema'])) return 'input must be "text" or {schema}';
  try {
    inputReader({ schema: input['schema'] });
    return undefined;
  } catch (error) {
    return `input.schema is no JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function isExtension(extension: unknown): boolean {
  return typeof (isObject(extension) ? extension['uri'] : extension) === 'string';
}

function findInDocuments(documents: unknown): string | undefined {
  if (!isObject(documents)) return 'documents must be an object, by path';
  for (const [path, document] of Object.entries(documents)) {
    const isPath = /^(\/[A-Za-z0-9._~-]+)+$/.test(path) && !reserved.test(path);
    if (!isPath) return `documents: ${path} is no path, or the host's own`;
    if (!isObject(document)) return `documents: what is at ${path} must be an object`;
  }
  return undefined;
}

function findInWork(work: unknown, resume: unknown): string | undefined {
  if (work === undefined) return undefined;
  if (!isObject(work)) return 'work must be an object';
  const wrong = Object.entries(work).find(([, each]) => !isObject(each) || typeof each['perform'] !== 'function');
  if (wrong !== undefined) return `work.${wrong[0]}.perform must be a function`;
  return resume === undefined ? 'work is given, and no resume that goes on after it' : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
