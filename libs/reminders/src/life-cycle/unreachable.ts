/** For the end of a switch over a closed union: whoever gets here is a bug, and it throws. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
