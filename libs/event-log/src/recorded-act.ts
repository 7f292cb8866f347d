// Acts that the ledger records as they were told, and that the core is told nothing of.
import { type DispatchAct, type DispatchActEvent, isDispatchAct, recordAct } from './dispatch-act.ts';
import { recordReminder, type ReminderRecorded, type ReminderReported } from './reminder-act.ts';

export type RecordedAct = DispatchAct | ReminderReported;

export function isRecordedAct(input: { readonly type: string }): input is RecordedAct {
  return isDispatchAct(input) || input.type === 'reminderReported';
}

/** The act as the ledger records it. */
export function recordedAs(act: RecordedAct, at: string): DispatchActEvent | ReminderRecorded {
  return act.type === 'reminderReported' ? recordReminder(act, at) : recordAct(act, at);
}
