// What the handler verifies of callers, held against what the card asks them for: who is asked for nothing is let in,
// whatever could be verified.
import type { CardRefusal } from './card-refusal.ts';
import { isMembers, listOf, type Members } from './members.ts';

export function checkVerified(card: Members, verifiedSchemes: readonly string[]): CardRefusal[] {
  const schemes = isMembers(card['securitySchemes']) ? card['securitySchemes'] : {};
  const refusals = verifiedSchemes
    .filter((name) => !Object.hasOwn(schemes, name))
    .map((name): CardRefusal => {
      const reason = `the handler's security says how ${name} is verified, and the card has no such scheme`;
      return { claim: `securitySchemes.${name}`, code: 'scheme-unknown', reason };
    });
  if (verifiedSchemes.length === 0 || listOf(card['securityRequirements']).length > 0) return refusals;
  const reason = `the handler verifies ${verifiedSchemes.join(', ')}, and the card asks nobody for it: say which, or {schemes: {}} to let everybody in`;
  return [...refusals, { claim: 'securityRequirements', code: 'scheme-not-asked', reason }];
}
