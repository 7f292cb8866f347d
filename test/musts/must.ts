// What the specification of the extension binds a watcher to, one MUST each.
import type { Mutant } from '#testing';

export interface Must {
  /** Of the specification of the Expectations extension, version 1. */
  readonly paragraph: string;
  /** What is required, in a sentence about the watcher. */
  readonly must: string;
  /** Throws where the product does not do it. */
  readonly check: () => void | Promise<void>;
  /** Switches it off: then the check must throw. `file` is relative to the repository. */
  readonly mutant: Mutant;
}

/** A fault planted in the core; the others name their file whole. */
export function inCore(file: string, find: string, replace: string): Mutant {
  return { name: `${file} without its rule`, file: `libs/expectations/src/${file}`, find, replace };
}
