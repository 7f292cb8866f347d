// The limit: the same operations on the same inputs with bare `Map`s and a binary heap. It looks up, links and makes
// events of the same fields; it checks nothing, refuses nothing and forgets nothing. Only the bench may use it.
import type { ArtifactObserved, Input, Json } from '#expectations';
import { BinaryHeap } from './binary-heap.ts';
import type { Contestant } from './contestant.ts';

interface Raised {
  readonly expectationId: string;
  readonly kind: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly expects: string;
  readonly satisfiedBy: { readonly factKey: string };
  readonly dueAt: string;
  readonly grace: string;
  readonly anchor?: { readonly expectationId: string; readonly offset: string };
  readonly after?: readonly string[];
  readonly horizon?: string;
}

interface Fact {
  readonly factKey: string;
  readonly observedAt: string;
  readonly subject: { readonly type: string; readonly id: string };
}

interface Expectation {
  readonly raised: Raised;
  readonly agentId: string;
  readonly taskId: string;
  readonly contextId: string;
  status: 'open' | 'satisfied';
  dueAt: number;
  overdueAt: number;
  readonly horizon: number;
  isOverdue: boolean;
  readonly anchored: Expectation[];
  readonly after: Expectation[];
}

interface Subject {
  readonly open: Set<Expectation>;
  lastFactAt: string;
}

/** Durations of the workload, in milliseconds: nothing else occurs in it. */
const DURATION_MS: Readonly<Record<string, number>> = { PT2H: 7_200_000, PT6H: 21_600_000, PT1H45M: 6_300_000 };
const EXTENSION = 'https://rsaxb.com/a2a/expectations/v1';

export class BareMaps implements Contestant {
  private byId = new Map<string, Expectation>();
  private waiting = new Map<string, Expectation>();
  private subjects = new Map<string, Subject>();
  private tasks = new Map<string, Expectation[]>();
  private facts = new Map<string, number>();
  private recent = new Map<string, Fact[]>();
  private heap = new BinaryHeap<Expectation>();
  private factCount = 0;

  take(input: Input): number {
    const events: unknown[] = [];
    switch (input.type) {
      case 'artifactObserved':
        this.record(input, events);
        break;
      case 'factReported':
        this.report(input.at, input.reporter, input.fact as Fact, events);
        break;
      case 'factsReported':
        for (const fact of input.facts as readonly Fact[]) this.report(input.at, input.reporter, fact, events);
        break;
      case 'tick':
        this.fire(input.at, events);
        break;
      default:
        break;
    }
    return events.length;
  }

  openCount(): number {
    return this.waiting.size;
  }

  snapshot(): string[] {
    return [...this.byId.values()].map(({ raised, agentId, taskId, contextId, status, dueAt, isOverdue }) =>
      JSON.stringify({ raised, agentId, taskId, contextId, status, dueAt, isOverdue }),
    );
  }

  restore(texts: Iterable<string>): void {
    this.byId = new Map();
    this.waiting = new Map();
    this.subjects = new Map();
    this.tasks = new Map();
    this.heap = new BinaryHeap();
    for (const text of texts) {
      const row = JSON.parse(text) as Expectation;
      this.enlist(row.raised, row.agentId, row.taskId, row.contextId, row.dueAt);
    }
  }

  private record(input: ArtifactObserved, events: unknown[]): void {
    const { at, agentId, taskId, contextId } = input;
    const { metadata } = input.artifact as { metadata: Record<string, { expectations: Raised[] }> };
    for (const raised of metadata[EXTENSION]?.expectations ?? []) {
      const { expectationId, dueAt } = raised;
      if (this.byId.has(expectationId)) continue;
      this.enlist(raised, agentId, taskId, contextId, Date.parse(dueAt));
      const { factKey } = raised.satisfiedBy;
      if (this.recent.get(factKey) !== undefined) continue;
      const content = raised as unknown as Json;
      const of = { at, agentId, expectationId, taskId, contextId };
      const rest = { content, projectedDueAt: dueAt, dueAt, lineage: 0, question: false, warnings: [] };
      events.push({ type: 'expectationRecorded', ...of, ...rest });
    }
  }

  private enlist(raised: Raised, agentId: string, taskId: string, contextId: string, dueAt: number): void {
    const { subject, grace, anchor, after, horizon, satisfiedBy } = raised;
    const expectation: Expectation = {
      ...{ raised, agentId, taskId, contextId, status: 'open', dueAt, isOverdue: false, anchored: [], after: [] },
      overdueAt: dueAt + (DURATION_MS[grace] ?? 0),
      horizon: horizon === undefined ? Infinity : Date.parse(horizon),
    };
    this.byId.set(raised.expectationId, expectation);
    this.waiting.set(satisfiedBy.factKey, expectation);
    const ofSubject = this.subjects.get(subject.id);
    if (ofSubject === undefined) this.subjects.set(subject.id, { open: new Set([expectation]), lastFactAt: '' });
    else ofSubject.open.add(expectation);
    const ofTask = this.tasks.get(taskId);
    if (ofTask === undefined) this.tasks.set(taskId, [expectation]);
    else ofTask.push(expectation);
    if (anchor !== undefined) this.byId.get(anchor.expectationId)?.anchored.push(expectation);
    for (const id of after ?? []) {
      const named = this.byId.get(id);
      if (named !== undefined) expectation.after.push(named);
    }
    this.heap.push(Math.min(expectation.overdueAt, expectation.horizon), expectation);
  }

  private report(at: string, reporter: string, fact: Fact, events: unknown[]): void {
    const { factKey, observedAt, subject } = fact;
    const identity = `${reporter} ${factKey} ${observedAt}`;
    if (this.facts.has(identity)) return;
    this.factCount += 1;
    this.facts.set(identity, this.factCount);
    const ofKey = this.recent.get(factKey);
    if (ofKey === undefined) this.recent.set(factKey, [fact]);
    else ofKey.push(fact);
    const ofSubject = this.subjects.get(subject.id);
    if (ofSubject !== undefined) ofSubject.lastFactAt = observedAt;
    const of = { at, reporter, index: 0, fact, observedAt };
    events.push({ type: 'factRecorded', ...of, factNumber: this.factCount, subjects: [subject] });
    const expectation = this.waiting.get(factKey);
    if (expectation !== undefined) this.satisfy(at, reporter, fact, expectation, events);
  }

  private satisfy(at: string, source: string, fact: Fact, expectation: Expectation, events: unknown[]): void {
    const { agentId, raised, after, anchored, dueAt } = expectation;
    const { factKey, observedAt } = fact;
    this.waiting.delete(factKey);
    expectation.status = 'satisfied';
    this.subjects.get(raised.subject.id)?.open.delete(expectation);
    const ofTask = this.tasks.get(expectation.taskId);
    ofTask?.splice(ofTask.indexOf(expectation), 1);
    const observed = Date.parse(observedAt);
    const late = observed > dueAt;
    const reportedLate = Date.parse(at) > dueAt;
    const of = { at, agentId, expectationId: raised.expectationId, satisfiedAt: at, observedAt, source };
    const rest = { late, reportedLate, factKey, factNumber: this.factCount, how: 'fact' };
    events.push({ type: 'expectationSatisfied', ...of, ...rest });
    for (const behind of anchored) this.reanchor(at, behind, raised.expectationId, observed, events);
    for (const skipped of after) {
      if (skipped.status === 'open') events.push({ type: 'expectationLapsed', at, agentId, lapse: 'skipped' });
    }
  }

  private reanchor(at: string, behind: Expectation, anchorId: string, observed: number, events: unknown[]): void {
    const { agentId, raised } = behind;
    behind.dueAt = observed + (DURATION_MS[raised.anchor?.offset ?? ''] ?? 0);
    behind.overdueAt = behind.dueAt + (DURATION_MS[raised.grace] ?? 0);
    this.heap.push(Math.min(behind.overdueAt, behind.horizon), behind);
    const dueAt = new Date(behind.dueAt).toISOString();
    events.push({ type: 'expectationReanchored', at, agentId, expectationId: raised.expectationId, anchorId, dueAt });
  }

  private fire(at: string, events: unknown[]): void {
    const now = Date.parse(at);
    while (this.heap.firstKey < now) {
      const expectation = this.heap.pop();
      if (expectation?.status !== 'open' || expectation.isOverdue || expectation.overdueAt >= now) continue;
      expectation.isOverdue = true;
      this.heap.push(expectation.overdueAt + 90 * 86_400_000, expectation);
      const { agentId, taskId, contextId, raised } = expectation;
      const { expectationId, kind, subject, expects } = raised;
      const dueAt = new Date(expectation.dueAt).toISOString();
      const messageId = `lapse:${expectationId}:overdue:${dueAt}`;
      const of = { expectationId, kind, subject, expects, lapse: 'overdue', projectedDueAt: raised.dueAt, dueAt };
      const lapse = { ...of, lapsedAt: at, lineage: 0 };
      const rest = { taskId, contextId, messageId, lapse, selfTimed: false };
      events.push({ type: 'expectationLapsed', at, agentId, expectationId, ...rest });
    }
  }
}
