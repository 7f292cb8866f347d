// Replays a day of the sample in ten minutes, from now on, through the public API alone: has flights booked by the agent,
// posts the tasks it returns, and reports departures and arrivals as they happen. The key is never an argument: every
// user of the machine sees those.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { loadClientConfig, systemClock as clock } from '#runtime';
import { BookingClient } from './booking-client.ts';
import { type Flight, parseFlights } from './flights.ts';
import { Progress } from './progress.ts';
import { planOf, type Replay, type Step } from './replay.ts';
import { WatcherApi } from './watcher-api.ts';

// From the afternoon on, when flights are late: the first lapse comes within seconds.
const dayBeginsAt = Date.parse('2013-11-01T14:00:00Z');
const dayMs = 24 * 3_600_000;
const factor = 144;
const startMs = 3_000;
const bookedAheadMs = 75_000;
const bookedTogetherMs = 12_500;
const flightsPerMessage = 50;
const factsPerReport = 500;
const usage = 'Usage: feed.js --agent URL [--agent-id ID] [--run ID], with DUEWATCH_URL and DUEWATCH_KEY set';

interface Options {
  readonly api: string;
  readonly key: string;
  readonly agent: string;
  readonly agentId: string;
  readonly runId: string;
}

/** Everything of the day, in its order, told as it falls due. */
async function replayDay({ api: apiUrl, key, agent: agentUrl, agentId, runId }: Options): Promise<void> {
  const api = new WatcherApi(apiUrl, key, clock);
  await api.register(agentId, `${agentUrl}/.well-known/agent-card.json`);
  const client = await BookingClient.connect(agentUrl);

  const replay: Replay = { fromAt: dayBeginsAt, beginsAt: clock.now() + startMs, factor, runId };
  const progress = new Progress(replay, agentUrl, clock);
  let messageCount = 0;
  for await (const { bookings, facts } of asTheyFallDue(planOf(readDay(), replay, bookedAheadMs, bookedTogetherMs))) {
    for (const flights of chunked(bookings, flightsPerMessage)) {
      messageCount += 1;
      const task = await client.book(`book-${runId}-${messageCount}`, flights);
      progress.add('booked', flights.length, await api.observe(agentId, task));
    }
    for (const report of chunked(facts, factsPerReport)) progress.add('told', report.length, await api.report(report));
    await progress.printNowAndThen();
  }
  await progress.print();
  console.log('The day is over, and all that happened is told. What was never told goes on lapsing.');
}

function readDay(): Flight[] {
  const sample = readFileSync(new URL('./sample/flights-2013-11-01-week.csv.gz', import.meta.url));
  return parseFlights(gunzipSync(sample).toString('utf8')).filter(
    ({ scheduledDepartureAt: at }) => at >= dayBeginsAt && at < dayBeginsAt + dayMs,
  );
}

/** All steps that are due, together, and then again when the next one is. */
async function* asTheyFallDue(steps: readonly Step[]): AsyncGenerator<Omit<Step, 'at'>> {
  let rest = steps;
  for (let next = rest[0]; next !== undefined; next = rest[0]) {
    await clock.sleep(next.at - clock.now());
    const now = Math.max(clock.now(), next.at);
    const due = rest.filter(({ at }) => at <= now);
    rest = rest.slice(due.length);
    yield { bookings: due.flatMap(({ bookings }) => bookings), facts: due.flatMap(({ facts }) => facts) };
  }
}

function chunked<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Throws where an argument is unknown, or anything is missing. */
function readOptions(): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { agent: text, 'agent-id': text, run: text } });
  const { agent, 'agent-id': agentId = 'flights', run: runId = clock.now().toString(36) } = values;
  const { apiUrl: api, key } = loadClientConfig();
  if (agent === undefined) throw new Error('--agent is missing');
  if (key === undefined) throw new Error('DUEWATCH_KEY must hold a key');
  return { api, key, agent: agent.replace(/\/$/, ''), agentId, runId };
}

/** Ends the process, saying why. */
function stop(exitCode: number, error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(exitCode);
}

// `disconnect`: whoever started it with a channel is gone.
process.once('disconnect', () => process.exit(0));
let options: Options;
try {
  options = readOptions();
} catch (error) {
  console.error(usage);
  stop(2, error);
}
await replayDay(options).catch((error: unknown) => stop(1, error));
// The channel would keep the process.
if (process.connected) process.disconnect();
