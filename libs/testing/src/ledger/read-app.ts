// The read side as it runs, for tests: HTTP, a read model on PostgreSQL, and a ledger written by the test.
import { Global, Module, type Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { LedgerEvent } from '#event-log';
import { openReadModel, READ_MODEL, READ_MODEL_FOR_QUESTIONS, rebuildReadModel } from '#read-model';
import { type EdgeApp, startEdgeApp } from '../edges/edge-app.ts';
import { createDatabase } from '../postgres/create-database.ts';
import { LedgerScript } from './ledger-script.ts';

export interface ReadApp {
  readonly edge: EdgeApp;
  readonly readModel: DataSource;
  readonly script: LedgerScript;
  /** Secrets of keys with the scope `read`: of the tenant `acme`, and of `globex`. */
  readonly key: string;
  readonly otherKey: string;
  /** Appends a record for each list of events, and folds them. */
  tell(tenant: string, ...records: readonly (readonly LedgerEvent[])[]): Promise<void>;
  /** Folds what is in the ledger. */
  fold(): Promise<void>;
  /** The body of an answer with the status 200; with `key` unless another is given. Throws otherwise. */
  get(path: string, key?: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts an application of these modules; nothing decides in it. */
export async function startReadApp(modules: readonly Type<unknown>[]): Promise<ReadApp> {
  const database = await createDatabase();
  const readModel = await openReadModel(database.url);
  const ports = [READ_MODEL, READ_MODEL_FOR_QUESTIONS].map((provide) => ({ provide, useValue: readModel }));
  @Global()
  @Module({ providers: ports, exports: ports })
  class ReadModelModule {}
  const edge = await startEdgeApp([ReadModelModule, ...modules]);
  await edge.decider.stop();
  const script = new LedgerScript(edge.log);
  const key = await edge.key({ scopes: ['read'] });
  const fold = async (): Promise<void> => {
    await rebuildReadModel(readModel, edge.log);
  };
  return {
    ...{ edge, readModel, script, key, fold },
    otherKey: await edge.key({ scopes: ['read'], tenant: 'globex' }),
    tell: async (tenant, ...records) => {
      for (const events of records) await script.decided(tenant, ...events);
      await fold();
    },
    get: async (path, as = key) => {
      const { status, body } = await edge.call('GET', path, { key: as });
      if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    close: async () => {
      await edge.close();
      await readModel.destroy();
      await database.drop();
    },
  };
}
