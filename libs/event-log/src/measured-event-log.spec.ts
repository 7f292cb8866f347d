// The measured log keeps the contract of all logs, and counts.
import { systemClock } from '#runtime';
import { describeEventLog, ManualClock, openMemorySubject } from '#testing';
import { MeasuredEventLog } from './measured-event-log.ts';
import { MemoryEventLog } from './memory/memory-event-log.ts';

describeEventLog('the measured log', async () => openMemorySubject((log) => new MeasuredEventLog(log, systemClock)));

it('counts appends, what was in them, and why they failed, by topic', async () => {
  const clock = new ManualClock(0);
  const log = new MeasuredEventLog(new MemoryEventLog({ clock, partitionCount: 1 }), clock);
  const records = [1, 2].map((size) => ({ tenant: 'acme', value: new Uint8Array(size) }));
  await log.append(0, records);
  const fenced = await log.openWriter(0, 'first');
  await fenced.append(records.slice(1));
  await log.openWriter(0, 'second');
  await expect(fenced.append(records)).rejects.toThrow('taken partition 0 over');
  await log.close();
  await expect(log.append(0, records)).rejects.toThrow('closed');

  const families = await log.collect();
  const samples = families.flatMap(({ name, samples: of }) => of.map((sample) => ({ name, ...sample })));
  expect(samples.filter(({ value }) => value > 0)).toEqual([
    { name: 'duewatch_log_appends_total', labels: { topic: 'inbox' }, value: 1 },
    { name: 'duewatch_log_appends_total', labels: { topic: 'ledger' }, value: 1 },
    { name: 'duewatch_log_records_total', labels: { topic: 'inbox' }, value: 2 },
    { name: 'duewatch_log_records_total', labels: { topic: 'ledger' }, value: 1 },
    { name: 'duewatch_log_bytes_total', labels: { topic: 'inbox' }, value: 3 },
    { name: 'duewatch_log_bytes_total', labels: { topic: 'ledger' }, value: 2 },
    { name: 'duewatch_log_append_failures_total', labels: { topic: 'inbox', reason: 'unavailable' }, value: 1 },
    { name: 'duewatch_log_append_failures_total', labels: { topic: 'ledger', reason: 'fenced' }, value: 1 },
  ]);
});
