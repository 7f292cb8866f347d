import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bookingOf, durationText, expectationsOf, factsOf, type Flight, parseFlights } from './flights.ts';
import { planOf, type Replay, replayed, replayedAt } from './replay.ts';

const header = 'scheduled_departure,subject,carrier,origin,destination,scheduled_arrival,departed,arrived';
const at = (text: string): number => Date.parse(text);

const flight: Flight = {
  subject: 'UA1545',
  origin: 'EWR',
  destination: 'IAH',
  scheduledDepartureAt: at('2013-11-01T10:15:00Z'),
  scheduledArrivalAt: at('2013-11-01T14:19:00Z'),
  departedAt: at('2013-11-01T10:17:00Z'),
  arrivedAt: at('2013-11-01T14:30:00Z'),
};

describe('the sample', () => {
  const week = parseFlights(
    gunzipSync(readFileSync(join(import.meta.dirname, 'sample/flights-2013-11-01-week.csv.gz'))).toString('utf8'),
  );

  it('is the week that was counted: flights, those that never left, those that left late or not within the grace', () => {
    const late = (flight: Flight, graceMs: number): boolean =>
      flight.departedAt !== undefined && flight.departedAt > flight.scheduledDepartureAt + graceMs;
    const never = week.filter(({ departedAt }) => departedAt === undefined);
    expect(week).toHaveLength(6404);
    expect(never).toHaveLength(89);
    expect(week.filter((flight) => late(flight, 0))).toHaveLength(1760);
    expect(week.filter((flight) => late(flight, 900_000)).length + never.length).toBe(894);
  });

  it('names every flight once', () => {
    expect(new Set(week.map(({ subject }) => subject)).size).toBe(week.length);
  });
});

describe('a flight is read', () => {
  it('with what is known of it', () => {
    expect(
      parseFlights(
        `${header}\n2013-11-01T10:15:00Z,UA1545,UA,EWR,IAH,2013-11-01T14:19:00Z,2013-11-01T10:17:00Z,2013-11-01T14:30:00Z\n`,
      ),
    ).toEqual([flight]);
  });

  it('without what is not', () => {
    expect(parseFlights(`${header}\n2013-11-01T10:15:00Z,UA1545,UA,EWR,IAH,,,\n`)).toEqual([
      { ...flight, scheduledArrivalAt: undefined, departedAt: undefined, arrivedAt: undefined },
    ]);
  });

  it.each([
    ['another table', 'a,b,c\n1,2,3\n', 'the first line must be'],
    ['a line cut short', `${header}\n2013-11-01T10:15:00Z,UA1545\n`, 'line 2 is not a flight'],
  ])('never from %s', (_, csv, message) => {
    expect(() => parseFlights(csv)).toThrow(message);
  });
});

describe('a booked flight is expected', () => {
  it('to depart and, so long after its departure, to arrive', () => {
    expect(expectationsOf(bookingOf(flight))).toEqual([
      {
        expectationId: 'UA1545.departure',
        kind: 'flight.departure',
        subject: { type: 'flight', id: 'UA1545' },
        expects: 'UA1545 departs from EWR',
        satisfiedBy: { factKey: 'flight.departed:UA1545' },
        dueAt: '2013-11-01T10:15:00.000Z',
        grace: 'PT15M',
        basis: 'contract',
      },
      {
        expectationId: 'UA1545.arrival',
        kind: 'flight.arrival',
        subject: { type: 'flight', id: 'UA1545' },
        expects: 'UA1545 arrives at IAH',
        satisfiedBy: { factKey: 'flight.arrived:UA1545' },
        dueAt: '2013-11-01T14:19:00.000Z',
        grace: 'PT15M',
        basis: 'contract',
        anchor: { expectationId: 'UA1545.departure', offset: 'PT244M' },
        after: ['UA1545.departure'],
        horizon: '2013-11-02T02:19:00.000Z',
      },
    ]);
  });

  it('to depart alone where no arrival is planned', () => {
    const expectations = expectationsOf(bookingOf({ ...flight, scheduledArrivalAt: undefined }));
    expect(expectations.map(({ kind }) => kind)).toEqual(['flight.departure']);
  });
});

describe('a flight is told', () => {
  it('as it departs and as it arrives', () => {
    expect(factsOf(flight, 'tower')).toEqual([
      {
        at: flight.departedAt,
        fact: {
          factKey: 'flight.departed:UA1545',
          observedAt: '2013-11-01T10:17:00.000Z',
          source: 'tower',
          subject: { type: 'flight', id: 'UA1545' },
        },
      },
      {
        at: flight.arrivedAt,
        fact: {
          factKey: 'flight.arrived:UA1545',
          observedAt: '2013-11-01T14:30:00.000Z',
          source: 'tower',
          subject: { type: 'flight', id: 'UA1545' },
        },
      },
    ]);
  });

  it('not at all where it never left', () => {
    expect(factsOf({ ...flight, departedAt: undefined, arrivedAt: undefined }, 'tower')).toEqual([]);
  });
});

describe('a replay', () => {
  const replay: Replay = {
    fromAt: at('2013-11-01T10:00:00Z'),
    beginsAt: at('2030-01-01T00:00:00Z'),
    factor: 144,
    runId: 'r1',
  };

  it('squeezes and shifts instants, grace, offset and horizon alike, and names the run in every id and key', () => {
    const [departure, arrival] = expectationsOf(bookingOf(replayed(flight, replay), replay.factor));
    expect(departure).toMatchObject({
      expectationId: 'UA1545-r1.departure',
      subject: { type: 'flight', id: 'UA1545-r1' },
      satisfiedBy: { factKey: 'flight.departed:UA1545-r1' },
      dueAt: '2030-01-01T00:00:06.250Z',
      grace: 'PT6.25S',
    });
    expect(arrival).toMatchObject({
      dueAt: '2030-01-01T00:01:47.917Z',
      anchor: { expectationId: 'UA1545-r1.departure', offset: 'PT101.667S' },
      horizon: '2030-01-01T00:06:47.917Z',
    });
  });

  it('knows which instant of the past it has come to', () => {
    expect(replayedAt(replay.beginsAt + 600_000, replay)).toBe(replay.fromAt + 24 * 3_600_000);
  });

  it('books before the departure, in slices, and tells each fact when it happens', () => {
    const later = {
      ...flight,
      subject: 'AA1',
      scheduledDepartureAt: at('2013-11-01T20:00:00Z'),
      scheduledArrivalAt: undefined,
    };
    const plan = planOf([flight, { ...later, departedAt: undefined, arrivedAt: undefined }], replay, 75_000, 10_000);
    expect(
      plan.map(({ at, bookings, facts }) => ({
        afterMs: at - replay.beginsAt,
        booked: bookings.map(({ subject }) => subject),
        told: facts.map(({ factKey }) => factKey),
      })),
    ).toEqual([
      { afterMs: -75_000, booked: ['UA1545-r1'], told: [] },
      { afterMs: 7_083, booked: [], told: ['flight.departed:UA1545-r1'] },
      { afterMs: 112_500, booked: [], told: ['flight.arrived:UA1545-r1'] },
      { afterMs: 175_000, booked: ['AA1-r1'], told: [] },
    ]);
  });

  it('never tells of a flight before it is booked', () => {
    const plan = planOf(
      [{ ...flight, departedAt: replay.fromAt - 24 * 3_600_000, arrivedAt: undefined }],
      replay,
      75_000,
      10_000,
    );
    expect(plan).toMatchObject([
      { bookings: [{ subject: 'UA1545-r1' }], facts: [{ factKey: 'flight.departed:UA1545-r1' }] },
    ]);
  });
});

it.each([
  [900_000, 'PT15M'],
  [6_250, 'PT6.25S'],
  [416.666, 'PT0.417S'],
  [0, 'PT0M'],
])('%d ms is written %s', (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text);
});
