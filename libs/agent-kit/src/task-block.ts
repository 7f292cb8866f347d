// What one task says under the extension: built here, judged by the core as it is built, and carried by the task's artifacts
// and status messages (Expectations §8). It must never put anything on the wire that a watcher would refuse, as far as an
// agent can know, nor anything at all before a client that has not activated the extension (§7).
import { createHash } from 'node:crypto';
import { addDuration, formatInstant, parseDuration, parseInstant } from '#expectations';
import { EXTENSION_URI, isUsableId, limits } from '#protocol/pure';
import type { Clock } from './clock.ts';
import { declarationOf } from './card-declaration.ts';
import { carriedBy, type Carrier } from './carrier.ts';
import { CoreJudge, ExpectationRefusedError } from './core-judge.ts';
import { type Due, dueAtOf } from './due.ts';
import { type Basis, type Expectation, type Fact, idOf, type Named } from './expectation.ts';
import { type Definition, expectsOf, factKeyOf, type KindEntry } from './kinds.ts';
import type { Lapse } from './lapse.ts';

/** The task at work, and whether whoever asked for it has activated the extension. */
export interface TaskAtWork {
  readonly taskId: string;
  readonly contextId: string;
  /**
   * The message that is worked on: ids are the same where it is worked on again, and others for the task's next message.
   * Without it, what a task raises again needs an id of its own.
   */
  readonly messageId?: string;
  readonly isActivated: boolean;
}

interface Common {
  readonly grace?: string;
  /** Its due time is that of an earlier one's satisfaction plus the offset, an ISO 8601 duration. */
  readonly anchor?: { readonly to: Named; readonly offset: string };
  /** What is expected to be satisfied before this one. */
  readonly after?: Named | readonly Named[];
  readonly horizon?: Due;
  readonly expects?: string;
  readonly factKey?: string;
  /** The kind's unless given. */
  readonly basis?: Basis;
  /** One of its own is made of the task, the kind and the subject unless given. */
  readonly expectationId?: string;
}

/** What is expected. Without `due` it is the anchor's due time plus the offset, where the anchor is of this task. */
export interface Wanted extends Common {
  /** The subject's id; its type is the kind's. */
  readonly subject: string;
  readonly due?: Due;
  readonly supersedes?: Named;
}

/** More time; what is not said stays as it was. */
export interface MoreTime extends Common {
  readonly due: Due;
}

export class TaskBlock<Kind extends string = string> {
  private readonly judge: CoreJudge;
  private readonly raised = new Map<string, Expectation>();
  private expectations: Expectation[] = [];
  private facts: Fact[] = [];
  private withdrawn: string[] = [];
  private reasons = new Set<string>();

  constructor(
    private readonly definition: Definition<Kind>,
    private readonly task: TaskAtWork,
    private readonly clock: Clock,
  ) {
    const bound = definition.lineageBound ?? 3;
    this.judge = new CoreJudge(task.taskId, declarationOf(definition), bound, clock.now());
  }

  /** Whether anybody watches; where nobody does, nothing that is built here is carried. */
  get isActivated(): boolean {
    return this.task.isActivated;
  }

  /**
   * Raises an expectation, to be carried by the next artifact or message that is given to `on`. Throws an
   * `ExpectationRefusedError` where a watcher would not record it, and an `InvalidDueError` where a due time is none.
   */
  expect(kind: Kind, wanted: Wanted): Expectation {
    const entry = this.entryOf(kind);
    return this.raise(kind, {
      ...wanted,
      subject: { type: entry.subjectType, id: wanted.subject },
      expects: wanted.expects ?? expectsOf(entry, wanted.subject),
      factKey: wanted.factKey ?? factKeyOf(kind, entry, wanted.subject),
      basis: wanted.basis ?? entry.basis,
    });
  }

  /** Raises what a question of this task waits for (§11), to be carried by the status message that asks it. */
  expectAnswer(kind: Kind, wanted: Omit<Wanted, 'subject'>): Expectation {
    return this.expect(kind, { ...wanted, subject: this.task.taskId });
  }

  /**
   * Gives more time to what lapsed, or is still open, by one that supersedes it (§10.3). Its fact key is the kind's unless
   * given. Throws as `expect` does: with `lineage_bound` where it has been extended as often as it may, which `canExtend`
   * tells before.
   */
  extend(extended: Lapse | Expectation, more: MoreTime): Expectation {
    const { kind, subject, expects, expectationId } = extended;
    const entry = this.entryOf(kind as Kind);
    const isLapse = 'lapse' in extended;
    const factKey = isLapse ? (more.factKey ?? factKeyOf(kind, entry, subject.id)) : extended.satisfiedBy.factKey;
    const basis = more.basis ?? (isLapse ? entry.basis : extended.basis);
    const dueAt = isLapse ? extended.projectedDueAt : extended.dueAt;
    const lineage = isLapse ? extended.lineage : 0;
    this.judge.know({ expectationId, kind, subject, expects, satisfiedBy: { factKey }, dueAt, basis }, lineage);
    const own = { ...more, subject, supersedes: expectationId, basis };
    return this.raise(kind, { ...own, expects: more.expects ?? expects, factKey: more.factKey ?? factKey });
  }

  /** Whether what lapsed may be given more time once more, as far as the lineage bound goes. */
  canExtend({ lineage }: Lapse): boolean {
    return lineage < (this.definition.lineageBound ?? 3);
  }

  /** Withdraws what is expected no more (§8.1). What is not open any more is not changed by it. */
  withdraw(named: Named | readonly Named[], reason?: string): void {
    const ids = isMany(named) ? named.map(idOf) : [idOf(named)];
    if (!ids.every(isUsableId)) throw new TypeError("what is withdrawn is named by expectations' ids");
    this.withdrawn.push(...ids);
    if (reason !== undefined) this.reasons.add(reason);
  }

  /** Reports a fact that the agent has observed itself (§9.2), now unless it says when. Throws as `expect` does. */
  report(observed: Pick<Fact, 'factKey' | 'subject'> & { readonly observedAt?: Due; readonly source?: string }): Fact {
    const { factKey, subject, source = 'agent' } = observed;
    const observedAt = dueAtOf(observed.observedAt ?? { in: 'PT0S' }, this.clock.now());
    const fact = { factKey, observedAt, source, ...(subject && { subject }) };
    const refusal = this.judge.fact(fact);
    if (refusal !== undefined) throw new ExpectationRefusedError(undefined, refusal);
    this.facts.push(fact);
    return fact;
  }

  /**
   * The artifact or status message with all that was built since the last one, each once. As it is where there is nothing
   * to say, or where the client has not activated the extension (§7).
   */
  on<Carried extends object>(carrier: Carried & Carrier): Carried {
    const { expectations, facts, withdrawn } = this;
    const reason = [...this.reasons].join('; ').slice(0, limits.textCharacters);
    this.expectations = [];
    this.facts = [];
    this.withdrawn = [];
    this.reasons = new Set();
    this.judge.carry(withdrawn, facts);
    if (!this.isActivated || expectations.length + facts.length + withdrawn.length === 0) return carrier;
    return carriedBy(carrier, {
      ...(expectations.length > 0 && { expectations }),
      ...(withdrawn.length > 0 && { withdraw: withdrawn, ...(reason !== '' && { reason }) }),
      ...(facts.length > 0 && { facts }),
    });
  }

  // What is not in the table is refused by the core, as undeclared.
  private entryOf(kind: Kind): KindEntry {
    const { kinds } = this.definition;
    const unknown: KindEntry = { subjectType: 'unknown', describes: kind, basis: 'declared' };
    return Object.hasOwn(kinds, kind) ? kinds[kind] : unknown;
  }

  private raise(
    kind: string,
    wanted: Required<Pick<Common, 'expects' | 'factKey' | 'basis'>> & RaisedFrom,
  ): Expectation {
    const { subject, anchor, after, grace, horizon } = wanted;
    const nowMs = this.clock.now();
    const supersedes = wanted.supersedes === undefined ? undefined : idOf(wanted.supersedes);
    const expectation: Expectation = {
      expectationId: wanted.expectationId ?? this.idFor(kind, subject, supersedes),
      kind,
      subject,
      expects: wanted.expects,
      satisfiedBy: { factKey: wanted.factKey },
      dueAt: wanted.due === undefined ? this.projectedFrom(anchor) : dueAtOf(wanted.due, nowMs),
      ...(grace !== undefined && { grace }),
      ...(anchor !== undefined && { anchor: { expectationId: idOf(anchor.to), offset: anchor.offset } }),
      ...(after !== undefined && { after: isMany(after) ? after.map(idOf) : [idOf(after)] }),
      ...(horizon !== undefined && { horizon: dueAtOf(horizon, nowMs) }),
      basis: wanted.basis,
      ...(supersedes !== undefined && { supersedes }),
    };
    const refusal = this.judge.expectation(expectation);
    if (refusal !== undefined) throw new ExpectationRefusedError(expectation.expectationId, refusal);
    if (!this.raised.has(expectation.expectationId)) this.expectations.push(expectation);
    this.raised.set(expectation.expectationId, expectation);
    return expectation;
  }

  // Without one the core says what is missing.
  private projectedFrom(anchor: Wanted['anchor']): string {
    const at = anchor && this.raised.get(idOf(anchor.to));
    const offset = anchor && parseDuration(anchor.offset);
    return at && offset ? formatInstant(addDuration(parseInstant(at.dueAt), offset)) : '';
  }

  /** The same task, message, kind and subject give the same id: work that is done again raises nothing new. */
  private idFor(kind: string, subject: Expectation['subject'], supersedes: string | undefined): string {
    const { taskId, messageId = '' } = this.task;
    const names = [taskId, messageId, kind, subject.type, subject.id, supersedes ?? ''];
    return `exp-${createHash('sha256')
      .update(JSON.stringify([EXTENSION_URI, ...names]))
      .digest('hex')
      .slice(0, 32)}`;
  }
}

type RaisedFrom = Omit<Wanted, 'subject'> & { readonly subject: Expectation['subject'] };

function isMany(named: Named | readonly Named[]): named is readonly Named[] {
  return Array.isArray(named);
}
