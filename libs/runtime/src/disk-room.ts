// Whether a disk has room: what the system says of it, and what PostgreSQL says where a limit is met that this does not
// show (a quota, the size of a file).
import { statfs } from 'node:fs/promises';
import type { HealthCheck } from './health/readiness.ts';

/** Two segments of PostgreSQL's write-ahead log: with less it may have to end at the next one. */
const leastRoomBytes = 32 * 1024 * 1024;

const noRoom = /No space left on device|Disk quota exceeded|File too large/;

/** What PostgreSQL calls a full disk (53100); where a quota or a limit is met, an internal error (XX000) in C's words. */
export function isDiskFullAnswer(code: string, message: string): boolean {
  return code === '53100' || (code === 'XX000' && noRoom.test(message));
}

/** Bytes that are free for this account on the disk that holds the directory. Throws the system's error. */
export async function roomOn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Not ready before writes have to be refused: where the directory's disk has less than `leastRoomBytes`. */
export function diskCheck(directory: string): HealthCheck {
  const check = async (): Promise<void> => {
    const room = await roomOn(directory);
    if (room < leastRoomBytes) {
      throw new Error(`the disk with ${directory} has ${room} bytes left, and ${leastRoomBytes} are needed: make room`);
    }
  };
  return { name: 'disk', check };
}

/** Whether what failed there with that message failed for want of room; a full disk may have kept the message short. */
export async function isOutOfRoom(directory: string, message: string): Promise<boolean> {
  if (noRoom.test(message)) return true;
  const room = await roomOn(directory).catch(() => Infinity);
  return room < leastRoomBytes;
}
