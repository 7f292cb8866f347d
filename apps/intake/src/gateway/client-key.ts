// The client as a principal of the watcher's, where it says so by `Duewatch-Key`. It must never take a key for the agent's
// credential, or let it count for another tenant.
import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiKeys, type Caller, Problem } from '#runtime';
import { KEY_HEADER } from './forwarded-headers.ts';

@Injectable()
export class ClientKey {
  constructor(private readonly keys: ApiKeys) {}

  /** Undefined without a key. Throws `Problem` (`unauthenticated`) where it is none of the tenant's. */
  async read(headers: IncomingHttpHeaders, tenant: string): Promise<Caller | undefined> {
    const text = headers[KEY_HEADER];
    if (text === undefined) return undefined;
    const secret = typeof text === 'string' && /^[\x21-\x7e]{1,512}$/.test(text) ? text : undefined;
    const caller = secret === undefined ? undefined : await this.keys.resolve(secret);
    if (caller?.tenant === tenant) return caller;
    throw new Problem('unauthenticated', 'Duewatch-Key must be a key of this tenant that is known and not revoked');
  }
}

/** Whether the client's facts count (§9.2). */
export function mayReportFacts({ scopes }: Caller): boolean {
  return scopes.includes('facts') || scopes.includes('admin');
}
