// Everything the model knows, in plain lists that are searched from the front. Nothing is indexed and nothing is hashed.
// It must share no code with the core: only the names of the specification's types.
import type { LapseKind, RefusalCode, Settings, Subject, WarningCode, WithdrawalCause } from '#expectations';
import type { ExpectedLapse, ExpectedRefusal } from '../scenario/vector.ts';
import type { Duration } from './duration.ts';

/** What a field names: an id and, once something of that id is known, the very expectation meant. */
export interface Name {
  readonly id: string;
  meant: Expectation | undefined;
}

export interface Expectation {
  readonly agentId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly id: string;
  readonly content: unknown;
  readonly kind: string;
  readonly subject: Subject;
  readonly expects: string;
  readonly factKey: string;
  readonly projectedDueAt: number;
  readonly grace: Duration;
  readonly horizon: number | undefined;
  readonly anchor: (Name & { readonly offset: Duration }) | undefined;
  readonly after: readonly Name[];
  /** What it replaced. */
  readonly ancestor: Expectation | undefined;
  readonly lineage: number;
  readonly question: boolean;
  readonly warnings: readonly WarningCode[];
  readonly recordedAt: number;
  /** Its place in the order of everything recorded. */
  readonly moment: number;
  status: 'open' | 'satisfied' | 'withdrawn';
  dueAt: number;
  reanchored: boolean;
  suspended: boolean;
  readonly lapses: LapseKind[];
  latestLapseAt: number;
  retiresAt: number | undefined;
  satisfaction: Satisfaction | undefined;
  withdrawn: WithdrawalCause | undefined;
  successor: Expectation | undefined;
  closedAt: number;
  forgotten: boolean;
}

export interface Satisfaction {
  readonly satisfiedAt: number;
  readonly observedAt: number;
  readonly source: string;
  readonly late: boolean;
  readonly reportedLate: boolean;
}

export interface Fact {
  readonly reporter: string;
  readonly factKey: string;
  /** As the fact says it, before it is cut to the receipt: part of what the fact is. */
  readonly saidAt: number;
  /** As it was first received. */
  readonly moment: number;
  readonly observedAt: number;
  /** Of the receipt that counts: the first, or that of the repeat that satisfied. */
  receivedAt: number;
  receivedMoment: number;
  /** Whether the receipt that counts is within the early-fact window; once past it, past for good. */
  isEarly: boolean;
  /** Agents of which it has satisfied something. */
  readonly served: string[];
  latestSatisfactionAt: number;
}

export interface Task {
  readonly agentId: string;
  readonly taskId: string;
  state: string;
  statusAt: number | undefined;
  /** When its latest applied status was received. */
  appliedAt: number;
}

export interface World {
  /** The watcher's time: the instant of the present input. */
  now: number;
  /** Counts what is recorded (expectations, facts, satisfactions): at one instant it says which came after. */
  moment: number;
  settings: Settings;
  readonly agentSettings: { readonly agentId: string; settings: Partial<Settings> }[];
  readonly cards: { readonly agentId: string; kinds: readonly { kind: string; subjectType: unknown }[] }[];
  /** In the order recorded, the forgotten ones too. */
  readonly expectations: Expectation[];
  facts: Fact[];
  readonly factsOnSubjects: { readonly subject: Subject; readonly moment: number; readonly observedAt: number }[];
  readonly satisfactions: { readonly subject: Subject; readonly moment: number; readonly at: number }[];
  tasks: Task[];
  rememberedRefusals: { agentId: string; id: string | null; content: unknown; code: RefusalCode }[];
  readonly lapses: ExpectedLapse[];
  readonly refusals: ExpectedRefusal[];
  /** What happened, by name: for counting which rules a scenario reaches. */
  readonly happened: string[];
}

export function nextMoment(world: World): number {
  world.moment += 1;
  return world.moment;
}

export function isSameSubject(one: Subject, other: Subject): boolean {
  return one.type === other.type && one.id === other.id;
}

export function openOnes(world: World): Expectation[] {
  return world.expectations.filter((expectation) => expectation.status === 'open');
}
