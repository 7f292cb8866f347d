// Keeps facts that are too implausible to be told to the log, until an operator releases them.
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { parseInstant } from '#expectations';
import { EDGE_DATABASE, QuarantinedFact } from '#runtime';

/** A fact that nobody believes, with who reported it and why it is not believed. */
export interface ImplausibleFact {
  readonly reporter: string;
  readonly fact: unknown;
  readonly message: string;
}

const batchSize = 1_000;

@Injectable()
export class Quarantine {
  constructor(@Inject(EDGE_DATABASE) private readonly database: DataSource) {}

  /** Once for the same fact of the same reporter, however often it comes. */
  async keep(tenant: string, facts: readonly ImplausibleFact[]): Promise<void> {
    const rows = facts.map((read) => ({ tenant, ...toRow(read) }));
    for (let start = 0; start < rows.length; start += batchSize) {
      const values = rows.slice(start, start + batchSize);
      await this.database.createQueryBuilder().insert().into(QuarantinedFact).values(values).orIgnore().execute();
    }
  }
}

function toRow({ reporter, fact, message }: ImplausibleFact) {
  return {
    identity: createHash('sha256')
      .update(JSON.stringify([reporter, ...sameness(fact)]))
      .digest(),
    reporter: JSON.stringify(reporter),
    fact: JSON.stringify(fact),
    reason: message,
  };
}

/** By what a fact is known again, beside its reporter (semantics, *Facts*): its key, and its instant to the millisecond. */
function sameness(fact: unknown): readonly unknown[] {
  const { factKey, observedAt } = fact as { readonly factKey?: unknown; readonly observedAt?: unknown };
  return [factKey, parseInstant(observedAt)];
}
