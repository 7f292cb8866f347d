// The log in PostgreSQL: `openPostgresEventLog`.
export * from './open.ts';
