// Bugs stop the process: an assertion is thrown and never caught by the core.

/** For the end of a switch over a closed union. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** States what must hold and why; a broken one is a bug. */
export function assert(condition: boolean, why: string): asserts condition {
  if (!condition) throw new Error(`assertion broken: ${why}`);
}
