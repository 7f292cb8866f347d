// The core has thrown: a bug. What it threw on is parked, or its tenant held, when it throws again after a new start.

export class DeciderFaultError extends Error {
  override readonly name = 'DeciderFaultError';
  readonly retryable = false;
  readonly offset: number;
  readonly tenant: string;
  /** True where the tenant's state is at fault, and not the one input. */
  readonly isOfState: boolean;

  constructor(of: { readonly offset: number; readonly tenant: string; readonly isOfState: boolean }, cause: unknown) {
    super(`the input at ${of.offset} cannot be decided for the tenant "${of.tenant}": ${messageOf(cause)}`, { cause });
    this.offset = of.offset;
    this.tenant = of.tenant;
    this.isOfState = of.isOfState;
  }
}

/** What an error says, with what caused it; of what is no error, its text. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${messageOf(error.cause)}`;
}
