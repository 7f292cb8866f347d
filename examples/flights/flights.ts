// Real flights: read from the sample, planned as bookings and expectations, told as facts. The recipe is in sample/README.md.
// Pure: it reads no file and no clock, so that a test can take a whole week through it at virtual time.
import type { Expectation, Fact, Subject } from './extension.ts';

/** A flight as it was planned and as it went; instants in epoch milliseconds. */
export interface Flight {
  /** Unique among all flights. */
  readonly subject: string;
  readonly origin: string;
  readonly destination: string;
  readonly scheduledDepartureAt: number;
  /** Undefined: not known. */
  readonly scheduledArrivalAt: number | undefined;
  /** Undefined: it never departed. */
  readonly departedAt: number | undefined;
  readonly arrivedAt: number | undefined;
}

/** What the agent is asked to book: a flight's plan, and nothing of what became of it. */
export interface Booking {
  readonly subject: string;
  readonly origin: string;
  readonly destination: string;
  readonly scheduledDepartureAt: string;
  /** How long after a due time nobody worries. */
  readonly grace: string;
  readonly arrival?: {
    readonly scheduledArrivalAt: string;
    /** The block time: how long after its departure the flight arrives. */
    readonly offset: string;
    readonly horizon: string;
  };
}

const columns = 'scheduled_departure,subject,carrier,origin,destination,scheduled_arrival,departed,arrived';
const graceMs = 15 * 60_000;
const silenceMs = 12 * 3_600_000;

/** The flights of a CSV with the sample's columns, in its order. Throws where it is not one. */
export function parseFlights(csv: string): Flight[] {
  const [header, ...lines] = csv.trimEnd().split('\n');
  if (header !== columns) throw new Error(`the first line must be "${columns}"`);
  return lines.map((line, index) => {
    const cells = line.split(',');
    const [scheduledDepartureAt, subject, , origin, destination] = cells;
    if (cells.length !== 8 || !scheduledDepartureAt || !subject || !origin || !destination) {
      throw new Error(`line ${index + 2} is not a flight: ${line}`);
    }
    return {
      subject,
      origin,
      destination,
      scheduledDepartureAt: Date.parse(scheduledDepartureAt),
      scheduledArrivalAt: instantIn(cells[5]),
      departedAt: instantIn(cells[6]),
      arrivedAt: instantIn(cells[7]),
    };
  });
}

function instantIn(cell: string | undefined): number | undefined {
  return cell === undefined || cell === '' ? undefined : Date.parse(cell);
}

/** The flight's plan. `factor`: by how much grace and horizon are squeezed, as the flight's instants already are. */
export function bookingOf(flight: Flight, factor = 1): Booking {
  const { subject, origin, destination, scheduledDepartureAt, scheduledArrivalAt } = flight;
  return {
    subject,
    origin,
    destination,
    scheduledDepartureAt: instantText(scheduledDepartureAt),
    grace: durationText(graceMs / factor),
    ...(scheduledArrivalAt === undefined
      ? {}
      : {
          arrival: {
            scheduledArrivalAt: instantText(scheduledArrivalAt),
            offset: durationText(scheduledArrivalAt - scheduledDepartureAt),
            horizon: instantText(scheduledArrivalAt + silenceMs / factor),
          },
        }),
  };
}

/** What the agent expects of a flight that it has booked: its departure and, where one is planned, its arrival. */
export function expectationsOf({
  subject: id,
  origin,
  destination,
  scheduledDepartureAt,
  grace,
  arrival,
}: Booking): Expectation[] {
  const subject = flightSubject(id);
  const departure: Expectation = {
    expectationId: `${id}.departure`,
    kind: 'flight.departure',
    subject,
    expects: `${id} departs from ${origin}`,
    satisfiedBy: { factKey: `flight.departed:${id}` },
    dueAt: scheduledDepartureAt,
    grace,
    basis: 'contract',
  };
  if (arrival === undefined) return [departure];
  return [
    departure,
    {
      expectationId: `${id}.arrival`,
      kind: 'flight.arrival',
      subject,
      expects: `${id} arrives at ${destination}`,
      satisfiedBy: { factKey: `flight.arrived:${id}` },
      dueAt: arrival.scheduledArrivalAt,
      grace,
      basis: 'contract',
      anchor: { expectationId: departure.expectationId, offset: arrival.offset },
      after: [departure.expectationId],
      horizon: arrival.horizon,
    },
  ];
}

/** What happened to a flight, in order, each with the instant (epoch milliseconds) at which it is to be reported. */
export function factsOf(flight: Flight, source: string): { readonly at: number; readonly fact: Fact }[] {
  const subject = flightSubject(flight.subject);
  const told = [
    { factKey: `flight.departed:${flight.subject}`, at: flight.departedAt },
    { factKey: `flight.arrived:${flight.subject}`, at: flight.arrivedAt },
  ];
  return told.flatMap(({ factKey, at }) =>
    at === undefined ? [] : [{ at, fact: { factKey, observedAt: instantText(at), source, subject } }],
  );
}

function flightSubject(id: string): Subject {
  return { type: 'flight', id };
}

/** RFC 3339 in UTC, to the millisecond. */
export function instantText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** ISO 8601: whole minutes as minutes, else seconds to the millisecond. */
export function durationText(durationMs: number): string {
  const ms = Math.round(durationMs);
  return ms % 60_000 === 0 ? `PT${ms / 60_000}M` : `PT${ms / 1000}S`;
}
