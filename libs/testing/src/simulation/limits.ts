// The product's limits, drawn so tight that a simulated story of some hundred records reaches them: outputs in pieces,
// reads that end early, batches that are full. Nothing but the numbers is another's than the product's.
import type { Mutant } from '../mutants/mutant.ts';

function limit(file: string, name: string, number: string, tight: number): Mutant {
  const found = `const ${name} = ${number};`;
  return { name: `${name} is ${tight}`, file, find: found, replace: `const ${name} = ${tight};` };
}

export const tightLimits: readonly Mutant[] = [
  limit('apps/timekeeper/src/decided-run.ts', 'EVENTS_AN_ENTRY', '1_000', 3),
  limit('apps/timekeeper/src/decided-run.ts', 'DEADLINES_A_RUN', '50', 2),
  limit('apps/timekeeper/src/output-writer.ts', 'RECORDS_A_TRANSACTION', '2_000', 2),
  // A turn of the machine's own event loop is none of the seed's.
  limit('apps/timekeeper/src/output-writer.ts', 'EVENTS_A_TURN', '50', 1_000_000),
  limit('apps/timekeeper/src/turns.ts', 'READ_LIMIT', '1_000', 7),
  limit('apps/timekeeper/src/turns.ts', 'WORTH_LOOKING_AHEAD', '100', 3),
  limit('apps/timekeeper/src/recovery.ts', 'RECORDS_A_READ', '500', 11),
  limit('apps/dispatcher/src/ledger-follower.ts', 'batchRecords', '500', 9),
  limit('apps/dispatcher/src/ledger-follower.ts', 'silentRecords', '5_000', 25),
  limit('apps/dispatcher/src/reporter.ts', 'batchReports', '500', 3),
  limit('apps/dispatcher/src/agent-lane.ts', 'concurrentSends', '4', 2),
  limit('apps/dispatcher/src/agent-lane.ts', 'askedAhead', '16', 3),
  limit('apps/dispatcher/src/tenant-slots.ts', 'slotsPerTenant', '64', 1),
  limit('libs/read-model/src/ledger-reader.ts', 'LEAST_RECORDS', '16', 2),
  limit('libs/read-model/src/ledger-reader.ts', 'MOST_RECORDS', '2_000', 9),
];
