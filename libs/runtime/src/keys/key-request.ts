// What a client asks of the keys API, checked.
import { invalidField, readFields, readText, readTexts } from '../body/fields.ts';
import { scopes, type Caller, type Scope } from '../caller.ts';
import { Problem } from '../problem/problem.ts';
import type { KeyGrant } from './api-keys.ts';
import { operatorTenant } from './bootstrap.ts';

const tenantPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Whether a tenant may be called so. */
export function isTenantName(text: string): boolean {
  return tenantPattern.test(text);
}

/** The grant that the body asks for and this caller may give. Throws `Problem`. */
export function readGrant(body: unknown, caller: Caller): KeyGrant {
  const fields = readFields(body, '', ['tenant', 'name', 'scopes', 'sources']);
  return {
    tenant: fields['tenant'] === undefined ? caller.tenant : readTenant(fields['tenant'], caller),
    name: readName(fields['name']),
    scopes: readScopes(fields['scopes']),
    sources: fields['sources'] === undefined ? [] : readSources(fields['sources']),
  };
}

/** Administrators of the tenant `default` are the operator and may name any tenant; others only their own. */
export function readTenant(value: unknown, caller: Caller): string {
  if (typeof value !== 'string' || !isTenantName(value)) {
    throw invalidField('tenant', 'must be 1 to 63 of a-z, 0-9 and "-", not beginning with "-"');
  }
  if (!isOperator(caller) && value !== caller.tenant) {
    throw new Problem('forbidden', 'only an administrator of the tenant "default" may name another tenant', {
      field: 'tenant',
    });
  }
  return value;
}

export function isOperator(caller: Caller): boolean {
  return caller.tenant === operatorTenant && caller.scopes.includes('admin');
}

/** The name stands as a fact's reporter, so it must not be one that the watcher gives itself. */
function readName(value: unknown): string {
  const name = readText(value, 'name', 200);
  if (/^(agent|kafka):/.test(name) || name === 'task-state' || name === 'gateway') {
    const message =
      'must not be "task-state" or "gateway", or begin with "agent:" or "kafka:": the watcher uses these itself';
    throw invalidField('name', message);
  }
  return name;
}

function readScopes(value: unknown): readonly Scope[] {
  const texts = readTexts(value, 'scopes');
  if (texts.length === 0) throw invalidField('scopes', 'must not be empty');
  const unknownIndex = texts.findIndex((text) => !scopes.some((scope) => scope === text));
  if (unknownIndex !== -1) throw invalidField(`scopes[${unknownIndex}]`, `must be one of ${scopes.join(', ')}`);
  return scopes.filter((scope) => texts.includes(scope));
}

function readSources(value: unknown): readonly string[] {
  const sources = readTexts(value, 'sources');
  const misplaced = sources.findIndex((source) => source.slice(0, -1).includes('*'));
  if (misplaced !== -1) throw invalidField(`sources[${misplaced}]`, 'may have "*" at its end only');
  const reserved = sources.findIndex((source) => source === 'task-state' || source === 'gateway');
  if (reserved !== -1) {
    throw invalidField(`sources[${reserved}]`, 'must not be "task-state" or "gateway": nobody may claim it');
  }
  return [...new Set(sources)];
}
