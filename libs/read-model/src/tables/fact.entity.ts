// A fact as it was recorded, with what it satisfied; and the subjects it is recorded on.
import { Entity } from 'typeorm';
import type { InstantText, Json, Subject } from '#expectations';
import { HashColumn, InstantColumn, JsonColumn, OpaqueColumn, WholeColumn } from '../columns.ts';

/** An expectation by its name within the tenant. */
export interface ExpectationName {
  readonly agentId: string;
  readonly expectationId: string;
}

@Entity('fact')
export class FactRow {
  @OpaqueColumn({ primary: true })
  tenant!: string;

  /** The fact's number in the tenant's ledger; rises. */
  @WholeColumn({ primary: true })
  factNumber!: number;

  @WholeColumn()
  ledgerOffset!: number;

  @OpaqueColumn()
  reporter!: string;

  @OpaqueColumn()
  factKey!: string;

  @InstantColumn()
  observedAt!: InstantText;

  @InstantColumn()
  receivedAt!: InstantText;

  @JsonColumn()
  subjects!: readonly Subject[];

  /** As reported, unknown fields included. */
  @JsonColumn()
  fact!: { readonly [key: string]: Json };

  /** What it satisfied, in order. */
  @JsonColumn()
  satisfied!: readonly ExpectationName[];
}

@Entity('fact_subject')
export class FactSubjectRow {
  /** Over tenant, type and id. */
  @HashColumn({ primary: true })
  subjectHash!: string;

  @WholeColumn({ primary: true })
  factNumber!: number;
}
