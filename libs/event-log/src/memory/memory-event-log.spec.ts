// The log in memory keeps the contract of all logs.
import { systemClock } from '#runtime';
import { describeEventLog } from '#testing';
import { MemoryEventLog } from './memory-event-log.ts';

describeEventLog('the log in memory', async () => {
  let now: () => number = () => systemClock.now();
  const log = new MemoryEventLog({ clock: systemClock, partitionCount: 4, now: () => now() });
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
});
