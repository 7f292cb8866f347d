// What of a card is kept: its declaration, and what is wrong with it; and for how long it is believed.
import {
  boundedFindings,
  type CalledAgent,
  type CardValidity,
  compareCards,
  type Declaration,
  type Finding,
  type KeptCard,
  otherOriginFindings,
  readDeclaration,
} from '#protocol';

/** Findings after which nothing of the declaration can be used. */
const unusable: readonly Finding['code'][] = ['card_unreadable', 'extension_missing', 'params_missing'];

export type UsableCard =
  | { readonly declaration: Declaration; readonly findings: readonly Finding[] }
  | { readonly fatal: Finding; readonly findings: readonly Finding[] };

/** Reads a card as its agent will be called, and against the one before. */
export function readUsable(card: unknown, agent: CalledAgent, before: KeptCard | undefined): UsableCard {
  const { params, findings: ofDeclaration } = readDeclaration(card);
  const fatal = ofDeclaration.find(({ code }) => unusable.includes(code));
  if (fatal !== undefined) return { fatal, findings: ofDeclaration };
  const dropped = before === undefined ? [] : compareCards(before, { card, declaration: params }).findings;
  const findings = boundedFindings([...dropped, ...otherOriginFindings(card, agent), ...ofDeclaration]);
  return { declaration: params, findings };
}

const leastSeconds = 60;
const unsaidSeconds = 900;
const mostSeconds = 86_400;

/** After how long the card is read again: as it says itself, within bounds. */
export function periodSecondsOf({ maxAgeSeconds = unsaidSeconds }: CardValidity): number {
  return Math.min(Math.max(maxAgeSeconds, leastSeconds), mostSeconds);
}
