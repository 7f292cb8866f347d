// Writes that were answered 202, kept so that they can be answered later. It must never hold a decision.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { EDGE_DATABASE, UnansweredWrite } from '#runtime';
import type { WritePlan } from './answers/write-answer.ts';

export interface KeptWrite {
  readonly offsets: readonly number[];
  readonly ledgerFrom: number;
  readonly plan: WritePlan;
}

@Injectable()
export class UnansweredWrites {
  constructor(@Inject(EDGE_DATABASE) private readonly database: DataSource) {}

  /** For 7 days, by the database's clock. */
  async keep(tenant: string, position: string, write: KeptWrite): Promise<void> {
    const repository = this.database.getRepository(UnansweredWrite);
    await repository.createQueryBuilder().delete().where("created_at < now() - interval '7 days'").execute();
    await repository.insert({
      tenant,
      position,
      offsets: write.offsets.map(String),
      ledgerFrom: String(write.ledgerFrom),
      plan: JSON.stringify(write.plan),
    });
  }

  async find(tenant: string, position: string): Promise<KeptWrite | undefined> {
    const row = await this.database.getRepository(UnansweredWrite).findOneBy({ tenant, position });
    if (row === null) return undefined;
    return {
      offsets: row.offsets.map(Number),
      ledgerFrom: Number(row.ledgerFrom),
      plan: JSON.parse(row.plan) as WritePlan,
    };
  }
}
