// Load over HTTP with kept-alive connections and bodies made beforehand: what it costs itself is taken from what it measures.
import { Pool } from 'undici';
import type { Tenant } from './tenants.ts';

/** What came of a phase's requests. */
export interface Driven {
  readonly seconds: number;
  /** Milliseconds, in no order. */
  readonly latencies: readonly number[];
}

/** One that was sent at its time, whatever became of those before it. */
export interface Sent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly latencyMs: number;
}

export class HttpLoad {
  private readonly pools = new Map<string, Pool>();

  constructor(
    private readonly url: string,
    private readonly connectionsATenant: number,
  ) {}

  /** Each connection sends one body after the other, each once it has the answer to the one before. */
  async drive(path: string, bodies: ReadonlyMap<Tenant, readonly Buffer[]>): Promise<Driven> {
    const latencies: number[] = [];
    const startedAt = performance.now();
    const work = async (tenant: Tenant, left: Iterator<Buffer>): Promise<void> => {
      for (let next = left.next(); next.done !== true; next = left.next()) {
        latencies.push(await this.post(tenant, path, next.value));
      }
    };
    await Promise.all(
      [...bodies].flatMap(([tenant, own]) => {
        const left = own.values();
        return Array.from({ length: this.connectionsATenant }, () => work(tenant, left));
      }),
    );
    return { seconds: (performance.now() - startedAt) / 1_000, latencies };
  }

  /** Sends so many a second until the signal aborts, and resolves once all are answered. */
  async pace(tenant: Tenant, path: string, aSecond: number, make: () => Buffer, signal: AbortSignal): Promise<Sent[]> {
    const sent: Sent[] = [];
    const pending = new Set<Promise<unknown>>();
    const startedAt = Date.now();
    for (let count = 0; !signal.aborted;) {
      for (; count < ((Date.now() - startedAt) * aSecond) / 1_000; count += 1) {
        const at = Date.now();
        const answer = this.post(tenant, path, make()).then((latencyMs) => sent.push({ at, latencyMs }));
        pending.add(answer);
        void answer.finally(() => pending.delete(answer));
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(pending);
    return sent;
  }

  /** The milliseconds until the whole answer was there. Throws where it is not 200: everything was taken and decided. */
  post({ key }: Tenant, path: string, body: Buffer): Promise<number> {
    const startedAt = performance.now();
    let status = 0;
    const refused: Buffer[] = [];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      this.poolOf(key).dispatch(
        { method: 'POST', path, headers, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_, code) => {
            status = code;
          },
          onResponseData: (_, chunk) => {
            if (status !== 200) refused.push(chunk);
          },
          onResponseEnd: () => {
            if (status === 200) resolve(performance.now() - startedAt);
            else
              reject(new Error(`${path} was answered ${status}: ${Buffer.concat(refused).toString().slice(0, 500)}`));
          },
          onResponseError: (_, error) => reject(error),
        },
      );
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  private poolOf(key: string): Pool {
    const known = this.pools.get(key);
    if (known !== undefined) return known;
    const pool = new Pool(this.url, { connections: this.connectionsATenant, pipelining: 1 });
    this.pools.set(key, pool);
    return pool;
  }
}
