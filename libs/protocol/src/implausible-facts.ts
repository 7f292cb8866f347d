// Takes what an agent reports at instants nobody can believe out of its block; the rest of the block enters the log.
// It must never lose one: what is taken out is quarantined, and answered in its place.
import type { Block, BlockNote } from './block.ts';
import { implausibility, type PlausibilityWindow } from './fact.ts';

/** A fact of an agent that is not told to the log until an operator releases it. */
export interface ImplausibleReport {
  readonly reporter: string;
  readonly fact: unknown;
  /** JSON path in the request. */
  readonly path: string;
  readonly message: string;
  /** The fact's place in its list as it was sent. */
  readonly index: number;
}

export interface BelievedBlock {
  readonly block: Block;
  /** Those of facts count in what is left. */
  readonly notes: readonly BlockNote[];
  readonly implausible: readonly ImplausibleReport[];
}

/** `path` names the block in the request. Without a window every instant is believed. */
export function believe(
  { block, notes }: Pick<BelievedBlock, 'block' | 'notes'>,
  {
    reporter,
    path,
    window,
  }: { readonly reporter: string; readonly path: string; readonly window: PlausibilityWindow | undefined },
): BelievedBlock {
  const { facts } = block;
  if (facts === undefined || window === undefined) return { block, notes, implausible: [] };
  const implausible = facts.flatMap((fact, index): readonly ImplausibleReport[] => {
    const message = implausibility(fact, window);
    return message === undefined
      ? []
      : [{ reporter, fact, path: `${path}.facts[${index}].observedAt`, message, index }];
  });
  if (implausible.length === 0) return { block, notes, implausible };
  const isOut = new Set(implausible.map(({ index }) => index));
  const places = placesOfRest(facts.length, isOut);
  return {
    block: { ...block, facts: facts.filter((_, index) => !isOut.has(index)) },
    notes: notes.map((note) => (note.part === 'facts' ? moved(note, places) : note)),
    implausible,
  };
}

/** Where each fact of the list stands in what is left of it. */
function placesOfRest(length: number, isOut: ReadonlySet<number>): readonly number[] {
  let next = 0;
  return Array.from({ length }, (_, index) => (isOut.has(index) ? next : next++));
}

function moved(note: BlockNote, places: readonly number[]): BlockNote {
  return note.index === undefined ? note : { ...note, index: places[note.index] ?? note.index };
}
