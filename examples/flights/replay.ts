// A piece of the past, squeezed and shifted so that it happens again from now on. Pure.
import { bookingOf, type Booking, factsOf, type Flight } from './flights.ts';
import type { Fact } from './extension.ts';

export interface Replay {
  /** The instant in the past that becomes `beginsAt`; both in epoch milliseconds. */
  readonly fromAt: number;
  readonly beginsAt: number;
  /** So many times faster than it was. */
  readonly factor: number;
  /** Makes the flights of this run others than those of any run before. */
  readonly runId: string;
}

/** What there is to do at an instant: book these, then report those. */
export interface Step {
  readonly at: number;
  readonly bookings: readonly Booking[];
  readonly facts: readonly Fact[];
}

/** The same flight in the replay's time, under a name of this run. */
export function replayed(flight: Flight, replay: Replay): Flight {
  const moved = (at: number): number => Math.round(replay.beginsAt + (at - replay.fromAt) / replay.factor);
  const movedIfKnown = (at: number | undefined): number | undefined => (at === undefined ? undefined : moved(at));
  return {
    ...flight,
    subject: `${flight.subject}-${replay.runId}`,
    scheduledDepartureAt: moved(flight.scheduledDepartureAt),
    scheduledArrivalAt: movedIfKnown(flight.scheduledArrivalAt),
    departedAt: movedIfKnown(flight.departedAt),
    arrivedAt: movedIfKnown(flight.arrivedAt),
  };
}

/** The instant of the past that a replay's instant stands for. */
export function replayedAt(at: number, replay: Replay): number {
  return replay.fromAt + (at - replay.beginsAt) * replay.factor;
}

/**
 * All there is to do, in order of time: every flight is booked at least `leadMs` (of the replay) before its departure,
 * the departures of each `sliceMs` together; every fact is reported when it happens. Some of it is before the beginning.
 */
export function planOf(flights: readonly Flight[], replay: Replay, leadMs: number, sliceMs: number): Step[] {
  const steps = new Map<number, { bookings: Booking[]; facts: Fact[] }>();
  const stepAt = (at: number): { bookings: Booking[]; facts: Fact[] } => {
    const step = steps.get(at) ?? { bookings: [], facts: [] };
    steps.set(at, step);
    return step;
  };
  for (const flight of flights.map((flight) => replayed(flight, replay))) {
    const slice = Math.floor((flight.scheduledDepartureAt - replay.beginsAt) / sliceMs);
    const bookedAt = replay.beginsAt + slice * sliceMs - leadMs;
    stepAt(bookedAt).bookings.push(bookingOf(flight, replay.factor));
    // What happened before the booking is reported right after it.
    for (const { at, fact } of factsOf(flight, 'flight-feed')) stepAt(Math.max(at, bookedAt)).facts.push(fact);
  }
  return [...steps].sort(([one], [other]) => one - other).map(([at, step]) => ({ at, ...step }));
}
