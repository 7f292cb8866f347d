// A planted fault: one text of one source file replaced by another.

/** `find` stands exactly once in the file; `file` is relative to the source folder. */
export interface Mutant {
  /** What is wrong with it, in words. */
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
