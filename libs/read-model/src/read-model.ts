// The read model: tables in the schema `duewatch_read`, folded from the ledger and from nothing else, so that they can
// be dropped and made again at any time.
import type { DataSource } from 'typeorm';
import { openOwnSchema } from '#runtime';
import { SnakeNaming } from './columns.ts';
import { AwaitedTasks1797000002000 } from './migrations/awaited-tasks.migration.ts';
import { Holds1796000000000 } from './migrations/holds.migration.ts';
import { Pauses1797000001000 } from './migrations/pauses.migration.ts';
import { PossibleDuplicate1797000000000 } from './migrations/possible-duplicate.migration.ts';
import { ReadModel1790000000000 } from './migrations/read-model.migration.ts';
import { ToldRefusals1800000000000 } from './migrations/told-refusals.migration.ts';
import { AwaitedTaskRow } from './tables/awaited-task.entity.ts';
import { DeclarationRow, SettingRow } from './tables/declaration.entity.ts';
import { ExpectationRow } from './tables/expectation.entity.ts';
import { FactRow, FactSubjectRow } from './tables/fact.entity.ts';
import { HoldRow, ParkedInputRow } from './tables/hold.entity.ts';
import { LapseRow } from './tables/lapse.entity.ts';
import { OpenExpectationRow } from './tables/open-expectation.entity.ts';
import { PauseRow } from './tables/pause.entity.ts';
import { ParkedRecordRow, PositionRow } from './tables/position.entity.ts';
import { RefusalRow } from './tables/refusal.entity.ts';
import { TaskRow } from './tables/task.entity.ts';

/** The injection token of the read model's `DataSource`, for who folds and for what is sent. */
export const READ_MODEL = Symbol('ReadModel');
/** Another, with connections of its own: however much is asked, folding goes on. */
export const READ_MODEL_FOR_QUESTIONS = Symbol('ReadModelForQuestions');

/** Every table, in the order in which they are emptied. */
export const readTables = [
  ExpectationRow,
  OpenExpectationRow,
  LapseRow,
  FactRow,
  FactSubjectRow,
  RefusalRow,
  TaskRow,
  AwaitedTaskRow,
  DeclarationRow,
  SettingRow,
  HoldRow,
  ParkedInputRow,
  PauseRow,
  ParkedRecordRow,
  PositionRow,
] as const;

/**
 * Connects and migrates; the caller destroys it. `poolSize` bounds the connections, 20 where it is not given. Throws
 * the driver's error where the database cannot be reached.
 */
export function openReadModel(databaseUrl: string, poolSize = 20): Promise<DataSource> {
  return openOwnSchema({
    databaseUrl,
    schema: 'duewatch_read',
    migrationLock: 0x64756572,
    poolSize,
    entities: [...readTables],
    migrations: [
      ReadModel1790000000000,
      Holds1796000000000,
      PossibleDuplicate1797000000000,
      Pauses1797000001000,
      AwaitedTasks1797000002000,
      ToldRefusals1800000000000,
    ],
    namingStrategy: new SnakeNaming(),
  });
}
