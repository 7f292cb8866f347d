// What is odd about an expectation that is recorded all the same.

export const warningCodes = [
  'subject_type_differs',
  'anchor_unknown',
  'after_unknown',
  'after_other_subject',
  'basis_unknown',
  'due_before_anchor',
  'not_activated',
] as const;

export type WarningCode = (typeof warningCodes)[number];
