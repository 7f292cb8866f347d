// What the card says under the extension, made from the kinds table and checked as a watcher checks it (Expectations §6).
import { type Declaration, EXTENSION_URI, type Finding, readDeclaration, readKinds } from '#protocol/pure';
import type { Definition, KindEntry } from './kinds.ts';

/** One entry of `capabilities.extensions`, as A2A's JSON and its SDK have it. */
export interface ExtensionEntry {
  uri: string;
  description: string;
  required: boolean;
  params: { [name: string]: unknown };
}

/** What a card must have to be declared on: A2A's JSON, or the SDK's own form. */
export interface DeclarableCard {
  readonly capabilities?: ({ readonly extensions?: readonly object[] } & object) | undefined;
}

/** The declaration goes against the specification: a bug of whoever wrote it. `findings` say where. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError';
  readonly retryable = false;
  constructor(readonly findings: readonly Finding[]) {
    super(findings.map(({ path, message, paragraph }) => `${path}: ${message} (${paragraph})`).join('\n'));
  }
}

/** What is declared: `params` on the card. */
export function declarationOf({
  keepsTime = false,
  lapseSkill,
  kinds,
}: Definition): Declaration & { lapseSkill: string } {
  const declared = Object.entries<KindEntry>(kinds).map(([kind, { subjectType, describes, basis, skills }]) => ({
    ...{ kind, subjectType, describes, basis },
    ...(skills !== undefined && { skills: [...skills] }),
  }));
  return { keepsTime, lapseSkill, kinds: declared };
}

export function extensionEntryOf(definition: Definition): ExtensionEntry {
  const description = definition.description ?? 'States what this agent expects to happen next, and by when.';
  return { uri: EXTENSION_URI, description, required: false, params: { ...declarationOf(definition) } };
}

/**
 * The card with the declaration on it, in the place of any it had. Throws a `DeclarationError` where the declaration, on
 * this card, goes against the specification: a lapse skill that the card does not have, a kind that describes nothing.
 */
export function declaredOn<Card extends DeclarableCard>(card: Card, definition: Definition): Card {
  const others = (card.capabilities?.extensions ?? []).filter(
    (entry) => !('uri' in entry) || entry.uri !== EXTENSION_URI,
  );
  const capabilities = { ...card.capabilities, extensions: [...others, extensionEntryOf(definition)] };
  const declared = { ...card, capabilities };
  const wrong = readDeclaration(declared).findings.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) throw new DeclarationError(wrong);
  return declared;
}

/** Throws a `DeclarationError` where a kind of the table goes against §6.2, whatever the card. */
export function checkKinds(definition: Definition): void {
  const findings: Finding[] = [];
  const { kinds } = declarationOf(definition);
  readKinds(kinds, new Set(kinds.flatMap(({ skills }) => skills ?? [])), '$.kinds', findings);
  const wrong = findings.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) throw new DeclarationError(wrong);
}
