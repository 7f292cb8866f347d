// What the bench feeds: texts of inputs with ids, keys and sentences of the lengths of the example in §8.
// It must never hand out the same object twice: strings are new with every parse, as they are when a log is read.
import type { ArtifactObserved, FactReported, FactsReported, Input, Tick } from '#expectations';

const EXTENSION = 'https://rsaxb.com/a2a/expectations/v1';
const REPORTER = 'carrier-feed:emirates';
const START_MS = Date.parse('2026-09-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const AGENT_ID = 'booking-agent';
export const STEPS = ['manifest', 'departure', 'arrival'] as const;

/** Three expectations an artifact, one artifact a task, more artifacts than subjects. */
export interface Sizes {
  readonly artifactCount: number;
  readonly subjectCount: number;
  /** How many manifests, from the first on, are due at one and the same instant. */
  readonly herdCount: number;
}

export interface FactRef {
  readonly artifact: number;
  readonly step: (typeof STEPS)[number];
}

/** Texts of inputs, as a log holds them, at instants that rise. */
export class Workload {
  /** Milliseconds since the start. */
  private sinceMs = 0;

  constructor(readonly sizes: Sizes) {}

  /** Everything is recorded within the first hour; what is due is due from the tenth day on. */
  artifact(index: number): string {
    const of = subjectOf(this.sizes, index);
    const id = (step: string): string => expectationId(index, step);
    const dueMs = index < this.sizes.herdCount ? 10 * DAY_MS : 11 * DAY_MS + (index % 20_000) * 60_000;
    const subject = { type: 'shipment', id: of.subjectId };
    const manifest = {
      expectationId: id('MANIFEST'),
      kind: 'shipment.manifest',
      subject,
      expects: `the airline manifest for ${of.subjectId}`,
      satisfiedBy: { factKey: keyOf(of.keyId, 'manifest') },
      dueAt: instant(dueMs),
      grace: 'PT2H',
      basis: 'observed',
    };
    const departure = {
      expectationId: id('DEPART'),
      kind: 'shipment.departure',
      subject,
      expects: `a departure event for EK${String(index % 900).padStart(3, '0')}`,
      satisfiedBy: { factKey: keyOf(of.keyId, 'departure') },
      dueAt: instant(dueMs + 7 * HOUR_MS),
      grace: 'PT6H',
      basis: 'observed',
      after: [id('MANIFEST')],
    };
    const arrival = {
      expectationId: id('ARRIVE'),
      kind: 'shipment.arrival',
      subject,
      expects: 'an arrival event at DOH',
      satisfiedBy: { factKey: keyOf(of.keyId, 'arrival') },
      dueAt: instant(dueMs + 8.75 * HOUR_MS),
      grace: 'PT6H',
      anchor: { expectationId: id('DEPART'), offset: 'PT1H45M' },
      basis: 'observed',
      after: [id('DEPART')],
      horizon: instant(dueMs + 56 * HOUR_MS),
    };
    this.sinceMs = Math.max(this.sinceMs, index * 10);
    return JSON.stringify(this.carrying(index, { expectations: [manifest, departure, arrival] }));
  }

  /** The agent withdraws what an artifact raised. */
  withdrawal(index: number): string {
    const withdraw = ['MANIFEST', 'DEPART', 'ARRIVE'].map((step) => expectationId(index, step));
    return JSON.stringify(this.carrying(index, { withdraw, reason: 'the booking was moved' }));
  }

  /** A fact that nothing waits for; half of them about a subject on which something is open. */
  unmatched(from: number, count: number): string {
    const facts = Array.from({ length: count }, (_, offset) => {
      const index = from + offset;
      const subjectId = index % 2 === 0 ? subjectIdOf(index % this.sizes.subjectCount) : `QX-26-${six(index)}`;
      return this.fact(`shipment.scanned:QX-26-${six(index)}`, subjectId);
    });
    return this.report(facts);
  }

  satisfying(refs: readonly FactRef[]): string {
    const facts = refs.map(({ artifact, step }) => {
      const { subjectId, keyId } = subjectOf(this.sizes, artifact);
      return this.fact(keyOf(keyId, step), subjectId);
    });
    return this.report(facts);
  }

  /** Time passes up to so many days, hours and milliseconds after the start. */
  tick(day: number, hours = 0, ms = 0): string {
    this.sinceMs = Math.max(this.sinceMs, day * DAY_MS + hours * HOUR_MS + ms);
    return JSON.stringify({ type: 'tick', at: instant(this.sinceMs) } satisfies Tick);
  }

  private carrying(index: number, block: unknown): ArtifactObserved {
    return {
      type: 'artifactObserved',
      at: instant(this.sinceMs),
      agentId: AGENT_ID,
      taskId: uuid(index, 0x7a5),
      contextId: uuid(index, 0xc0e),
      artifact: { artifactId: `booking-${letters(index)}`, metadata: { [EXTENSION]: block } },
    };
  }

  private fact(factKey: string, subjectId: string): unknown {
    this.sinceMs += 1;
    const subject = { type: 'shipment', id: subjectId };
    return { factKey, observedAt: instant(this.sinceMs - 90_000), source: REPORTER, subject };
  }

  private report(facts: readonly unknown[]): string {
    const at = instant(this.sinceMs);
    const input: FactsReported | FactReported =
      facts.length === 1
        ? { type: 'factReported', at, reporter: REPORTER, fact: facts[0] }
        : { type: 'factsReported', at, reporter: REPORTER, facts };
    return JSON.stringify(input);
  }
}

/** The agent's card: the three kinds. */
export function declaration(): string {
  const kinds = STEPS.map((step) => ({ kind: `shipment.${step}`, subjectType: 'shipment', basis: 'observed' }));
  return JSON.stringify({
    type: 'agentDeclared',
    at: instant(0),
    agentId: AGENT_ID,
    params: { keepsTime: false, lapseSkill: 'handle_lapse', kinds },
  } satisfies Input);
}

/** Past the first round of subjects, artifacts are about a second leg: the same subjects, other keys. */
function subjectOf(sizes: Sizes, artifact: number): { readonly subjectId: string; readonly keyId: string } {
  const subjectId = subjectIdOf(artifact % sizes.subjectCount);
  const leg = Math.floor(artifact / sizes.subjectCount);
  return { subjectId, keyId: leg === 0 ? subjectId : `P${String.fromCharCode(65 + leg)}${subjectId.slice(2)}` };
}

function subjectIdOf(index: number): string {
  return `PA-26-${six(index)}`;
}

function expectationId(artifact: number, step: string): string {
  return `exp-${letters(artifact)}${step}`;
}

function keyOf(keyId: string, step: FactRef['step']): string {
  const names = { manifest: 'manifest.received', departure: 'departed', arrival: 'arrived' };
  return `shipment.${names[step]}:${keyId}`;
}

function six(index: number): string {
  return String(index).padStart(6, '0');
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Eight letters as an id of the example has them, different for every index. */
function letters(index: number): string {
  let mixed = Math.imul(index + 1, 0x9e3779b1) >>> 0;
  let text = '';
  for (let place = 0; place < 6; place += 1) {
    text += ALPHABET[mixed & 31] ?? '';
    mixed >>>= 5;
  }
  return text + (ALPHABET[mixed & 3] ?? '') + 'Q';
}

function uuid(index: number, salt: number): string {
  const hex = (value: number, length: number): string =>
    (value >>> 0).toString(16).padStart(length, '0').slice(-length);
  const first = hex(Math.imul(index + 1, 0x9e3779b1), 8);
  return `${first}-${hex(salt, 4)}-4${hex(index, 3)}-8${hex(salt, 3)}-${hex(index, 12)}`;
}

function instant(sinceMs: number): string {
  return new Date(START_MS + sinceMs).toISOString().replace('.000Z', 'Z');
}
