// Ledger events for tests of what folds them: every field has a default, so a test names only what matters.
import type {
  ConfiguredEvent,
  DispatchAcknowledgedEvent,
  DispatchAttemptedEvent,
  DispatchFailedEvent,
  DispatchVoided,
  ExpectationLapsed,
  ExpectationReanchored,
  ExpectationRecorded,
  ExpectationRefused,
  ExpectationReleased,
  ExpectationSatisfied,
  ExpectationSuspended,
  ExpectationWithdrawn,
  FactRecorded,
  FactRefused,
  LapseBlock,
  StatusApplied,
} from '#expectations';

const START_MS = Date.parse('2026-09-01T00:00:00Z');

/** So many seconds after the start of every test's story, as an instant. */
export function t(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString().replace(/\.?0+Z$/, 'Z');
}

const of = { at: t(0), agentId: 'booking', expectationId: 'e1' } as const;

/** `content` adds to, or replaces, the content as raised. */
export function expectationRecorded(fields: Partial<ExpectationRecorded> = {}): ExpectationRecorded {
  const dueAt = fields.projectedDueAt ?? fields.dueAt ?? t(60);
  return {
    type: 'expectationRecorded',
    ...of,
    taskId: 'task-1',
    contextId: 'context-1',
    projectedDueAt: dueAt,
    dueAt,
    lineage: 0,
    question: false,
    warnings: [],
    ...fields,
    content: {
      expectationId: fields.expectationId ?? of.expectationId,
      kind: 'shipment.departure',
      subject: { type: 'shipment', id: 'S1' },
      expects: 'S1 departs',
      satisfiedBy: { factKey: 'departed:S1' },
      dueAt,
      basis: 'observed',
      ...fields.content,
    },
  };
}

export function expectationSuspended(fields: Partial<ExpectationSuspended> = {}): ExpectationSuspended {
  return { type: 'expectationSuspended', ...of, behind: 'e0', ...fields };
}

export function expectationReleased(fields: Partial<ExpectationReleased> = {}): ExpectationReleased {
  return { type: 'expectationReleased', ...of, ...fields };
}

export function expectationReanchored(fields: Partial<ExpectationReanchored> = {}): ExpectationReanchored {
  return { type: 'expectationReanchored', ...of, anchorId: 'e0', dueAt: t(90), ...fields };
}

export function expectationSatisfied(fields: Partial<ExpectationSatisfied> = {}): ExpectationSatisfied {
  const at = fields.at ?? t(30);
  return {
    type: 'expectationSatisfied',
    ...of,
    at,
    satisfiedAt: at,
    observedAt: at,
    source: 'tower',
    late: false,
    reportedLate: false,
    how: 'fact',
    ...fields,
  };
}

export function expectationWithdrawn(fields: Partial<ExpectationWithdrawn> = {}): ExpectationWithdrawn {
  return { type: 'expectationWithdrawn', ...of, at: t(30), withdrawn: 'agent', ...fields };
}

/** `block` adds to, or replaces, the block of §10.1. */
export function expectationLapsed(
  fields: Partial<Omit<ExpectationLapsed, 'lapse'>> & { readonly block?: Partial<LapseBlock> } = {},
): ExpectationLapsed {
  const { block: blockFields, ...eventFields } = fields;
  const at = fields.at ?? t(61);
  const expectationId = fields.expectationId ?? of.expectationId;
  const block: LapseBlock = {
    expectationId,
    kind: 'shipment.departure',
    subject: { type: 'shipment', id: 'S1' },
    expects: 'S1 departs',
    lapse: 'overdue',
    projectedDueAt: t(60),
    dueAt: t(60),
    lapsedAt: at,
    lineage: 0,
    ...blockFields,
  };
  return {
    type: 'expectationLapsed',
    ...of,
    at,
    taskId: 'task-1',
    contextId: 'context-1',
    messageId: `lapse:${expectationId}:${block.lapse}:${block.dueAt}`,
    selfTimed: false,
    ...eventFields,
    lapse: block,
  };
}

const dispatch = { ...of, lapse: 'overdue', attempt: 1 } as const;

export function dispatchAttempted(fields: Partial<DispatchAttemptedEvent> = {}): DispatchAttemptedEvent {
  return { type: 'dispatchAttempted', ...dispatch, at: t(62), ...fields };
}

export function dispatchAcknowledged(fields: Partial<DispatchAcknowledgedEvent> = {}): DispatchAcknowledgedEvent {
  return { type: 'dispatchAcknowledged', ...dispatch, at: t(63), ...fields };
}

export function dispatchFailed(fields: Partial<DispatchFailedEvent> = {}): DispatchFailedEvent {
  return { type: 'dispatchFailed', ...dispatch, at: t(63), outcome: 'unreachable', cause: 'no answer', ...fields };
}

export function dispatchVoided(fields: Partial<DispatchVoided> = {}): DispatchVoided {
  return { type: 'dispatchVoided', ...dispatch, at: t(63), attempt: 0, cause: 'satisfied', ...fields };
}

/** `fact` adds to, or replaces, the fact as reported. */
export function factRecorded(fields: Partial<FactRecorded> = {}): FactRecorded {
  const at = fields.at ?? t(30);
  const observedAt = fields.observedAt ?? at;
  return {
    type: 'factRecorded',
    at,
    reporter: 'tower',
    index: 0,
    factNumber: 1,
    observedAt,
    subjects: [{ type: 'shipment', id: 'S1' }],
    ...fields,
    fact: { factKey: 'departed:S1', observedAt, subject: { type: 'shipment', id: 'S1' }, ...fields.fact },
  };
}

export function factRefused(fields: Partial<FactRefused> = {}): FactRefused {
  return {
    type: 'factRefused',
    at: t(30),
    reporter: 'tower',
    index: 0,
    factKey: 'departed:S1',
    code: 'invalid',
    message: 'observedAt: must be an RFC 3339 instant',
    ...fields,
  };
}

export function expectationRefused(fields: Partial<ExpectationRefused> = {}): ExpectationRefused {
  return {
    type: 'expectationRefused',
    ...of,
    taskId: 'task-1',
    contextId: 'context-1',
    code: 'undeclared_kind',
    message: 'kind: the card does not declare it',
    contentHash: '0'.repeat(32),
    reported: true,
    ...fields,
  };
}

export function statusApplied(fields: Partial<StatusApplied> = {}): StatusApplied {
  return {
    type: 'statusApplied',
    at: t(10),
    agentId: 'booking',
    taskId: 'task-1',
    contextId: 'context-1',
    state: 'TASK_STATE_WORKING',
    ...fields,
  };
}

export function configured(fields: Partial<ConfiguredEvent> = {}): ConfiguredEvent {
  return { type: 'configured', at: t(0), settings: {}, ...fields };
}
