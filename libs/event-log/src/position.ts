// A position as people and scripts see it: opaque text for (partition, offset).

export interface Position {
  readonly partition: number;
  readonly offset: number;
}

/** `p-o`, both decimal. Opaque to clients. */
export function formatPosition(position: Position): string {
  return `${position.partition}-${position.offset}`;
}

/** Undefined where the text is not a position. */
export function parsePosition(text: string): Position | undefined {
  const match = /^(\d{1,5})-(\d{1,15})$/.exec(text);
  return match === null ? undefined : { partition: Number(match[1]), offset: Number(match[2]) };
}
