// Lists of which there are very many, nearly all of a few items: pushed to, each would have room for sixteen more.

const SHORT = 8;

/** The list with an item at its end: itself, or, while it is short, a copy of exactly that length. */
export function withLast<T>(list: T[], item: T): T[] {
  if (list.length < SHORT) return list.concat([item]);
  list.push(item);
  return list;
}
