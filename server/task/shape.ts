import type { Notification, TaskResult } from '#contract/task.ts';
import type { Selectable } from 'kysely';
import type { TaskTable } from '../db/tables.ts';
import { saidBy } from '../http/said.ts';
import type { TaskDefinition } from './task.ts';

/** A task as people see it while it runs. Tasks without a group are silent. */
export function shapeNotification(row: Selectable<TaskTable>, definition: TaskDefinition | undefined): Notification | undefined {
  if (!definition || definition.group === '') return undefined;
  const messages = JSON.parse(row.messages) as string[];
  return {
    id: row.id,
    name: row.name,
    title: definition.title,
    group: definition.group,
    api_start: definition.isStartable,
    api_stop: definition.isStoppable && (row.status === 'running' || row.status === 'pending'),
    level: row.isError ? 'error' : 'info',
    messages,
    said: messages.map(saidBy),
    ...(row.progress !== null && { progress: row.progress }),
    ...(row.command !== null && { command: row.command }),
  };
}

const statusOf = { pending: 'PENDING', running: 'PENDING', success: 'SUCCESS', failure: 'FAILURE', stopped: 'REVOKED' } as const;

/** A task's result as the API tells it: PENDING and "False" while it runs (the original's words, clients know them). */
export function shapeResult(row: Selectable<TaskTable>): TaskResult {
  return {
    task_id: row.id,
    name: row.name,
    status: statusOf[row.status],
    result: row.result,
    traceback: null,
    date_done: row.endedAt === null ? 'False' : new Date(row.endedAt * 1000).toISOString().replace('.000Z', ''),
  };
}
