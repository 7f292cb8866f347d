/** The call would have gone to an address that this deployment does not call. Nothing was connected to. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'ERR_ADDRESS_REFUSED';
  readonly retryable = false;
}
