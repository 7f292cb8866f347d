// One notification of lapses to people, from the first lapse of its group until the sink has taken it.
import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

@Entity({ name: 'notice' })
@Index('notice_gathering', ['groupKey'], { unique: true, where: 'NOT sealed' })
@Index('notice_sealed', ['groupKey'], { unique: true, where: 'sealed' })
@Index('notice_due', ['partition', 'dueAt'])
export class NoticeRow {
  @PrimaryColumn('bigint')
  @Generated('increment')
  seq!: string;

  @Column('int')
  partition!: number;

  @Column('text')
  tenant!: string;

  @Column('text', { name: 'sink_id' })
  sinkId!: string;

  /** Of a sink, an agent and a kind. */
  @Column('text', { name: 'group_key' })
  groupKey!: string;

  /** JSON text of agent and kind: `text` cannot hold every string that JSON can. */
  @Column('text')
  about!: string;

  /** JSON texts of the first lapses. */
  @Column('text', { array: true })
  lapses!: string[];

  /** How many lapses there are besides. */
  @Column('int', { name: 'more_count' })
  moreCount!: number;

  /** JSON texts of lapses that are over, and when each was: of a sealed one. */
  @Column('text', { array: true, default: [] })
  closings!: string[];

  /** True once it was about to be sent: it is what it is from there on. */
  @Column('boolean', { default: false })
  sealed!: boolean;

  @Column('int', { name: 'failures_count', default: 0 })
  failuresCount!: number;

  @Column('timestamptz', { name: 'made_at' })
  madeAt!: Date;

  @Column('timestamptz', { name: 'due_at' })
  dueAt!: Date;
}
