// What can be wrong with an agent's declaration: a closed list, each with the paragraph it goes against.

type Severity = 'error' | 'warning';

/** `error`: the declaration goes against a MUST; what of it can be read is used all the same. */
interface FindingRule {
  readonly severity: Severity;
  /** Of the specification of the extension. */
  readonly paragraph: string;
  /** What it means for whoever publishes the card. */
  readonly meaning: string;
}

export const findingRules = {
  card_unreadable: rule('error', '6.1', 'The card is not a JSON object, so nothing in it can be read.'),
  extension_missing: rule(
    'error',
    '6.1',
    'The card does not declare the extension: nothing the agent raises is recorded.',
  ),
  extension_repeated: rule('warning', '6.1', 'The card declares the extension twice; the first declaration is used.'),
  version_unknown: rule(
    'warning',
    '15',
    'The card declares a version that this watcher does not understand; it is not read.',
  ),
  required_set: rule('error', '6.1', '`required` must be false: clients that do not know the extension lose nothing.'),
  params_missing: rule('error', '6.1', 'The declaration has no `params`, so nothing is declared.'),
  keeps_time_invalid: rule('error', '6.1', '`keepsTime` must be true or false; it is taken as false.'),
  lapse_skill_missing: rule('error', '6.1', '`lapseSkill` must name the skill that a lapse task invokes.'),
  lapse_skill_unknown: rule('error', '6.1', '`lapseSkill` names a skill that is not on the card.'),
  kinds_missing: rule('error', '6.1', '`kinds` must be there; an empty list says that nothing is expected.'),
  kinds_invalid: rule('error', '6.1', '`kinds` must be a list, of at most 1,000 kinds.'),
  kind_invalid: rule('error', '6.2', 'A kind must be an object with a `kind`; this one is not declared.'),
  kind_repeated: rule('error', '6.2', 'A `kind` must be unique within the declaration; the first is used.'),
  subject_type_missing: rule('error', '6.2', 'A kind must say its `subjectType`.'),
  describes_missing: rule('error', '6.2', "A kind must say in a person's words what it `describes`."),
  describes_placeholder: rule('error', '6.2', '`describes` must not be a placeholder.'),
  basis_missing: rule('error', '6.2', 'A kind must say its `basis`: where its due times come from.'),
  basis_unknown: rule('warning', '6.2', '`basis` is none of observed, contract, declared.'),
  skills_invalid: rule('error', '6.2', "A kind's `skills` must be a list of skill ids, of at most 1,000."),
  skill_unknown: rule('warning', '6.2', "A kind's `skills` name a skill that is not on the card."),
  keeps_time_missing: rule('warning', '6.1', '`keepsTime` should be there, true or false; it is taken as false.'),
  personal_data: rule(
    'warning',
    '14',
    'An example looks like personal data: subjects and facts should be keyed by stable internal identifiers.',
  ),
  more_findings: rule('warning', '6', 'There is more to be said of the card than is listed here.'),
  interface_missing: rule(
    'warning',
    '10.1',
    'The card offers no JSONRPC or HTTP+JSON interface: no lapse can be submitted.',
  ),
  kind_dropped: rule(
    'warning',
    '8',
    'Kinds that the card declared before are gone: what the agent raises of them from now on is refused.',
  ),
  interface_other_origin: rule(
    'warning',
    '13.1',
    "An interface is at another origin than the card: it is called without the agent's credential. `auth.origins` may list it.",
  ),
} as const;

export type FindingCode = keyof typeof findingRules;

/** How many findings are kept of one card. */
const findingsCount = 200;
/** How much of what the card says is repeated in a finding (characters). */
const detailCharacters = 100;

/** One thing that is wrong with a declaration. */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode;
  /** JSON path in the card. */
  readonly path: string;
  readonly message: string;
  readonly paragraph: string;
}

export function finding(code: FindingCode, path: string, detail?: string): Finding {
  const { severity, paragraph, meaning } = findingRules[code];
  const shown = detail === undefined ? undefined : Array.from(detail.slice(0, 2 * detailCharacters));
  return {
    severity,
    code,
    path,
    message: shown === undefined ? meaning : `${meaning} (${shown.slice(0, detailCharacters).join('')})`,
    paragraph: `§${paragraph}`,
  };
}

/** No more than are worth reading; the last then says that there are more. */
export function boundedFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= findingsCount) return findings;
  return [...findings.slice(0, findingsCount - 1), finding('more_findings', '$')];
}

function rule(severity: Severity, paragraph: string, meaning: string): FindingRule {
  return { severity, paragraph, meaning };
}
