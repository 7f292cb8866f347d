// PostgreSQL's binary form of one-dimensional arrays: with it, UNNEST is as fast as COPY.

/** Object ids of the element types, the same in every PostgreSQL. */
export const BYTEA = 17;
export const TEXT = 25;

/** One parameter of type `bytea[]` or `text[]` (its values in UTF-8); null is NULL. */
export function encodeArray(elementType: number, values: readonly (Uint8Array | null)[]): Buffer {
  const size = values.reduce((sum, value) => sum + 4 + (value?.byteLength ?? 0), 20);
  const array = Buffer.allocUnsafe(size);
  let at = 0;
  const int32 = (value: number) => (at = array.writeInt32BE(value, at));
  for (const field of [1, values.includes(null) ? 1 : 0, elementType, values.length, 1]) int32(field);
  for (const value of values) {
    int32(value === null ? -1 : value.byteLength);
    if (value === null) continue;
    array.set(value, at);
    at += value.byteLength;
  }
  return array;
}
