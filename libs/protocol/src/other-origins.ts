// Interfaces that are called without the agent's credential, because they are not where it is for.
import { type CalledAgent, isWithheld } from './agent-calls.ts';
import { type Finding, finding } from './finding.ts';
import { readInterfaces } from './interfaces.ts';

/** One finding for all of a card's interfaces at other origins; none where the agent has no credential. */
export function otherOriginFindings(card: unknown, agent: CalledAgent): readonly Finding[] {
  const origins = readInterfaces(card).flatMap(({ url }) => (isWithheld(agent, url) ? [new URL(url).origin] : []));
  const listed = [...new Set(origins)].join(', ');
  return listed === '' ? [] : [finding('interface_other_origin', '$.supportedInterfaces', listed)];
}
