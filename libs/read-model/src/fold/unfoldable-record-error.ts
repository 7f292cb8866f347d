// A record that would fail again for ever: it is parked by reference, and the next one proceeds.

export class UnfoldableRecordError extends Error {
  override readonly name = 'UnfoldableRecordError';
  readonly retryable = false;
}
