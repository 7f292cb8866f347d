// What ends a process that has every partition for itself.
import { FencedError, type Role } from '#event-log';

/** Another serves a partition that nobody else should. */
export function fencedOff(role: Role, partition: number): FencedError {
  return new FencedError(`another ${role} serves partition ${partition}: one Duewatch at a time can run on this log`);
}
