// How telling an agent of its refusals has ended, folded.
import type { RefusalTellingEnded } from '#event-log';
import type { Changes, Origin } from './changes.ts';

/** Of one refusal the last word counts: nobody knows of a first that an earlier dispatcher still has to say. */
export function foldTelling(changes: Changes, { tenant }: Origin, event: RefusalTellingEnded): void {
  const { outcome: telling, at: tellingEndedAt, cause, taskId } = event;
  for (const { ledgerOffset, eventIndex } of event.refusals) {
    changes.tellings.set(`${ledgerOffset}:${eventIndex}:${tenant}`, {
      ...{ tenant, ledgerOffset, eventIndex, telling, tellingEndedAt },
      ...(cause !== undefined && { tellingCause: cause }),
      ...(taskId !== undefined && { toldTaskId: taskId }),
    });
  }
}
