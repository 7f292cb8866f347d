// What a handler says, before anything is kept of it: JavaScript lets anything be passed. Each throws a `TypeError` for the
// handler's author that names what is wrong.
import type { Activity, ArtifactContent, Carried, ModelUsage } from '#agent-handler';
import type { Said } from './content.ts';
import { checkJson, checkMembers, checkText, kindOf } from './check-json.ts';

const contents = ['text', 'data', 'url', 'raw'] as const;
const isBase64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const phases: readonly unknown[] = ['started', 'finished', 'failed'] satisfies Activity['phase'][];

export function checkSaid(value: unknown, what: string): Said {
  if (typeof value === 'string') return checkText(value, what);
  if (Array.isArray(value)) checkParts(value, what);
  else checkPart(value, what);
  checkJson(value, what);
  return value as Said;
}

export function checkArtifact(value: unknown): ArtifactContent {
  const artifact = checkMembers(value, 'the artifact');
  const { artifactId, name, description, parts, metadata, extensions, append } = artifact;
  if (checkText(artifactId, 'artifact.artifactId') === '') throw new TypeError('artifact.artifactId must not be empty');
  checkOptionalText(name, 'artifact.name');
  checkOptionalText(description, 'artifact.description');
  checkParts(parts, 'artifact.parts');
  checkCarried({ metadata, extensions }, 'artifact');
  if (append !== undefined && typeof append !== 'boolean') {
    throw new TypeError(`artifact.append must be true or false, not ${kindOf(append)}`);
  }
  checkJson(value, 'the artifact');
  return value as ArtifactContent;
}

export function checkActivity(value: unknown): Activity {
  const { agent, node, phase } = checkMembers(value, 'the activity');
  checkText(agent, 'activity.agent');
  checkOptionalText(node, 'activity.node');
  if (!phases.includes(phase)) throw new TypeError(`activity.phase must be one of ${phases.join(', ')}`);
  return value as Activity;
}

export function checkUsage(value: unknown): ModelUsage {
  const { model, inputTokens, outputTokens } = checkMembers(value, 'the usage');
  checkText(model, 'usage.model');
  for (const [name, count] of Object.entries({ inputTokens, outputTokens })) {
    const isCount = Number.isSafeInteger(count) && (count as number) >= 0;
    if (!isCount) throw new TypeError(`usage.${name} must be a whole number, 0 or more`);
  }
  return value as ModelUsage;
}

/** Of what is said, what goes with it. */
export function checkCarried(value: unknown, what: string): Carried | undefined {
  if (value === undefined) return undefined;
  const { metadata, extensions } = checkMembers(value, what);
  if (metadata !== undefined) checkJson(checkMembers(metadata, `${what}.metadata`), `${what}.metadata`);
  if (extensions === undefined) return value as Carried;
  if (!Array.isArray(extensions)) {
    throw new TypeError(`${what}.extensions must be a list of URIs, not ${kindOf(extensions)}`);
  }
  for (const [index, uri] of extensions.entries()) checkText(uri, `${what}.extensions[${index}]`);
  return value as Carried;
}

function checkParts(value: unknown, what: string): void {
  if (!Array.isArray(value)) throw new TypeError(`${what} must be a list of parts, not ${kindOf(value)}`);
  for (const [index, part] of value.entries()) checkPart(part, `${what}[${index}]`);
}

function checkPart(value: unknown, what: string): void {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${what} must be a text or a part, not ${kindOf(value)}`);
  }
  const part = checkMembers(value, what);
  const given = contents.filter((name) => part[name] !== undefined);
  if (given.length !== 1) {
    throw new TypeError(
      `${what} must have exactly one of ${contents.join(', ')}; it has ${given.join(', ') || 'none'}`,
    );
  }
  for (const name of ['text', 'url', 'raw', 'mediaType', 'filename']) checkOptionalText(part[name], `${what}.${name}`);
  if (typeof part['raw'] === 'string' && !isBase64.test(part['raw'])) throw new TypeError(`${what}.raw must be base64`);
  if (part['metadata'] !== undefined) checkMembers(part['metadata'], `${what}.metadata`);
}

function checkOptionalText(value: unknown, what: string): void {
  if (value !== undefined) checkText(value, what);
}
