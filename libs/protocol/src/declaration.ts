// Reads what an agent's card declares under the extension (Expectations §6), and says what is wrong with it.
// It must never refuse a card: what can be read is used, and the decider refuses what is not declared.
import { isExpectationsUri, understoodUris } from './extension.ts';
import { boundedFindings, type Finding, finding } from './finding.ts';
import { type DeclaredKind, readKinds } from './declared-kinds.ts';
import { readInterfaces } from './interfaces.ts';
import { isUsableId } from './limits.ts';
import { isList, isObject, type JsonObject, member } from './shape.ts';

/** The declaration as it is told to the log: `agentDeclared.params`. */
export interface Declaration {
  readonly keepsTime: boolean;
  readonly lapseSkill?: string;
  readonly kinds: readonly DeclaredKind[];
}

export interface DeclarationRead {
  /** The version that was read; absent where none was. */
  readonly uri?: string;
  /** The readable part; empty where nothing is declared. */
  readonly params: Declaration;
  readonly findings: readonly Finding[];
}

const nothing: Declaration = { keepsTime: false, kinds: [] };

/**
 * Reads a card's JSON, of 1.0 (proto-JSON, camelCase or snake_case) or 0.3. Proto-JSON omits what is false or empty, so
 * an absent `required` is false and no finding; `params` are a Struct, of which it omits nothing. Never throws.
 */
export function readDeclaration(card: unknown): DeclarationRead {
  const read = readCard(card);
  return { ...read, findings: boundedFindings(read.findings) };
}

function readCard(card: unknown): DeclarationRead {
  if (!isObject(card)) return { params: nothing, findings: [finding('card_unreadable', '$')] };
  const findings: Finding[] = [];
  if (readInterfaces(card).length === 0) findings.push(finding('interface_missing', '$.supportedInterfaces'));
  const chosen = chooseExtension(card, findings);
  if (chosen === undefined) return { params: nothing, findings };
  const required = member(chosen.entry, 'required');
  if (required !== undefined && required !== false) findings.push(finding('required_set', `${chosen.path}.required`));
  const params = member(chosen.entry, 'params');
  if (!isObject(params)) {
    findings.push(finding('params_missing', `${chosen.path}.params`));
    return { uri: chosen.uri, params: nothing, findings };
  }
  const declared = readParams(params, skillsOf(card), `${chosen.path}.params`, findings);
  return { uri: chosen.uri, params: declared, findings };
}

interface ChosenExtension {
  readonly uri: string;
  readonly entry: JsonObject;
  readonly path: string;
}

// §15: an agent may declare several versions during a migration; the highest that is understood is used.
function chooseExtension(card: JsonObject, findings: Finding[]): ChosenExtension | undefined {
  const capabilities = member(card, 'capabilities');
  const extensions = isObject(capabilities) ? member(capabilities, 'extensions') : undefined;
  const declared = (isList(extensions) ? extensions : []).flatMap((entry, index): ChosenExtension[] => {
    const uri = isObject(entry) ? member(entry, 'uri') : undefined;
    if (!isObject(entry) || !isExpectationsUri(uri)) return [];
    return [{ uri, entry, path: `$.capabilities.extensions[${index}]` }];
  });
  const [chosen, repeated] = highestOf(declared, understoodUris);
  for (const { uri, path } of declared) {
    if (!understoodUris.includes(uri)) findings.push(finding('version_unknown', `${path}.uri`, uri));
  }
  if (chosen === undefined) findings.push(finding('extension_missing', '$.capabilities.extensions'));
  else if (repeated?.uri === chosen.uri) findings.push(finding('extension_repeated', repeated.path));
  return chosen;
}

/** Those that are understood, the highest first; `understood` is in that order. */
export function highestOf<Entry extends { readonly uri: string }>(
  declared: readonly Entry[],
  understood: readonly string[],
): readonly Entry[] {
  return understood.flatMap((uri) => declared.filter((entry) => entry.uri === uri));
}

function readParams(params: JsonObject, skills: ReadonlySet<string>, path: string, findings: Finding[]): Declaration {
  const keepsTime = member(params, 'keepsTime');
  if (keepsTime === undefined) findings.push(finding('keeps_time_missing', `${path}.keepsTime`));
  else if (typeof keepsTime !== 'boolean') {
    findings.push(finding('keeps_time_invalid', `${path}.keepsTime`));
  }
  const named = member(params, 'lapseSkill');
  const lapseSkill = isUsableId(named) ? named : undefined;
  if (lapseSkill === undefined) findings.push(finding('lapse_skill_missing', `${path}.lapseSkill`));
  else if (!skills.has(lapseSkill)) findings.push(finding('lapse_skill_unknown', `${path}.lapseSkill`, lapseSkill));
  const kinds = readKinds(member(params, 'kinds'), skills, `${path}.kinds`, findings);
  return { keepsTime: keepsTime === true, ...(lapseSkill !== undefined && { lapseSkill }), kinds };
}

function skillsOf(card: JsonObject): ReadonlySet<string> {
  const skills = member(card, 'skills');
  const ids = (isList(skills) ? skills : []).map((skill) => (isObject(skill) ? member(skill, 'id') : undefined));
  return new Set(ids.filter((id) => typeof id === 'string'));
}
