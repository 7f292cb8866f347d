// Why a reminder is not taken. Refusals are values, told to whoever asked; what each is on a wire, error-map.ts says.

/** The closed list. The first five are of one inject; the last two of a peer that does not serve it, or not so. */
export const refusalCodes = [
  'invalid',
  'task_not_found',
  'task_terminal',
  'id_reused',
  'live_bound',
  'not_implemented',
  'extension_required',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

export interface Refusal {
  readonly code: RefusalCode;
  /** The field that is wrong, as `reminder.ttlTurns`; absent where it is none. */
  readonly field?: string;
  /** For a person. Never quotes what was sent. */
  readonly message: string;
}
