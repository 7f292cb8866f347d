// Its own: the life cycle imports nothing, so that a copy of it can stand alone with a fault planted in it.

/** For the end of a switch over a closed union: whoever gets here is a bug, and it throws. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
