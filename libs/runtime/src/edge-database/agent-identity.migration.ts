// An agent is found by the hash of its id: the id itself may have 4 kB, an entry of an index may not.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgentIdentity1790000001000 implements MigrationInterface {
  readonly name = 'AgentIdentity1790000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_edge.agent DROP CONSTRAINT agent_pkey, ADD COLUMN identity bytea;
      UPDATE duewatch_edge.agent SET identity = sha256(convert_to(agent_id, 'UTF8'));
      ALTER TABLE duewatch_edge.agent ADD PRIMARY KEY (tenant, identity)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_edge.agent DROP COLUMN identity;
      ALTER TABLE duewatch_edge.agent ADD PRIMARY KEY (tenant, agent_id)`);
  }
}
