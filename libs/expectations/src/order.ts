// The order of opaque strings: by code points, not by UTF-16 units and not by locale.

/** Negative, zero or positive, as for `sort`. */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all others of 16 bits. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
