// The migration fall-back, `metadata.harn.reminder`, in and out.
import type { ReminderDraft } from '../life-cycle/reminder.ts';
import { carriedReminders, carryReminders } from './harn-metadata.ts';
import { readReminder } from './read-inject.ts';

const one = { body: 'one' };
const two = { body: 'two' };

function draftOf(value: unknown): ReminderDraft {
  const read = readReminder(value, '');
  if ('refusal' in read) throw new Error(read.refusal.message);
  return read.draft;
}

describe('what a message carries', () => {
  it.each([
    ['nothing', undefined, []],
    ['metadata without', { other: 1, harn: { session: 's' } }, []],
    ['metadata that are none', ['harn'], []],
    ['one', { harn: { reminder: one } }, [one]],
    ['one under one name', { 'harn.reminder': one }, [one]],
    ['several', { harn: { reminder: [one, two] } }, [one, two]],
    ['what is none, for its reader to refuse', { harn: { reminder: 'text' } }, ['text']],
  ])('%s', (_, metadata, carried) => {
    expect(carriedReminders(metadata)).toEqual(carried);
  });
});

describe('what a message is made to carry', () => {
  it('is found again, beside what else it says', () => {
    const metadata = carryReminders({ other: 1, harn: { session: 's' } }, [draftOf(one)]);
    expect(metadata).toEqual({ other: 1, harn: { session: 's', reminder: draftOf(one) } });
    expect(carriedReminders(metadata)).toEqual([draftOf(one)]);
  });

  it('comes after what it carries already', () => {
    const metadata = carryReminders({ 'harn.reminder': one }, [draftOf(two)]);
    expect(metadata).toEqual({ harn: { reminder: [one, draftOf(two)] } });
  });

  it('is nothing where there is nothing', () => {
    const metadata = { 'harn.reminder': one };
    expect(carryReminders(metadata, [])).toBe(metadata);
  });
});
