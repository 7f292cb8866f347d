// What agents declare (§6) and what is set, per tenant and agent, as last decided.
import { Column, Entity } from 'typeorm';
import type { InstantText, Settings } from '#expectations';
import { HashColumn, InstantColumn, JsonColumn, OpaqueColumn } from '../columns.ts';

@Entity('declaration')
export class DeclarationRow {
  /** Over tenant and agent. */
  @HashColumn({ primary: true })
  agentHash!: string;

  @OpaqueColumn()
  tenant!: string;

  @OpaqueColumn()
  agentId!: string;

  /** The parameters under the extension's URI, as read from the card. */
  @JsonColumn({ nullable: true })
  params!: unknown;

  @InstantColumn()
  declaredAt!: InstantText;
}

@Entity('setting')
export class SettingRow {
  /** Over the tenant alone, or tenant and agent. */
  @HashColumn({ primary: true })
  scopeHash!: string;

  @OpaqueColumn()
  tenant!: string;

  /** Null: for the whole tenant. */
  @OpaqueColumn({ nullable: true })
  agentId!: string | null;

  /** All that has been set, the latest of each. Already checked, so `jsonb` can hold and merge it. */
  @Column('jsonb')
  settings!: Partial<Settings>;

  @InstantColumn()
  configuredAt!: InstantText;
}
