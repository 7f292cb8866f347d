// The extension's descriptor and JSON Schemas (Expectations, Appendix A): what is served as `extension.json`. They say what the
// core reads, unknown members included; what a schema cannot say (the 30th of February, an anchor to itself) only the core refuses.
import { DURATION_PATTERN } from '#expectations';
import { EXTENSION_URI } from '#protocol/pure';

const text = { type: 'string', minLength: 1 } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;
const instant = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})$',
  description: 'RFC 3339, in UTC.',
} as const;
const duration = { type: 'string', pattern: DURATION_PATTERN.source, description: 'ISO 8601, not negative.' } as const;
const basis = { ...text, examples: ['observed', 'contract', 'declared'] } as const;
const subject = { $ref: '#/$defs/Subject' } as const;

const definitions = {
  ExpectationKind: object('§6.2', ['kind', 'subjectType', 'describes', 'basis'], {
    ...{ kind: text, subjectType: text, describes: text, basis, skills: texts },
  }),
  Subject: object('§8', ['type', 'id'], { type: text, id: text }),
  Expectation: object('§8', ['expectationId', 'kind', 'subject', 'expects', 'satisfiedBy', 'dueAt', 'basis'], {
    ...{ expectationId: text, kind: text, subject, expects: text },
    satisfiedBy: { type: 'object', required: ['factKey'], properties: { factKey: text } },
    dueAt: instant,
    grace: duration,
    anchor: {
      ...{ type: 'object', required: ['expectationId', 'offset'] },
      properties: { expectationId: text, offset: duration },
    },
    ...{ after: texts, horizon: instant, basis, supersedes: text },
  }),
  Fact: object('§9.2', ['factKey', 'observedAt', 'source'], {
    factKey: text,
    observedAt: instant,
    source: text,
    subject,
  }),
  Lapse: object(
    '§10.1',
    ['expectationId', 'kind', 'subject', 'expects', 'lapse', 'projectedDueAt', 'dueAt', 'lapsedAt', 'lineage'],
    {
      ...{ expectationId: text, kind: text, subject, expects: text },
      lapse: { ...text, examples: ['overdue', 'skipped', 'stalled'] },
      ...{ projectedDueAt: instant, dueAt: instant, lapsedAt: instant, lastFactAt: instant },
      ...{ satisfiedAfter: texts, lineage: count },
    },
  ),
  ExpectationRecord: {
    ...object('§9.3', ['expectationId', 'kind', 'subject', 'expects', 'projectedDueAt', 'dueAt', 'status', 'lineage'], {
      ...{ expectationId: text, kind: text, subject, expects: text, projectedDueAt: instant, dueAt: instant },
      status: { enum: ['open', 'satisfied', 'withdrawn'] },
      ...{ satisfiedAt: instant, observedAt: instant, source: text, late: { type: 'boolean' } },
      ...{ supersedes: text, lineage: count },
    }),
  },
} as const;

/** The document, as JSON: `$defs` of the objects, and the schemas of the declaration and of the block in metadata. */
export const extensionJson = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `${EXTENSION_URI}/extension.json`,
  title: 'A2A Expectations Extension, Version 1',
  uri: EXTENSION_URI,
  status: 'draft',
  description: 'The block in the metadata of an artifact or a message, under the URI of the extension.',
  type: 'object',
  properties: {
    expectations: { type: 'array', items: { $ref: '#/$defs/Expectation' } },
    withdraw: texts,
    reason: { type: 'string' },
    facts: { type: 'array', items: { $ref: '#/$defs/Fact' } },
    lapse: { $ref: '#/$defs/Lapse' },
  },
  $defs: {
    Declaration: object('§6.1', ['keepsTime', 'lapseSkill', 'kinds'], {
      ...{ keepsTime: { type: 'boolean' }, lapseSkill: text },
      kinds: { type: 'array', items: { $ref: '#/$defs/ExpectationKind' } },
    }),
    ...definitions,
  },
} as const;

function object<const Properties extends object>(
  paragraph: string,
  required: readonly string[],
  properties: Properties,
): { type: 'object'; description: string; required: readonly string[]; properties: Properties } {
  return { type: 'object', description: `Expectations ${paragraph}`, required, properties };
}
