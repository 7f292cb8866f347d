// What Redis answers of the fields of a hash, in their order.

/** Null where there is none. */
export function named<Field extends string>(
  fields: readonly Field[],
  values: readonly (string | null)[],
): Record<Field, string | null> {
  const pairs = fields.map((field, place) => [field, values[place] ?? null]);
  return Object.fromEntries(pairs) as Record<Field, string | null>;
}
