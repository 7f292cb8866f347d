// The life cycle of ambient reminders: what is taken, whom it is told, and when it is over. A pure decider over the
// ordered inputs of one context, and the forms in which reminders travel. No clock, no randomness, no I/O.
//
// Whoever runs tasks keeps one `State` a context and owner (`ReminderJournal`), and does at each of these, in the
// transaction that changes the task:   load → `step(state, input)` → append events → commit → tell.
//
//   a task is made             taskOpened
//   InjectTaskReminder         readInject(params), look the task up, then reminderInjected; its `answer` is the result.
//                              Another user's task, or none: decide says `task_not_found`. Errors: wireErrorOf(refusal).
//   a message arrives          for each of carriedReminders(message.metadata), and of the request's own metadata:
//                              readReminder, then reminderInjected, before turnBegan, so that the turn it starts has it
//   the agent begins to run    turnBegan with the run's id, then toldInTurn(state, taskId) into the handler's context, as
//                              it is or as renderReminders(…); never into the history. A run taken over by another
//                              replica begins with the same id, and has the same
//   between two steps          stepBoundaryReached; `told` has what is new to this turn
//   any of these               `told` with when 'at_once': that task's run is told now, and may restart its step
//   the agent rests            turnEnded (terminal too: before taskEnded)
//   the task becomes terminal  taskEnded, and its `updates` go out before the last status does
//   the context is compacted   contextCompacted
//   a subscriber               gets each of `updates` with its taskId, by streamResponseOf(update, status, reads), where
//                              reads = the card declares `emit` and activatesReminders(the client's extensions). It goes
//                              to the stream alone: its metadata are no part of the task
//   the card                   declareReminders(card), readReminderCapability(card), refuseCaller(declared, extensions)
//
// A run that is no task (answered by a Message) is to its context a task like any: opened, one turn, ended.
export * from './life-cycle/reminder.ts';
export * from './life-cycle/bounds.ts';
export * from './life-cycle/refusal.ts';
export type * from './life-cycle/input.ts';
export type * from './life-cycle/event.ts';
export { initialState, isOver, type LiveReminder, type OpenTask, type State } from './life-cycle/state.ts';
export { decide, type Decided, type Injected, type Refused } from './life-cycle/decide.ts';
export type { InjectAnswer } from './life-cycle/inject.ts';
export { evolve, fold } from './life-cycle/evolve.ts';
export { type Told, toldBy, toldInTurn } from './life-cycle/told.ts';
export { type ReminderReason, type ReminderUpdate, updatesOf } from './life-cycle/update.ts';
export { step, type Stepped, type SteppedInject } from './life-cycle/step.ts';
export type * from './journal.ts';
export * from './memory-reminder-journal.ts';
export * from './wire/names.ts';
export { type InjectRequest, readInject, readReminder } from './wire/read-inject.ts';
export * from './wire/error-map.ts';
export * from './wire/capability.ts';
export * from './wire/harn-metadata.ts';
export * from './wire/stream-response.ts';
export * from './wire/render.ts';
