// The inbox's envelope: one input as it was told to the log, without its instant, which is the log's own.
import type { Input } from '#expectations';

type Untimed<I> = I extends unknown ? Omit<I, 'at'> : never;

/** An input that has no instant yet. */
export type UntimedInput = Untimed<Input>;

/** One inbox record. Its tenant is the record's own, never the payload's. */
export interface InboxEntry {
  readonly v: 1;
  readonly input: UntimedInput;
}
