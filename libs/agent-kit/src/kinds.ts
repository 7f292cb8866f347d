// The table of what an agent expects, by kind: the one source of its card and of what it raises (Expectations §6.2).
import type { Basis } from './expectation.ts';

export interface KindEntry {
  readonly subjectType: string;
  /** What is expected, in a person's words. */
  readonly describes: string;
  readonly basis: Basis;
  /** The skills whose tasks may raise it; any unless given. */
  readonly skills?: readonly string[];
  /** The key of the fact that satisfies it; the kind, a colon and the subject's id unless given. */
  readonly factKey?: (subjectId: string) => string;
  /** What is expected of one subject, in a person's words; `describes` and the subject's id unless given. */
  readonly expects?: (subjectId: string) => string;
}

export type KindsTable<Kind extends string = string> = Readonly<Record<Kind, KindEntry>>;

/** What an agent says of itself under the extension (§6.1). */
export interface Definition<Kind extends string = string> {
  /** How the agent uses the extension, for people who read its card. */
  readonly description?: string;
  /** The id of the skill that a lapse task invokes; it must be on the card. */
  readonly lapseSkill: string;
  /** Whether the agent keeps its own time (§12.2); false unless given. */
  readonly keepsTime?: boolean;
  readonly kinds: KindsTable<Kind>;
  /** How often the watchers of this deployment let something be extended (§10.3); 3 unless given. */
  readonly lineageBound?: number;
}

export function factKeyOf(kind: string, entry: KindEntry, subjectId: string): string {
  return entry.factKey?.(subjectId) ?? `${kind}:${subjectId}`;
}

export function expectsOf(entry: KindEntry, subjectId: string): string {
  return entry.expects?.(subjectId) ?? `${entry.describes} (${subjectId})`;
}
