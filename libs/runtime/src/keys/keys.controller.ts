// `/v1/keys`: make, list, revoke. It must never return a secret but in the answer that made it.
import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { JsonBody } from '../body/body.ts';
import { readFields, readText } from '../body/fields.ts';
import { type Caller, CurrentCaller, RequireScope } from '../caller.ts';
import type { ApiKey } from '../edge-database/api-key.entity.ts';
import { answerStatus } from '../problem/http-error-map.ts';
import { Problem } from '../problem/problem.ts';
import { ApiKeys } from './api-keys.ts';
import { isOperator, readGrant, readTenant } from './key-request.ts';

@Controller('v1/keys')
@RequireScope('admin')
export class KeysController {
  constructor(private readonly keys: ApiKeys) {}

  @Post()
  @HttpCode(answerStatus.created)
  async make(@JsonBody() body: unknown, @CurrentCaller() caller: Caller): Promise<unknown> {
    const { key, secret } = await this.keys.make(readGrant(body, caller));
    return { ...toAnswer(key), key: secret };
  }

  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentCaller() caller: Caller): Promise<unknown> {
    const { tenant } = readFields(query, '', ['tenant']);
    const named = tenant === undefined ? undefined : readTenant(tenant, caller);
    const keys = await this.keys.list(named ?? ownTenant(caller));
    return { items: keys.map(toAnswer) };
  }

  @Delete(':keyId')
  @HttpCode(answerStatus.removed)
  async revoke(@Param('keyId') keyId: string, @CurrentCaller() caller: Caller): Promise<void> {
    if (!(await this.keys.revoke(readText(keyId, 'keyId'), ownTenant(caller))))
      throw new Problem('not-found', 'no key has this id');
  }
}

/** What the caller's view is limited to: nothing for the operator. */
function ownTenant(caller: Caller): string | undefined {
  return isOperator(caller) ? undefined : caller.tenant;
}

function toAnswer(key: ApiKey): Record<string, unknown> {
  return {
    keyId: key.keyId,
    tenant: key.tenant,
    name: key.name,
    scopes: key.scopes,
    sources: key.sources,
    createdAt: key.createdAt.toISOString(),
    ...(key.revokedAt !== null && { revokedAt: key.revokedAt.toISOString() }),
  };
}
