// Writes what a batch changes, within the transaction it is given: a handful of statements, whatever the batch's size.
import type { QueryRunner } from 'typeorm';
import { terminalStates } from '#expectations';
import { type Changes, finalStates } from '../fold/changes.ts';
import { toStoredText } from '../stored-text.ts';
import { DeclarationRow } from '../tables/declaration.entity.ts';
import { ExpectationRow } from '../tables/expectation.entity.ts';
import { FactRow, FactSubjectRow } from '../tables/fact.entity.ts';
import { HoldRow, ParkedInputRow } from '../tables/hold.entity.ts';
import { LapseRow } from '../tables/lapse.entity.ts';
import { OpenExpectationRow } from '../tables/open-expectation.entity.ts';
import { RefusalRow } from '../tables/refusal.entity.ts';
import { TaskRow } from '../tables/task.entity.ts';
import { encodeArray } from './pg-array.ts';
import { writePauses } from './write-pauses.ts';
import { deleteRows, insertRows, patchRows, upsertRows } from './bulk.ts';
import { writeAwaited } from './write-awaited.ts';

const lapseIdentity = ['expectationHash', 'occurrence', 'lapse'] as const;
const isUnfinished = `stored.dispatch_state NOT IN (${finalStates.map((state) => `'${state}'`).join()})`;

type ExpectationUse = Pick<ExpectationRow, 'expectationHash' | 'occurrence'>;

/** Patches come before rows: what a patch is for was stored before the batch. */
export async function writeChanges(runner: QueryRunner, changes: Changes): Promise<void> {
  await addStoredOccurrences(runner, changes);
  const patches = [...changes.expectationPatches.values()];
  await patchRows(runner, ExpectationRow, patches, ['expectationHash'], { where: `stored.status = 'open'` });
  await insertRows(runner, ExpectationRow, changes.recorded);
  await writeOpen(runner, changes);
  await concludeEnded(runner, changes);
  const isParked = `stored.dispatch_state = 'parked'`;
  await patchRows(runner, LapseRow, [...changes.parkedPatches.values()], lapseIdentity, { where: isParked });
  await patchRows(runner, LapseRow, [...changes.unfinishedPatches.values()], lapseIdentity, { where: isUnfinished });
  await patchRows(runner, LapseRow, [...changes.lapsePatches.values()], lapseIdentity);
  await insertRows(runner, LapseRow, [...changes.lapsed.values()]);
  await concludeAcknowledged(runner, changes);
  await addSatisfied(runner, changes);
  await insertRows(runner, FactRow, [...changes.facts.values()]);
  await insertRows(runner, FactSubjectRow, changes.factSubjects);
  await insertRows(runner, RefusalRow, changes.refusals);
  await patchRows(runner, RefusalRow, [...changes.tellings.values()], ['tenant', 'ledgerOffset', 'eventIndex']);
  await writeAwaited(runner, changes);
  await upsertRows(runner, TaskRow, [...changes.tasks.values()], ['statusAt']);
  await upsertRows(runner, DeclarationRow, [...changes.declarations.values()]);
  await mergeSettings(runner, changes);
  await insertRows(runner, HoldRow, changes.holds);
  await insertRows(runner, ParkedInputRow, changes.parkedInputs);
  await releaseHolds(runner, changes);
  await writePauses(runner, changes);
}

/** The list of what is open follows: what was closed goes, what changed is changed, what is new and still open comes. */
async function writeOpen(runner: QueryRunner, changes: Changes): Promise<void> {
  const patches = [...changes.expectationPatches.values()];
  const closed = patches.filter(({ status }) => status !== undefined);
  const changed = patches.filter(({ status }) => status === undefined);
  const use = (row: ExpectationUse): string => `${row.expectationHash}:${row.occurrence}`;
  const lapsedUses = new Set([...changes.lapsed.values()].map(use));
  const recordedUses = new Set(changes.recorded.map(use));
  const lapsed = [...changes.lapsed.values()].filter((row) => !recordedUses.has(use(row)));
  const added = changes.recorded.filter(({ status }) => status === 'open');
  await deleteRows(runner, OpenExpectationRow, closed, 'expectationHash');
  await patchRows(runner, OpenExpectationRow, changed, ['expectationHash']);
  await patchRows(runner, OpenExpectationRow, lapsed.map(lapsedPatch), ['expectationHash']);
  const rows = added.map((row) => openRow(row, lapsedUses.has(use(row))));
  await insertRows(runner, OpenExpectationRow, rows);
}

function openRow(row: ExpectationRow, lapsed: boolean): OpenExpectationRow {
  const { expectationHash, occurrence, tenant, dueAt, ledgerOffset, eventIndex, suspended } = row;
  return { expectationHash, occurrence, tenant, dueAt, ledgerOffset, eventIndex, suspended, lapsed };
}

function lapsedPatch({ expectationHash }: LapseRow): Partial<OpenExpectationRow> {
  return { expectationHash, lapsed: true };
}

/** An id used again counts on from the occurrences stored. */
async function addStoredOccurrences(runner: QueryRunner, changes: Changes): Promise<void> {
  const { recorded, lapsed, lapsePatches, unfinishedPatches, parkedPatches } = changes;
  const patched = [lapsePatches, unfinishedPatches, parkedPatches].flatMap((patches) => [...patches.values()]);
  const counted = [...recorded, ...lapsed.values(), ...patched];
  if (counted.length === 0) return;
  const hashes = [...new Set(counted.map(({ expectationHash }) => expectationHash))];
  const stored = (await runner.query(
    `SELECT replace(expectation_hash::text, '-', '') AS hash, max(occurrence)::int AS occurrence
       FROM duewatch_read.expectation WHERE expectation_hash = ANY ($1::uuid[]) GROUP BY expectation_hash`,
    [encodeArray('uuid', hashes, (hash) => hash)],
  )) as { hash: string; occurrence: number }[];
  if (stored.length === 0) return;
  const occurrences = new Map(stored.map(({ hash, occurrence }) => [hash, occurrence]));
  for (const row of counted) row.occurrence += occurrences.get(row.expectationHash) ?? 0;
}

/** A fact received earlier satisfies what was recorded later: its JSON list is continued. */
async function addSatisfied(runner: QueryRunner, changes: Changes): Promise<void> {
  const continued = `CASE stored.satisfied WHEN '[]' THEN patch.satisfied
    ELSE left(stored.satisfied, -1) || ',' || substr(patch.satisfied, 2) END`;
  const patches = [...changes.factPatches.values()];
  await patchRows(runner, FactRow, patches, ['tenant', 'factNumber'], { assign: { satisfied: continued } });
}

async function mergeSettings(runner: QueryRunner, changes: Changes): Promise<void> {
  for (const { scopeHash, tenant, agentId, settings, configuredAt } of changes.settings.values()) {
    await runner.query(
      `INSERT INTO duewatch_read.setting AS stored (scope_hash, tenant, agent_id, settings, configured_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (scope_hash) DO UPDATE
         SET settings = stored.settings || excluded.settings, configured_at = excluded.configured_at`,
      [
        scopeHash,
        toStoredText(tenant),
        agentId === null ? null : toStoredText(agentId),
        JSON.stringify(settings),
        configuredAt,
      ],
    );
  }
}

async function releaseHolds(runner: QueryRunner, changes: Changes): Promise<void> {
  for (const { partition, inboxOffset, tenant, releasedAt, releasedBy } of changes.releases) {
    await runner.query(
      `UPDATE duewatch_read.hold SET released_at = $4, released_by = $5
        WHERE partition = $1 AND inbox_offset = $2 AND tenant IS NOT DISTINCT FROM $3`,
      [partition, inboxOffset, tenant === null ? null : toStoredText(tenant), releasedAt, toStoredText(releasedBy)],
    );
  }
}

/** What was submitted before this batch and has ended in it; what the batch itself says of those lapses comes after. */
async function concludeEnded(runner: QueryRunner, { endedTasks }: Changes): Promise<void> {
  if (endedTasks.size === 0) return;
  await runner.query(
    `UPDATE duewatch_read.lapse SET dispatch_state = 'concluded'
      WHERE dispatch_task_hash = ANY ($1::uuid[]) AND dispatch_state = 'submitted'`,
    [encodeArray('uuid', [...endedTasks], (hash) => hash)],
  );
}

/** What was submitted in this batch and had ended before it: the tasks are still as they were then. */
async function concludeAcknowledged(runner: QueryRunner, { acknowledgedTasks }: Changes): Promise<void> {
  if (acknowledgedTasks.size === 0) return;
  await runner.query(
    `UPDATE duewatch_read.lapse AS stored SET dispatch_state = 'concluded'
      WHERE dispatch_task_hash = ANY ($1::uuid[]) AND dispatch_state = 'submitted'
        AND (SELECT state FROM duewatch_read.task WHERE task_hash = stored.dispatch_task_hash) = ANY ($2::text[])`,
    [encodeArray('uuid', [...acknowledgedTasks], (hash) => hash), terminalStates],
  );
}
