// The contract of the port `EventLog`, run against every implementation. It must never ask for more than the port says.
import { describeAppending } from './appending.ts';
import { describeReading } from './reading.ts';
import type { EventLogSubject } from './subject.ts';
import { describeTrimming } from './trimming.ts';
import { describeWaiting } from './waiting.ts';
import { describeWriting } from './writing.ts';

/** Describes an event log; `open` gives each test a fresh one. */
export function describeEventLog(name: string, open: () => Promise<EventLogSubject>): void {
  describe(name, () => {
    let subject: EventLogSubject;
    beforeEach(async () => (subject = await open()));
    afterEach(() => subject.close());
    describeAppending(() => subject);
    describeReading(() => subject);
    describeTrimming(() => subject);
    describeWaiting(() => subject);
    describeWriting(() => subject);
  });
}
