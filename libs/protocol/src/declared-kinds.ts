// The kinds that an agent declares (Expectations §6.2): the readable ones, and what is wrong with each.
import { type Finding, finding } from './finding.ts';
import { isUsableId, limits } from './limits.ts';
import { personalLook } from './personal.ts';
import { isList, isObject, isStorable, isWithinLength, type JsonObject, member, textMember } from './shape.ts';

/** One kind as it is told to the log; what the card does not say, or says unreadably, is absent. */
export interface DeclaredKind {
  readonly kind: string;
  readonly subjectType?: string;
  readonly describes?: string;
  readonly basis?: string;
  readonly skills?: readonly string[];
}

const bases: readonly string[] = ['observed', 'contract', 'declared'];
const kindsCount = 1_000;
/** How deep an example is looked into, and how many members of each object of it. */
const exampleDepth = 4;
const exampleMembersCount = 20;
/** Of one kind. */
const skillsCount = 1_000;

// What people leave in a field they mean to fill in later, punctuation and case aside.
const placeholders = new Set(
  ['todo', 'tbd', 'tba', 'fixme', 'xxx', 'string', 'text', 'description', 'describes', 'placeholder', 'example'].concat(
    ['lorem ipsum', 'n a', 'na', 'none', 'null', 'undefined', 'foo', 'bar', 'test', 'change me', 'changeme', 'kind'],
  ),
);

/** The kinds that can be used, in the card's order, each once. Adds what is wrong to `findings`. */
export function readKinds(
  kinds: unknown,
  skills: ReadonlySet<string>,
  path: string,
  findings: Finding[],
): readonly DeclaredKind[] {
  if (kinds === undefined || kinds === null) {
    findings.push(finding('kinds_missing', path));
    return [];
  }
  if (!isList(kinds) || kinds.length > kindsCount) {
    findings.push(finding('kinds_invalid', path));
    return [];
  }
  const read = new Map<string, DeclaredKind>();
  kinds.forEach((entry, index) => {
    const kindPath = `${path}[${index}]`;
    const kind = isObject(entry) ? member(entry, 'kind') : undefined;
    if (!isObject(entry) || !isUsableId(kind)) findings.push(finding('kind_invalid', kindPath));
    else if (read.has(kind)) findings.push(finding('kind_repeated', `${kindPath}.kind`, kind));
    else read.set(kind, { kind, ...readKind(entry, skills, kindPath, findings) });
  });
  return [...read.values()];
}

function readKind(
  entry: JsonObject,
  skills: ReadonlySet<string>,
  path: string,
  findings: Finding[],
): Omit<DeclaredKind, 'kind'> {
  const subjectType = usableText(entry, 'subjectType');
  if (subjectType === undefined) findings.push(finding('subject_type_missing', `${path}.subjectType`));
  const describes = usableText(entry, 'describes');
  if (describes === undefined) findings.push(finding('describes_missing', `${path}.describes`));
  else if (isPlaceholder(describes)) findings.push(finding('describes_placeholder', `${path}.describes`, describes));
  const basis = usableText(entry, 'basis');
  if (basis === undefined) findings.push(finding('basis_missing', `${path}.basis`));
  else if (!bases.includes(basis)) findings.push(finding('basis_unknown', `${path}.basis`, basis));
  findPersonal(entry, path, findings);
  const ofSkills = readSkills(member(entry, 'skills'), skills, `${path}.skills`, findings);
  return {
    ...(subjectType !== undefined && { subjectType }),
    ...(describes !== undefined && { describes }),
    ...(basis !== undefined && { basis }),
    ...(ofSkills && { skills: ofSkills }),
  };
}

// §14: what a card shows as an example is what subjects and keys will be like.
function findPersonal(entry: JsonObject, path: string, findings: Finding[]): void {
  for (const name of ['describes', 'example', 'examples']) {
    const place = personalPlace(member(entry, name), `${path}.${name}`, exampleDepth);
    if (place !== undefined) return void findings.push(finding('personal_data', place.path, place.look));
  }
}

function personalPlace(
  value: unknown,
  path: string,
  depth: number,
): { readonly path: string; readonly look: string } | undefined {
  if (typeof value === 'string') {
    const look = personalLook(value);
    return look && { path, look };
  }
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value).slice(0, exampleMembersCount)) {
    const place = personalPlace(inner, isList(value) ? `${path}[${name}]` : `${path}.${name}`, depth - 1);
    if (place !== undefined) return place;
  }
  return undefined;
}

function readSkills(
  value: unknown,
  skills: ReadonlySet<string>,
  path: string,
  findings: Finding[],
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!isList(value) || value.length > skillsCount || !value.every(isUsableId)) {
    findings.push(finding('skills_invalid', path));
    return undefined;
  }
  const unknown = value.filter((skill) => !skills.has(skill));
  const [first] = unknown;
  if (first !== undefined) {
    const detail = unknown.length === 1 ? first : `${first}, and ${unknown.length - 1} more`;
    findings.push(finding('skill_unknown', `${path}[${value.indexOf(first)}]`, detail));
  }
  return value;
}

function usableText(entry: JsonObject, name: string): string | undefined {
  const text = textMember(entry, name);
  if (text === undefined || text.trim() === '' || !isStorable(text)) return undefined;
  return isWithinLength(text, limits.textCharacters) ? text : undefined;
}

/** Whether a text says nothing: only punctuation, or one of the words people leave in a field to be filled in. */
export function isPlaceholder(text: string): boolean {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words === '' || placeholders.has(words) || /^(todo|tbd|fixme)\b/.test(words);
}
