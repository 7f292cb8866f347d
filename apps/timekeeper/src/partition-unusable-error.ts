// A partition that must not be decided on as it is: a person has to settle it. Nothing was written.

/** The message says what was found. */
export class PartitionUnusableError extends Error {
  override readonly name = 'PartitionUnusableError';
  readonly retryable = false;
  readonly reason: 'other_deployment' | 'inbox_gap' | 'newer_ledger';

  constructor(reason: PartitionUnusableError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
