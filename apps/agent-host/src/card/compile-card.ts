// The card as it is served, from `agent-card.yaml`; or every reason why it is not. Pure: a text comes in.
// It must never serve a claim that the host does not keep.
import { AgentCard } from '@a2a-js/sdk';
import { parseDocument } from 'yaml';
import type { DeclaredReminders } from '#reminders';
import { type Abilities, checkCapabilities } from './capabilities.ts';
import type { CardRefusal } from './card-refusal.ts';
import { cardShape } from './card-shape.ts';
import { checkExpectations } from './expectations.ts';
import { withEntries } from './handler-entries.ts';
import { readInterfaces, type ServedInterface } from './interfaces.ts';
import { checkShape, isMembers, listOf, type Members } from './members.ts';
import { withReminders } from './reminders.ts';
import { readSecurity, type SecurityClaims } from './security.ts';
import { checkVerified } from './verified-schemes.ts';

export interface CompiledCard {
  readonly card: AgentCard;
  readonly interfaces: readonly ServedInterface[];
  readonly security: SecurityClaims;
  /** Absent: the card claims nothing of them. */
  readonly reminders?: DeclaredReminders;
}

export type CompileAnswer = { readonly compiled: CompiledCard } | { readonly refusals: readonly CardRefusal[] };

/** It is part of each task's key. */
const mostNameBytes = 256;

/** Aliases would let a small file stand for a huge card. */
const mostAliasCount = 20;

export function compileCard(text: string, abilities: Abilities): CompileAnswer {
  const read = readYaml(text);
  if ('refusals' in read) return read;
  const members = withEntries(read.members, abilities.extensions);
  const { interfaces, refusals: wrongInterfaces } = readInterfaces(members);
  const { security, refusals: wrongSecurity } = readSecurity(members, abilities);
  const refusals = [
    ...checkShape(members, '', cardShape),
    ...wrongInterfaces,
    ...checkCapabilities(members['capabilities'] ?? {}, abilities),
    ...wrongSecurity,
    ...checkVerified(members, Object.keys(abilities.verifications)),
    ...checkSkills(listOf(members['skills'])),
    ...checkModes(members, abilities),
    ...checkExpectations(members),
  ];
  const { name } = members;
  if (typeof name === 'string' && Buffer.byteLength(name) > mostNameBytes) {
    const reason = `it names the application, and may have ${mostNameBytes} bytes at most`;
    refusals.push({ claim: 'name', code: 'too-long', reason });
  }
  if (listOf(members['signatures']).length > 0) {
    const reason = 'a signature of the source is none of the card that is compiled from it';
    refusals.push({ claim: 'signatures', code: 'signature-not-kept', reason });
  }
  if (refusals.length > 0) return { refusals: distinct(refusals) };
  const { card, reminders } = withReminders(members);
  return { compiled: { card: AgentCard.fromJSON(card), interfaces, security, ...(reminders && { reminders }) } };
}

function readYaml(text: string): { readonly members: Members } | { readonly refusals: readonly CardRefusal[] } {
  const unreadable = (reason: string): { readonly refusals: readonly CardRefusal[] } => ({
    refusals: [{ claim: '', code: 'unreadable', reason }],
  });
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  // Warnings are of tags that nobody knows: what stands there is not what is meant.
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) return unreadable(error.message);
  try {
    const value: unknown = document.toJS({ maxAliasCount: mostAliasCount });
    return isMembers(value) ? { members: value } : unreadable('the card must be an object');
  } catch (fault) {
    if (!(fault instanceof ReferenceError)) throw fault;
    return unreadable(fault.message);
  }
}

/** Beside their shape. */
function checkSkills(skills: readonly unknown[]): CardRefusal[] {
  const known = new Set<unknown>();
  const refusals: CardRefusal[] = [];
  for (const [index, skill] of skills.entries()) {
    if (!isMembers(skill)) continue;
    const at = `skills[${index}]`;
    const { id } = skill;
    if (known.has(id)) {
      refusals.push({ claim: `${at}.id`, code: 'skill-twice', reason: 'a skill before it has the same id' });
    }
    if (id !== undefined) known.add(id);
    if (listOf(skill['securityRequirements']).length > 0) {
      const reason = 'the host asks the same of every caller, whatever the skill';
      refusals.push({ claim: `${at}.securityRequirements`, code: 'scheme-not-enforced', reason });
    }
  }
  return refusals;
}

/** What two checks say of one claim is said once. */
function distinct(refusals: readonly CardRefusal[]): readonly CardRefusal[] {
  return [...new Map(refusals.map((each) => [JSON.stringify([each.claim, each.code, each.reason]), each])).values()];
}

/** Callers choose what they send by these. */
function checkModes(card: Members, { isTyped }: Abilities): CardRefusal[] {
  const modes = listOf(card['defaultInputModes']);
  const wanted = isTyped ? 'application/json' : 'text/plain';
  if (!Array.isArray(card['defaultInputModes']) || modes.includes(wanted)) return [];
  const reason = `the handler takes ${isTyped ? 'one data part' : 'text parts'}: ${wanted} must be among them`;
  return [{ claim: 'defaultInputModes', code: 'modes-of-input', reason }];
}
