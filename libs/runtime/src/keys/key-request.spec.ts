import type { Caller } from '../caller.ts';
import { Problem } from '../problem/problem.ts';
import { readGrant } from './key-request.ts';

const operator: Caller = { tenant: 'default', keyId: 'k1', name: 'ops', scopes: ['admin'], sources: [] };
const administrator: Caller = { ...operator, tenant: 'acme' };
const wanted = { name: 'feed', scopes: ['facts'], sources: ['carrier:*'] };

const refusal = (body: unknown, caller: Caller): unknown => {
  try {
    return readGrant(body, caller);
  } catch (error) {
    return error instanceof Problem ? [error.type, error.members['field']] : error;
  }
};

describe('a request for a key', () => {
  it('is for the tenant of who asks unless it says otherwise', () => {
    expect(readGrant(wanted, administrator)).toEqual({ ...wanted, tenant: 'acme' });
  });

  it('may be for any tenant when the operator asks', () => {
    expect(readGrant({ ...wanted, tenant: 'acme' }, operator)).toEqual({ ...wanted, tenant: 'acme' });
  });

  it('is refused for another tenant when anyone else asks', () => {
    expect(refusal({ ...wanted, tenant: 'default' }, administrator)).toEqual(['forbidden', 'tenant']);
  });

  it.each<[string, unknown]>([
    ['', []],
    ['scopes', { ...wanted, scopes: [] }],
    ['scopes[0]', { ...wanted, scopes: ['root'] }],
    ['scopes', { ...wanted, scopes: 'facts' }],
    ['sources[0]', { ...wanted, sources: ['a*b'] }],
    ['sources[1]', { ...wanted, sources: ['a', 7] }],
    ['sources[1]', { ...wanted, sources: ['*', 'task-state'] }],
    ['sources[0]', { ...wanted, sources: ['gateway'] }],
    ['name', { ...wanted, name: 'agent:booking' }],
    ['name', { ...wanted, name: 'kafka:duewatch.facts.acme' }],
    ['name', { ...wanted, name: 'task-state' }],
    ['name', { ...wanted, name: 'gateway' }],
    ['name', { ...wanted, name: 'a\0b' }],
    ['name', { ...wanted, name: '' }],
    ['tenant', { ...wanted, tenant: 'Acme' }],
    ['tenant', { ...wanted, tenant: '-acme' }],
    ['tenant', { ...wanted, tenant: 'a'.repeat(64) }],
    ['scope', { ...wanted, scope: 'facts' }],
  ])('is refused naming %j', (field, body) => {
    expect(refusal(body, operator)).toEqual(['invalid-field', field]);
  });
});
