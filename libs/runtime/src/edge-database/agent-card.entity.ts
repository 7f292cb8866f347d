// One version of an agent's card, as it was read. The newest is the one that the agent is called by.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'agent_card' })
export class AgentCard {
  @PrimaryColumn('text')
  tenant!: string;

  /** As `Agent` has it. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  /** From 1; old ones are let go of. */
  @PrimaryColumn('integer')
  version!: number;

  /** JSON text, as are the next three. */
  @Column('text')
  card!: string;

  @Column('text')
  declaration!: string;

  @Column('text')
  findings!: string;

  /** Against the version before; `null` for the first. */
  @Column('text')
  changes!: string;

  @Column('text', { nullable: true })
  etag!: string | null;

  @Column('timestamptz', { name: 'read_at', default: () => 'now()' })
  readAt!: Date;
}
