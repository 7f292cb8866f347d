// A vector told at other times: its instants and durations are texts, and stand for others.

/**
 * A copy of a JSON value in which every text of `texts` is replaced by what it stands for, also within a longer one (an
 * instant in a message's id).
 */
export function retimed<T>(value: T, texts: Readonly<Record<string, string>>): T {
  const known = Object.keys(texts).toSorted((left, right) => right.length - left.length);
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => {
    if (typeof member !== 'string') return member;
    return known.reduce((text, from) => text.replaceAll(from, texts[from] ?? from), member);
  }) as T;
}
