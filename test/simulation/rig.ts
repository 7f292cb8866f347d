// What the runs of one program share, for it is dear to open: two databases, and the data sources on the one in use.
import type { DataSource } from 'typeorm';
import { openReadModel, readTables } from '#read-model';
import { createDatabase, type TestDatabase } from '#testing';
import { Seat } from './database/seat.ts';
import { SharedDatabase } from './database/shared-database.ts';
import { openDispatchDatabase } from './product.ts';

const PROJECTOR_SEATS = 3;

export class Rig {
  private constructor(
    private readonly databases: readonly TestDatabase[],
    readonly dispatchDatabase: SharedDatabase,
    readonly readDatabase: SharedDatabase,
    readonly dispatchSeat: Seat,
    readonly projectorSeats: readonly Seat[],
    /** A read model of its own, to be made afresh and compared with. */
    readonly fresh: DataSource,
  ) {}

  static async open(): Promise<Rig> {
    const databases = await Promise.all([createDatabase(), createDatabase()]);
    const [own, other] = databases;
    const dispatch = await openDispatchDatabase(own.url, 2);
    const readModels: DataSource[] = [];
    for (let seat = 0; seat < PROJECTOR_SEATS; seat += 1) readModels.push(await openReadModel(own.url, 2));
    const dispatchDatabase = await SharedDatabase.open(own.url);
    const readDatabase = await SharedDatabase.open(own.url);
    return new Rig(
      databases,
      dispatchDatabase,
      readDatabase,
      await Seat.make(dispatch, dispatchDatabase),
      await Promise.all(readModels.map((readModel) => Seat.make(readModel, readDatabase))),
      await openReadModel(other.url, 2),
    );
  }

  async begin(): Promise<void> {
    const { entityMetadatas } = this.dispatchSeat.source;
    await this.dispatchDatabase.begin(entityMetadatas.map(({ tableName }) => `duewatch_dispatch.${tableName}`));
    await this.readDatabase.begin(this.readTables);
  }

  get readTables(): readonly string[] {
    return readTables.map((table) => this.fresh.getMetadata(table).tablePath);
  }

  async close(): Promise<void> {
    await this.dispatchDatabase.close();
    await this.readDatabase.close();
    await this.fresh.destroy();
    await Promise.all(this.databases.map((database) => database.drop()));
  }
}
