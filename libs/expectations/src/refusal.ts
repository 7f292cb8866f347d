// Why an expectation is not recorded. Refusals are values, told to whoever asked.

/** In the order in which they are checked: the first that holds is the one given (semantics, *Recording*). */
export const refusalCodes = [
  'invalid',
  'id_reused',
  'undeclared_kind',
  'supersedes_unknown',
  'supersedes_closed',
  'identical_in_lineage',
  'lineage_bound',
  'anchor_cycle',
  'subject_bound',
  'agent_bound',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** A refusal with a reason a person can act on. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
}
