// What an agent says to a message that may be a lapse, whoever serves the agent.
import type { Routed } from './lapse-router.ts';

/** What a message comes to: its lapse is answered for, or rejected where it is malformed; all else is `otherwise`'s. */
export function answerOf<Came>(routed: Routed<Came>, otherwise: () => Came): Came | { readonly reject: string } {
  if ('answer' in routed) return routed.answer;
  if ('malformed' in routed) return { reject: `This lapse cannot be answered for: ${routed.malformed}.` };
  return otherwise();
}
