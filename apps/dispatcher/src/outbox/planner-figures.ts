// Tells the database's planner that the outbox has grown by much. It learns so by itself within a minute or so, and until
// then sorts a whole backlog for each look at its oldest.
import type { DataSource } from 'typeorm';

const firstAtCount = 1_000;
const mostCount = 10_000;

export class PlannerFigures {
  private readonly database: DataSource;
  private writtenCount = 0;
  private atCount = firstAtCount;

  constructor(database: DataSource) {
    this.database = database;
  }

  /** So many rows are new. Waits for nobody who is at the same. Throws faults. */
  async grown(count: number): Promise<void> {
    this.writtenCount += count;
    if (this.writtenCount < this.atCount) return;
    this.writtenCount = 0;
    this.atCount = Math.min(2 * this.atCount, mostCount);
    await this.database.query('ANALYZE (SKIP_LOCKED) duewatch_dispatch.outbox');
  }
}
