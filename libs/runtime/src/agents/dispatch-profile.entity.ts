// How lapses are sent to an agent: what was set by hand, and what a probe has found.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'dispatch_profile' })
export class DispatchProfileRow {
  @PrimaryColumn('text')
  tenant!: string;

  /** SHA-256 of the agent's id, as in its own table. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  /** As set by hand; null where it is not. */
  @Column('text', { nullable: true })
  dedupes!: string | null;

  @Column('int', { name: 'rate_per_minute', nullable: true })
  ratePerMinute!: number | null;

  /** JSON text of the last probe, with the card's URL that it was made by; null where there was none. */
  @Column('text', { nullable: true })
  probe!: string | null;
}
