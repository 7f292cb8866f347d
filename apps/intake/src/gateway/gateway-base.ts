// Where a client finds the gateway of an agent: as the deployment says, else as the request came.
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { CONFIG, type Config, Problem } from '#runtime';

@Injectable()
export class GatewayBase {
  constructor(@Optional() @Inject(CONFIG) private readonly config?: Pick<Config, 'publicUrl'>) {}

  /** Whether it is as the request came: then whoever asks decides it for themselves, and nobody else may be given the same. */
  get isDerived(): boolean {
    return this.config?.publicUrl === undefined;
  }

  /** Without a slash at its end. Throws `Problem` (`malformed-request`) where the request's host is none. */
  of(headers: IncomingHttpHeaders, tenant: string, agentId: string): string {
    const base = this.config?.publicUrl ?? `http://${hostOf(headers)}`;
    return `${base}/a2a/${tenant}/${encodeURIComponent(agentId)}`;
  }
}

function hostOf({ host = '' }: IncomingHttpHeaders): string {
  if (/^[A-Za-z0-9._~[\]:-]{1,255}$/.test(host)) return host;
  throw new Problem('malformed-request', 'the header Host must be a host, and a port where it has one');
}
