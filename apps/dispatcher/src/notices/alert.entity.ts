// One lapse that a sink which holds alerts is told of, from when it is gathered until its end is, or until it has ended by
// itself. Ids stand in it hashed or as JSON text: `text` cannot hold every string that JSON can.
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ name: 'alert' })
@Index('alert_expectation', ['expectationKey'])
@Index('alert_closed', ['groupKey', 'closedAt'], { where: 'closed_at IS NOT NULL' })
@Index('alert_end', ['partition', 'endsAt'])
export class AlertRow {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text', { name: 'sink_id' })
  sinkId!: string;

  /** The lapse's identity (`lapseKeyOf`). */
  @PrimaryColumn('text', { name: 'lapse_key' })
  lapseKey!: string;

  @Column('int')
  partition!: number;

  /** By it the end of the expectation finds it. */
  @Column('text', { name: 'expectation_key' })
  expectationKey!: string;

  /** Of its notice. */
  @Column('text', { name: 'group_key' })
  groupKey!: string;

  /** JSON text of the lapse. */
  @Column('text')
  lapse!: string;

  /** From then on the sink holds it no more, told or not. */
  @Column('timestamptz', { name: 'ends_at' })
  endsAt!: Date;

  /** When its expectation was closed, of which the sink is still to be told. */
  @Column('timestamptz', { name: 'closed_at', nullable: true })
  closedAt!: Date | null;
}
