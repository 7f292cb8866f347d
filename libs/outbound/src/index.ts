// Calls to strangers: which addresses they may go to, and that they go to the address that was looked at.
export * from './address-policy.ts';
export * from './address-refused-error.ts';
export * from './never-sent.ts';
export * from './outbound.ts';
export * from './passing-status.ts';
export * from './retry-after.ts';
