// A watcher's public API as a feed uses it: says a thing until it is taken, and never gives up silently.
import type { Clock } from '#runtime';
import { isObject } from './extension.ts';

const attempts = 30;
const firstDelayMs = 250;
const longestDelayMs = 10_000;
const requestTimeoutMs = 30_000;
/** What a watcher, or a proxy before it, answers for a while. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** What an answer says of the items sent. `pending`: taken (202), but not decided while the request waited. */
export interface Outcome {
  readonly pending: boolean;
  /** Each in words, of the items that were not taken. */
  readonly refusals: readonly string[];
}

export class WatcherApi {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
    private readonly clock: Clock,
  ) {}

  /** Registers the agent by its card; the same again changes nothing. */
  async register(agentId: string, cardUrl: string): Promise<void> {
    await this.send('PUT', `/v1/agents/${encodeURIComponent(agentId)}`, { cardUrl });
  }

  /** Reports what was seen of an agent's work: a Task as A2A JSON. */
  async observe(agentId: string, task: unknown): Promise<Outcome> {
    return outcomeOf(await this.send('POST', '/v1/observations', { agentId, task }));
  }

  /** Reports facts, in their order, as one report. */
  async report(facts: readonly unknown[]): Promise<Outcome> {
    return outcomeOf(await this.send('POST', '/v1/facts', facts));
  }

  /** Everything sent here may be sent again: a watcher answers a repeat and changes nothing. */
  private async send(method: string, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.request(method, path, body);
      if (answer instanceof Response && answer.ok) return { status: answer.status, body: await answer.json() };
      const mayPass = !(answer instanceof Response) || passing.has(answer.status);
      const why = answer instanceof Response ? `${answer.status} ${await answer.text()}` : answer.message;
      if (!mayPass || attempt === attempts) throw new Error(`${method} ${path}: ${why}`);
      const backoffMs = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
      const askedForMs = answer instanceof Response ? Number(answer.headers.get('retry-after')) * 1000 : Number.NaN;
      await this.clock.sleep(askedForMs > 0 ? askedForMs : backoffMs);
    }
  }

  private async request(method: string, path: string, body: unknown): Promise<Response | Error> {
    try {
      return await fetch(`${this.baseUrl}${path}`, {
        method,
        headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** Observations answer per expectation within each result, facts per result. */
function outcomeOf({ status, body }: { status: number; body: unknown }): Outcome {
  const results = isObject(body) && Array.isArray(body['results']) ? body['results'].filter(isObject) : [];
  const items = results.flatMap((result) =>
    Array.isArray(result['expectations']) ? result['expectations'].filter(isObject) : [result],
  );
  const refused = items.filter(({ outcome }) => outcome === 'refused' || outcome === 'quarantined');
  return { pending: status === 202, refusals: refused.map((item) => JSON.stringify(item)) };
}
