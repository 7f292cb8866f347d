// Reads a request's body within the limits, after the guard has let the request in. It must never keep more than that.
import type { Request, Response } from 'express';
import type { Caller } from '../caller.ts';
import { Problem } from '../problem/problem.ts';
import { type ShareAnswer, TenantShares } from '../tenant-shares.ts';
import { maxBodyBytes, maxHeldBytes, maxRequestCount, maxTenantHeldBytes, maxTenantRequestCount } from './limits.ts';

const shares = new TenantShares({
  tenantBytes: maxTenantHeldBytes,
  allBytes: maxHeldBytes,
  tenantCount: maxTenantRequestCount,
  allCount: maxRequestCount,
});

/**
 * The body's bytes; they count as held until the response is done. Throws a `Problem` when it is too large, encoded, or
 * cut off, or when too much is held already. What is refused is read to its end and dropped, so that the client reads why.
 * `tenant` is whose it counts as: the caller's unless told.
 */
export async function readBytes(
  request: Request & { caller?: Caller },
  response: Response,
  tenant = request.caller?.tenant ?? '',
): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported-media-type', 'the body must be sent without a Content-Encoding');
  }
  const body = new HeldBody(tenant);
  response.once('close', () => body.drop());
  // Whoever has gone before this was asked for closes nothing any more.
  if (response.destroyed) {
    body.drop();
    throw cutOff();
  }
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) body.add(chunk);
  } catch (cause) {
    throw cutOff(cause);
  }
  return body.whole();
}

function cutOff(cause?: unknown): Problem {
  return new Problem('malformed-request', 'the body was cut off', {}, { cause });
}

class HeldBody {
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private heldBytes = 0;
  private full: Exclude<ShareAnswer, 'taken'> | undefined;
  private isCounted = false;
  private isDropped = false;

  constructor(private readonly tenant: string) {
    this.isCounted = this.take(0, 1);
  }

  add(chunk: Uint8Array): void {
    this.size += chunk.byteLength;
    if (this.full !== undefined || this.isDropped) return;
    if (this.size > maxBodyBytes) return this.drop();
    if (!this.take(chunk.byteLength, 0)) return this.drop();
    this.heldBytes += chunk.byteLength;
    this.chunks.push(chunk);
  }

  private take(bytes: number, count: number): boolean {
    const answer = shares.take(this.tenant, bytes, count);
    if (answer !== 'taken') this.full = answer;
    return answer === 'taken';
  }

  /** Throws a `Problem` where it was not kept whole. */
  whole(): Uint8Array {
    if (this.size > maxBodyBytes) {
      throw new Problem('body-too-large', `the body has ${this.size} bytes; at most ${maxBodyBytes} are taken`);
    }
    if (this.full === 'tenantFull') {
      throw new Problem('tenant-overloaded', 'your tenant has too much under way: send it again, and less at once');
    }
    if (this.full === 'allFull') throw new Problem('overloaded', 'there is too much under way: send it again');
    if (this.isDropped) throw cutOff();
    const bytes = Buffer.concat(this.chunks, this.size);
    this.chunks.length = 0;
    return bytes;
  }

  /** Gives back what it holds; it takes nothing more. */
  drop(): void {
    this.isDropped = true;
    shares.free(this.tenant, this.heldBytes, this.isCounted ? 1 : 0);
    this.heldBytes = 0;
    this.isCounted = false;
    this.chunks.length = 0;
  }
}
