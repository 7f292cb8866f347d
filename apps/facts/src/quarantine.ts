// Keeps facts that are too implausible to be told to the log, until an operator releases them.
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { FactRead } from '#protocol';
import { EDGE_DATABASE, QuarantinedFact } from '#runtime';

export type ImplausibleFact = Extract<FactRead, { readonly outcome: 'quarantined' }>;

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
  const text = JSON.stringify(fact);
  return {
    identity: createHash('sha256')
      .update(JSON.stringify([reporter, text]))
      .digest(),
    reporter: JSON.stringify(reporter),
    fact: text,
    reason: message,
  };
}
