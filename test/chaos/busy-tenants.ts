// Twenty tenants whose agents book the flights of a day, again and again, and what becomes of the flights told as facts:
// a small steady load through the API. Each write is told until it is taken; what was not answered so counts as not taken.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { bookingOf, expectationsOf, factsOf, type Flight, parseFlights } from '../../examples/flights/flights.ts';
import type { Answer } from '../system/load.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const sample = new URL('../../examples/flights/sample/flights-2013-11-01-week.csv.gz', import.meta.url);
const day = '2013-11-01';
/** Everything that takes a while takes so much less: two hours in the air are three quarters of a second. */
const factor = 9_600;
/** Grace has to last for as long as it takes to be told of a flight: 15 minutes are three seconds. */
const graceFactor = 300;
const agentId = 'flights';
const bookedBeforeMs = 2_000;
const retryMs = 50;
/** While nothing is taken, no more flights are booked than these. */
const mostUnderWay = 100;

/** The API of what is watched. */
export interface Watched {
  readonly url: string;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  callText(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<string>;
}

/** One tenant, and what of it was taken. */
export interface BusyTenant {
  readonly tenant: string;
  readonly key: string;
  readonly expectationIds: Set<string>;
  readonly factKeys: Set<string>;
  /** The ids of departures that are never told. */
  readonly neverDeparted: Set<string>;
}

export class BusyTenants {
  /** Every write that was taken, with what it was told. */
  readonly told: Answer[] = [];
  /** By the status answered, or the error's code where there was no answer. */
  readonly answers = new Map<string, number>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private booking: Promise<void> = Promise.resolve();
  private isBooking = false;
  private bookedCount = 0;
  private lastDueAtMs = 0;

  private constructor(
    private readonly watched: Watched,
    readonly tenants: readonly BusyTenant[],
    private readonly flights: readonly Flight[],
  ) {}

  /** Tenants with a key and the agent of the card each. */
  static async prepare(watched: Watched, cardUrl: string, tenantCount = 20): Promise<BusyTenants> {
    const names = Array.from({ length: tenantCount }, (_, nth) => `airline-${nth + 1}`);
    const tenants: BusyTenant[] = [];
    for (const tenant of names) {
      const grant = { tenant, name: 'one', scopes: ['agents', 'observe', 'facts', 'read'], sources: ['tower'] };
      const { key } = (await watched.call('POST', '/v1/keys', grant)) as { readonly key: string };
      await watched.callText('PUT', `/v1/agents/${agentId}`, { cardUrl }, { authorization: `Bearer ${key}` });
      tenants.push({ tenant, key, expectationIds: new Set(), factKeys: new Set(), neverDeparted: new Set() });
    }
    const flights = parseFlights(gunzipSync(readFileSync(sample)).toString('utf8'));
    return new BusyTenants(
      watched,
      tenants,
      flights.filter(({ scheduledDepartureAt: at }) => new Date(at).toISOString().startsWith(day)),
    );
  }

  /** How many flights the day has. */
  get flightCount(): number {
    return this.flights.length;
  }

  /** How many flights have been booked, and taken. */
  get takenCount(): number {
    return this.tenants.reduce((sum, { expectationIds }) => sum + expectationIds.size, 0);
  }

  /** By then every deadline of what was booked has passed, in epoch milliseconds. */
  get allDueByMs(): number {
    return this.lastDueAtMs;
  }

  /** Books flights at that rate, for as long as it is not stopped; once as many as are wanted, where that is said. */
  start(flightsASecond: number, mostFlights = Infinity): void {
    this.isBooking = true;
    this.booking = this.book(1_000 / flightsASecond, this.bookedCount + mostFlights);
  }

  /** Resolves once all flights that are wanted have been booked. */
  async booked(): Promise<void> {
    await this.booking;
  }

  /** Books no more; resolves once all that was begun is taken. */
  async stop(): Promise<void> {
    this.isBooking = false;
    await this.booking;
    await Promise.all(this.underWay);
  }

  /** Ends at once, whatever is under way. */
  async abandon(): Promise<void> {
    this.ending.abort();
    await this.stop();
  }

  private async book(everyMs: number, until: number): Promise<void> {
    for (let nextAt = Date.now(); this.isBooking && this.bookedCount < until; nextAt += everyMs) {
      await this.pauseUntil(nextAt);
      if (this.underWay.size >= mostUnderWay) await Promise.race(this.underWay);
      const flown: Promise<void> = this.fly(this.bookedCount).finally(() => this.underWay.delete(flown));
      this.underWay.add(flown);
      this.bookedCount += 1;
    }
  }

  /** One flight, from its booking to its arrival; the same flight on another day is another. */
  private async fly(number: number): Promise<void> {
    const planned = this.flights[number % this.flights.length];
    const tenant = this.tenants[number % this.tenants.length];
    if (planned === undefined || tenant === undefined) throw new Error('there are flights and tenants');
    const flight = asOfNow(planned, `${planned.subject}.${number}`);
    // Silence is looked at for half a day: no test waits for that.
    const expectations = expectationsOf(bookingOf(flight, graceFactor)).map(({ horizon: _, ...one }) => one);
    const ids = expectations.map(({ expectationId }) => expectationId);
    await this.say(tenant, '/v1/observations', ids, { agentId, task: taskOf(flight.subject, expectations) });
    for (const id of ids) tenant.expectationIds.add(id);
    if (flight.departedAt === undefined) tenant.neverDeparted.add(ids[0] ?? '');
    for (const { at, fact } of factsOf(flight, 'tower')) {
      this.mindDue(at);
      await this.pauseUntil(at);
      await this.say(tenant, '/v1/facts', [fact.factKey], fact);
      tenant.factKeys.add(fact.factKey);
    }
    // An arrival is due by when the flight departed.
    this.mindDue(Math.max(flight.scheduledArrivalAt ?? 0, flight.scheduledDepartureAt));
    this.mindDue(Date.now() + (flight.scheduledArrivalAt ?? 0) - flight.scheduledDepartureAt);
  }

  private mindDue(atMs: number): void {
    this.lastDueAtMs = Math.max(this.lastDueAtMs, atMs + (15 * 60_000) / graceFactor);
  }

  private async pauseUntil(atMs: number): Promise<void> {
    const { signal } = this.ending;
    if (signal.aborted || atMs <= Date.now()) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, atMs - Date.now());
      signal.addEventListener('abort', end);
    });
  }

  /** The same until it is taken: where there was no good answer, nobody knows what became of it. */
  private async say({ tenant, key }: BusyTenant, path: string, names: readonly string[], body: unknown): Promise<void> {
    while (!this.ending.signal.aborted) {
      const { status, text } = await this.post(key, path, body);
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      const code = Number(status);
      if (code < 300) {
        return void this.told.push({ tenant, status: code, names, body: JSON.parse(text) as Answer['body'] });
      }
      if (code < 500 && code !== 429) throw new Error(`${path}: ${status} ${text}`);
      await this.pauseUntil(Date.now() + retryMs);
    }
  }

  private async post(key: string, path: string, body: unknown): Promise<{ status: string; text: string }> {
    try {
      const response = await fetch(`${this.watched.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: this.ending.signal,
      });
      return { status: String(response.status), text: await response.text() };
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: string } };
      return { status: cause?.code ?? 'no answer', text: '' };
    }
  }
}

/** The flight as it would go if it were to leave in a moment and all took so much less. */
function asOfNow(planned: Flight, subject: string): Flight {
  const bookedAt = Date.now();
  const squeezed = (at: number | undefined): number | undefined =>
    at === undefined
      ? undefined
      : Math.max(bookedAt, Math.round(bookedAt + bookedBeforeMs + (at - planned.scheduledDepartureAt) / factor));
  return {
    ...planned,
    subject,
    scheduledDepartureAt: bookedAt + bookedBeforeMs,
    scheduledArrivalAt: squeezed(planned.scheduledArrivalAt),
    departedAt: squeezed(planned.departedAt),
    arrivedAt: squeezed(planned.arrivedAt),
  };
}

function taskOf(id: string, expectations: readonly unknown[]): unknown {
  return {
    id: `task-${id}`,
    contextId: `context-${id}`,
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: 'a', parts: [], metadata: { [uri]: { expectations } } }],
  };
}
