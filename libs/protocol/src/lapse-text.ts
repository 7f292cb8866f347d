// A lapse in a person's words, for whoever reads the task's history (Expectations §10.1).
// It names the subject, what was expected, when it was due, and what shows that it is missing.
import type { LapseBlock } from '#expectations';

/** What is known beside the lapse itself. */
export interface LapseContext {
  /** The expectation's grace, an ISO 8601 duration. */
  readonly grace?: string;
  /** What other expectations of the agent expect, by id. */
  readonly expectsById?: ReadonlyMap<string, string>;
}

export function lapseText(lapse: LapseBlock, context: LapseContext = {}): string {
  const subject = `${lapse.subject.type} ${lapse.subject.id}`;
  const missing = `${lapse.expects}, due at ${lapse.dueAt}${slip(lapse)}`;
  switch (lapse.lapse) {
    case 'overdue':
      return `Overdue for ${subject}: ${missing}${graceOf(context)}, had not come by ${lapse.lapsedAt}.`;
    case 'skipped':
      return `Skipped for ${subject}: ${missing}, had not come by ${lapse.lapsedAt}, although ${revealed(lapse, context)}.`;
    case 'stalled':
      return `Stalled for ${subject}: nothing had been reported ${silence(lapse)}, and ${missing}, had not come by ${lapse.lapsedAt}.`;
  }
}

function slip(lapse: LapseBlock): string {
  return lapse.dueAt === lapse.projectedDueAt ? '' : ` (first planned for ${lapse.projectedDueAt})`;
}

function graceOf(context: LapseContext): string {
  const isNone = context.grace === undefined || /^P(T?0+[A-Z])+$/.test(context.grace);
  return isNone ? '' : `, with ${context.grace} of grace`;
}

function revealed(lapse: LapseBlock, context: LapseContext): string {
  const steps = (lapse.satisfiedAfter ?? []).map((id) => {
    const expects = context.expectsById?.get(id);
    return expects === undefined ? id : `${expects} (${id})`;
  });
  return steps.length === 0 ? 'a later step had' : `what should follow it had: ${steps.join('; ')}`;
}

function silence(lapse: LapseBlock): string {
  return lapse.lastFactAt === undefined ? 'since it was expected' : `since ${lapse.lastFactAt}`;
}
