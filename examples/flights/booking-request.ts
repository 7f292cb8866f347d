// Reads what a client asks to be booked. What comes from outside is checked here, and the client told what is wrong.
import type { Message } from '@a2a-js/sdk';
import { isObject, isText } from './extension.ts';
import type { Booking } from './flights.ts';

const maxFlightCount = 500;

export type BookingRequest = { readonly bookings: readonly Booking[] } | { readonly refusal: string };

/** The bookings of a message's first data part, or a sentence that says what is missing. */
export function readBookingRequest(message: Message): BookingRequest {
  const contents = message.parts.map(({ content }) => content);
  const data: unknown = contents.find((content) => content?.$case === 'data')?.value;
  const flights = isObject(data) ? data['flights'] : undefined;
  if (!Array.isArray(flights) || flights.length === 0) {
    return { refusal: 'Send a data part {"flights": […]} with at least one flight to book.' };
  }
  if (flights.length > maxFlightCount) return { refusal: `Send at most ${maxFlightCount} flights at once.` };
  const bookings: Booking[] = [];
  for (const [index, flight] of flights.entries()) {
    const booking = readBooking(flight);
    if (typeof booking === 'string')
      return { refusal: `flights[${index}].${booking} must be a text that is not empty.` };
    bookings.push(booking);
  }
  return { bookings };
}

/** The booking, or the name of the field at fault. */
function readBooking(value: unknown): Booking | string {
  const flight = isObject(value) ? value : {};
  const texts = readTexts(flight, ['subject', 'origin', 'destination', 'scheduledDepartureAt', 'grace']);
  if (typeof texts === 'string' || flight['arrival'] === undefined) return texts;
  const arrival = readTexts(isObject(flight['arrival']) ? flight['arrival'] : {}, [
    'scheduledArrivalAt',
    'offset',
    'horizon',
  ]);
  return typeof arrival === 'string' ? `arrival.${arrival}` : { ...texts, arrival };
}

function readTexts<Name extends string>(
  value: { readonly [key: string]: unknown },
  names: readonly Name[],
): { readonly [name in Name]: string } | Name {
  const missing = names.find((name) => !isText(value[name]));
  if (missing !== undefined) return missing;
  return Object.fromEntries(names.map((name) => [name, value[name]])) as { readonly [name in Name]: string };
}
