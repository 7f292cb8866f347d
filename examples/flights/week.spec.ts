// The week of the sample through the deciding core, at virtual time, counted against what was counted by other means.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Input, simulate } from '#expectations';
import { declaration, expectationsUri } from './extension.ts';
import { bookingOf, expectationsOf, factsOf, type Flight, instantText, parseFlights } from './flights.ts';

const agentId = 'flights';
const dayMs = 24 * 3_600_000;

function readWeek(): Flight[] {
  const sample = readFileSync(join(import.meta.dirname, 'sample/flights-2013-11-01-week.csv.gz'));
  return parseFlights(gunzipSync(sample).toString('utf8'));
}

/** Every flight booked a day ahead, every fact as it happened, and at last a tick after every horizon. */
function inputsOf(week: readonly Flight[]): Input[] {
  const timed = week.flatMap((flight) => [
    { at: flight.scheduledDepartureAt - dayMs, input: bookingOfFlight(flight) },
    ...factsOf(flight, 'tower').map(({ at, fact }) => ({
      at,
      input: { type: 'factReported', at: instantText(at), reporter: 'tower', fact } satisfies Input,
    })),
  ]);
  const inputs: Input[] = timed.sort((one, other) => one.at - other.at).map(({ input }) => input);
  const startsAt = instantText(week[0]!.scheduledDepartureAt - 2 * dayMs);
  return [
    { type: 'agentDeclared', at: startsAt, agentId, params: declaration },
    ...inputs,
    { type: 'tick', at: instantText(week.at(-1)!.scheduledDepartureAt + 3 * dayMs) },
  ];
}

function bookingOfFlight(flight: Flight): Input {
  const expectations = expectationsOf(bookingOf(flight));
  return {
    type: 'artifactObserved',
    at: instantText(flight.scheduledDepartureAt - dayMs),
    agentId,
    taskId: `task-${flight.subject}`,
    contextId: 'week',
    artifact: { metadata: { [expectationsUri]: { expectations } } },
  };
}

it('gives exactly the lapses and ends that a week of real flights has', () => {
  const week = readWeek();
  const { records, lapses, refusals } = simulate({ inputs: inputsOf(week) });
  const counts = new Map<string, number>([['flights', week.length]]);
  const count = (what: string): Map<string, number> => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const { expectationId, status, late, suspended } of records) {
    const leg = expectationId.endsWith('.departure') ? 'dep' : 'arr';
    count(`${leg} ${status}`);
    if (late === true) count(`${leg} late`);
    if (suspended === true) count(`${leg} suspended to the end`);
  }
  for (const { lapse } of lapses) count(`${lapse.kind} ${lapse.lapse}`);

  expect(refusals).toEqual([]);
  expect(Object.fromEntries(counts)).toEqual({
    'arr late': 2251,
    'arr open': 112,
    'arr satisfied': 6175,
    'arr suspended to the end': 89,
    'dep late': 1760,
    'dep open': 89,
    'dep satisfied': 6315,
    'flight.arrival overdue': 588,
    'flight.arrival stalled': 113,
    'flight.departure overdue': 894,
    flights: 6404,
  });
});
