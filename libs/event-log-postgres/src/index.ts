// The log in PostgreSQL: `openPostgresEventLog`; and snapshots beside it.
export * from './open.ts';
export * from './postgres-snapshot-store.ts';
