// Why a card stops the start: what it claims, and why the host cannot do it. Each claim is answered, not the first alone.

export const cardRefusalCodes = [
  'unreadable',
  'missing',
  'wrong-type',
  'wrong-form',
  'too-long',
  'unknown-member',
  'interface-url',
  'interface-twice',
  'path-reserved',
  'binding-not-served',
  'version-not-served',
  'push-without-store',
  'extended-card-not-served',
  'extension-not-implemented',
  'extension-twice',
  'expectations-not-so',
  'capability-not-served',
  'reminders-not-so',
  'signature-not-kept',
  'scheme-unknown',
  'scheme-not-asked',
  'scheme-not-enforced',
  'users-not-one',
  'skill-twice',
  'modes-of-input',
] as const;

export type CardRefusalCode = (typeof cardRefusalCodes)[number];

export interface CardRefusal {
  /** Where in the card, such as `supportedInterfaces[0].url`; empty for the whole. */
  readonly claim: string;
  readonly code: CardRefusalCode;
  /** A sentence for whoever wrote the card. */
  readonly reason: string;
}
