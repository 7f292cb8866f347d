// ListTasks in PostgreSQL: a page by status, the latest first, from after the last task of the page before.
import { Task, type TaskState } from '@a2a-js/sdk';
import type { DataSource } from 'typeorm';
import { decodeTaskEvent } from '../task/task-event.ts';
import { foldTask } from '../task/task-life.ts';
import { mostPageBytes, type TaskPage, type TaskQuery, type TaskScope } from './task-store.ts';

interface ListedRow {
  readonly task_id: string;
  readonly context_id: string;
  readonly status_ms: string;
  readonly snapshot: string;
  readonly tail: readonly string[] | null;
  /** How many there are for the page, those included that are too many bytes. */
  readonly found_count: number;
}

const isAsked = `application = $1 AND user_name = $2 AND ($3::text IS NULL OR context_id = $3)
  AND ($4::int IS NULL OR state = $4) AND ($5::bigint IS NULL OR status_at >= to_timestamp($5 / 1000.0))`;

export async function listTasks(database: DataSource, scope: TaskScope, query: TaskQuery): Promise<TaskPage> {
  const asked: readonly (string | number | TaskState | null)[] = [
    ...[scope.application, scope.user, query.contextId ?? null],
    ...[query.state ?? null, query.statusFromMs ?? null],
  ];
  const { after, pageSize } = query;
  const [rows, counts] = await Promise.all([
    database.query<ListedRow[]>(
      `SELECT task_id, context_id, snapshot, found_count, (extract(epoch FROM status_at) * 1000)::bigint AS status_ms,
         (SELECT array_agg(event.event ORDER BY event.version) FROM duewatch_host.task_event AS event
          WHERE event.application = task.application AND event.user_name = task.user_name
            AND event.task_id = task.task_id AND event.version > task.snapshot_version) AS tail
       FROM (SELECT *, count(*) OVER ()::int AS found_count,
               sum(octet_length(snapshot)) OVER (ORDER BY status_at DESC, task_id DESC) - octet_length(snapshot) AS bytes_before
             FROM (SELECT * FROM duewatch_host.task
                   WHERE ${isAsked}
                     AND ($6::bigint IS NULL OR (status_at, task_id) < (to_timestamp($6 / 1000.0), $7::text COLLATE "C"))
                   ORDER BY status_at DESC, task_id DESC LIMIT $8) AS found) AS task
       WHERE bytes_before < $9
       ORDER BY status_at DESC, task_id DESC`,
      [...asked, after?.statusMs ?? null, after?.taskId ?? null, pageSize + 1, mostPageBytes],
    ),
    database.query<{ count: string }[]>(`SELECT count(*) FROM duewatch_host.task WHERE ${isAsked}`, [...asked]),
  ]);
  const page = rows.slice(0, pageSize);
  const last = (rows[0]?.found_count ?? 0) > page.length ? page.at(-1) : undefined;
  return {
    tasks: page.map(toTask),
    totalCount: Number(counts[0]?.count),
    ...(last && { next: { statusMs: Number(last.status_ms), taskId: last.task_id } }),
  };
}

function toTask({ task_id: taskId, context_id: contextId, snapshot, tail }: ListedRow): Task {
  const task = Task.fromJSON(JSON.parse(snapshot));
  return foldTask(task, (tail ?? []).map(decodeTaskEvent), { taskId, contextId }) ?? task;
}
