// Names of users, such that no two issuers' are one: a task is of whoever has the name.
import type { SchemeVerification } from '#agent-handler';

/** Bytes. It is part of each task's key. */
const mostNameBytes = 512;
const separator = '|';

export class UserNames {
  private readonly sources: ReadonlySet<string>;

  /** By the names of the schemes that the card requires. */
  constructor(private readonly verifications: ReadonlyMap<string, SchemeVerification>) {
    this.sources = new Set([...verifications.keys()].map((scheme) => this.sourceOf(scheme)));
  }

  /** Whether they are about the same people. */
  areOfOneSource(schemes: readonly string[]): boolean {
    return new Set(schemes.map((scheme) => this.sourceOf(scheme))).size <= 1;
  }

  /** The user of whom a scheme says `name`; undefined where that is no name, or none that could be kept. */
  of(scheme: string, name: unknown): string | undefined {
    if (!isName(name)) return undefined;
    const source = this.sourceOf(scheme);
    const user = this.isAsItIs(source, name) ? name : `${source}${separator}${name}`;
    return isName(user) ? user : undefined;
  }

  /** Not where it would look like another source's name. */
  private isAsItIs(source: string, name: string): boolean {
    if (this.sources.size === 1) return true;
    const [before, after] = name.split(separator, 2);
    return source === '' && (after === undefined || !this.sources.has(before ?? ''));
  }

  /** Without the separator: `check-handler.ts` has seen to it. */
  private sourceOf(scheme: string): string {
    const verification = this.verifications.get(scheme);
    const unlessGiven = verification !== undefined && 'issuer' in verification ? verification.issuer : scheme;
    return verification?.users ?? unlessGiven;
  }
}

export function isName(name: unknown): name is string {
  if (typeof name !== 'string' || name === '' || name.includes('\0')) return false;
  // Half a surrogate would be kept as another's.
  return Buffer.byteLength(name) <= mostNameBytes && Buffer.from(name).toString() === name;
}
