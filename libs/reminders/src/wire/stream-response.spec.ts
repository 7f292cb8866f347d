// Reminders on the streams of clients that know them, and of those that do not (reminders, *Stream*).
import type { ReminderUpdate } from '../life-cycle/update.ts';
import { REMINDERS_URI } from './names.ts';
import { streamResponseOf } from './stream-response.ts';

const reminder = {
  id: 'r1',
  body: 'Rebase.',
  tags: ['rebase'],
  preserveOnCompact: false,
  propagate: 'REMINDER_PROPAGATION_SESSION',
  roleHint: 'REMINDER_ROLE_HINT_SYSTEM',
  firedAtTurn: 5,
  mode: 'finish_step',
} as const;

const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-09-01T00:00:00Z' };
const accepted: ReminderUpdate = { taskId: 't1', contextId: 'c1', reminder, metadata: { origin: 'x' } };
const expired: ReminderUpdate = { ...accepted, reason: 'REMINDER_EXPIRED' };

it('who reads them gets a member of its own', () => {
  expect(streamResponseOf(expired, status, true)).toEqual({ reminderUpdate: expired });
});

it('who does not gets the status unchanged, with the reminder in its metadata', () => {
  expect(streamResponseOf(accepted, status, false)).toEqual({
    statusUpdate: {
      taskId: 't1',
      contextId: 'c1',
      status,
      metadata: { [REMINDERS_URI]: { reminder, metadata: { origin: 'x' } }, harn: { reminder } },
    },
  });
});

it('who does not is told the reason, too', () => {
  expect(streamResponseOf(expired, status, false)).toMatchObject({
    statusUpdate: {
      metadata: {
        [REMINDERS_URI]: { reminder, reason: 'REMINDER_EXPIRED' },
        harn: { reminder: { ...reminder, reason: 'REMINDER_EXPIRED' } },
      },
    },
  });
});
