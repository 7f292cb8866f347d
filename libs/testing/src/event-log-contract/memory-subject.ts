// A log in memory as the contract asks for it.
import { type EventLog, MemoryEventLog } from '#event-log';
import { systemClock } from '#runtime';
import type { EventLogSubject } from './subject.ts';

/** `wrap` may put another log around it. */
export function openMemorySubject(wrap: (log: EventLog) => EventLog = (log) => log): EventLogSubject {
  let now: () => number = () => systemClock.now();
  const log = wrap(new MemoryEventLog({ clock: systemClock, partitionCount: 4, now: () => now() }));
  return {
    log,
    other: log,
    setClock: async (clock) => {
      now = () => clock;
    },
    breakAppends: async () => {
      now = () => {
        throw new Error('the clock is broken');
      };
    },
    mendAppends: async () => {
      now = () => systemClock.now();
    },
    close: () => log.close(),
  };
}
