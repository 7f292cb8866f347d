// The edge for the facts of one record of a feed, which are one report however many they are (semantics, *Facts*).
// It must never judge a fact's form: a malformed one is refused by the decider, in the record.
import { type FactsReportedInput, implausibility, type PlausibilityWindow } from './fact.ts';
import { itemFault, stubOf } from './limits.ts';

export interface FedFacts {
  /** What is told to the log; absent where nothing of the record is. */
  readonly input?: FactsReportedInput;
  /** Those that are not believed. */
  readonly implausible: readonly { readonly reporter: string; readonly fact: unknown; readonly message: string }[];
}

/** Reads the facts of a record as the reporter's, whatever source they claim. Never reorders them. */
export function readFedFacts(facts: readonly unknown[], reporter: string, window: PlausibilityWindow): FedFacts {
  const told: unknown[] = [];
  const implausible: FedFacts['implausible'][number][] = [];
  for (const fact of facts) {
    if (itemFault(fact, 'facts') !== undefined) {
      told.push(stubOf(fact, 'facts'));
      continue;
    }
    const message = implausibility(fact, window);
    if (message === undefined) told.push(fact);
    else implausible.push({ reporter, fact, message });
  }
  return { ...(told.length > 0 && { input: { type: 'factsReported', reporter, facts: told } }), implausible };
}
