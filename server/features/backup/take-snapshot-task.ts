import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { nextRun } from '../../platform/tasks/cron.ts';
import { defineTask } from '../../platform/context/task.ts';
import { findDump, listSnapshots, snapshotId, takeSnapshot } from './snapshots.ts';

// Noon in the server's time zone, as in TubeArchivist.
const noon = '0 12 *';

/** When the next daily snapshot is due, epoch seconds. */
export const nextSnapshot = (now: number) => nextRun(noon, now);

// The id is assigned when the task is requested, so that later requests can return the id of the running task.
const Input = z.object({
  id: z
    .string()
    .max(100)
    .default(() => snapshotId('manual', Math.floor(Date.now() / 1000))),
  reason: z.enum(['daily', 'manual']).default('manual'),
});

/** Takes a snapshot of the database. */
export const takeSnapshotTask = defineTask<z.infer<typeof Input>>({
  name: 'snapshot',
  title: messages['task.snapshot'],
  group: 'setting:snapshot',
  isStartable: true,
  isStoppable: false,
  async nextAutomaticRun({ db, now }) {
    const { application } = await readSettings(db);
    return application.enable_snapshot ? nextSnapshot(now()) : null;
  },
  input: Input,

  async run({ input, signal, report }, { config, now, announce }) {
    report({ messages: [message('snapshot.running')] });
    const id = await takeSnapshot({ config, reason: input.reason, now, signal, id: input.id });
    announce('settings');
    return message('snapshot.done', { id });
  },
});

/** Starts a snapshot and immediately returns its id; returns the id of the running one if there is one. */
export async function startSnapshot(app: Pick<AppContext, 'tasks' | 'now'>): Promise<string> {
  const { tasks, now } = app;
  const id = snapshotId('manual', now());
  const { wasRunning } = await tasks.start(takeSnapshotTask, { id, reason: 'manual' });
  if (!wasRunning) return id;
  const [running] = await tasks.activeInputs(takeSnapshotTask.name);
  return running ? Input.parse(running).id : startSnapshot(app); // none: it has just finished
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /**
     * When the last daily snapshot was started, epoch seconds. A failing snapshot would otherwise be retried and reported every
     * minute.
     */
    dailySnapshotAt: number | null;
  }
}
const againSeconds = 3600;

/** Periodic job: starts the daily snapshot when it is due or the last noon was missed. Retries a failed one every hour. */
export async function takeDueSnapshots(app: AppContext): Promise<void> {
  const { config, now, tasks, state } = app;
  const { application } = await readSettings(app.db);
  if (!application.enable_snapshot) return;
  if (config.databaseUrl && !(await findDump())) return;
  // Snapshots dated in the future were taken with a wrong clock and do not count.
  const last = (await listSnapshots(config)).find(({ reason, startedAt }) => reason === 'daily' && startedAt <= now() + 3600);
  if (last && nextRun(noon, last.startedAt) > now()) return;
  if (state.dailySnapshotAt !== null && Math.abs(now() - state.dailySnapshotAt) < againSeconds) return;
  const { wasRunning } = await tasks.start(takeSnapshotTask, { id: snapshotId('daily', now()), reason: 'daily' });
  if (!wasRunning) state.dailySnapshotAt = now();
}
