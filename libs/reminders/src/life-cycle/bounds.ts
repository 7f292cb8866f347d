// How much may be asked for. Configurable by whoever serves the method; a past decision is never judged by them again.

export interface ReminderBounds {
  /** Of `body`, in UTF-8. */
  readonly bodyBytes: number;
  readonly tagsCount: number;
  /** Live reminders that any one task may have: its own and its context's. */
  readonly livePerTaskCount: number;
  /** Of an inject's `metadata`, as JSON in UTF-8. */
  readonly metadataBytes: number;
}

export const defaultBounds: ReminderBounds = {
  bodyBytes: 16 * 1024,
  tagsCount: 32,
  livePerTaskCount: 64,
  metadataBytes: 4 * 1024,
};
