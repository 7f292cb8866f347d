// A TypeORM data source that one instance after the other sits on: each statement goes through the world as its own.
import type { DataSource } from 'typeorm';
import type { Instance } from '../instance.ts';
import type { SharedDatabase } from './shared-database.ts';
import { SimulatedConnection } from './simulated-connection.ts';

type Connected = (error: Error | undefined, connection?: SimulatedConnection, release?: () => void) => void;

/** What TypeORM's PostgreSQL driver wants of a pool. */
interface Pool {
  connect(done: Connected): void;
  end(done: () => void): void;
}

export class Seat {
  private owner: Instance | undefined;
  private idle: SimulatedConnection[] = [];

  private constructor(
    readonly source: DataSource,
    private readonly database: SharedDatabase,
  ) {}

  /** Takes the real pool out of a data source that is connected. */
  static async make(source: DataSource, database: SharedDatabase): Promise<Seat> {
    const seat = new Seat(source, database);
    const driver = source.driver as unknown as { master: Pool };
    const real = driver.master;
    driver.master = {
      connect: (done) => seat.connect(done),
      end: (done) => done(),
    };
    await new Promise<void>((resolve) => real.end(() => resolve()));
    return seat;
  }

  /** From here on it is this instance that speaks. */
  take(instance: Instance): DataSource {
    this.owner = instance;
    this.idle = [];
    return this.source;
  }

  private connect(done: Connected): void {
    const { owner } = this;
    if (owner?.isAlive !== true) return;
    const connection = this.idle.pop() ?? new SimulatedConnection(this.database, owner);
    done(undefined, connection, () => {
      if (owner === this.owner && !connection.isLost) this.idle.push(connection);
    });
  }
}
