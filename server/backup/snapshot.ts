import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { nextRun } from '../task/cron.ts';
import { defineTask } from '../task/task.ts';
import { findDump, listSnapshots, snapshotId, takeSnapshot } from './snapshots.ts';

// At noon where the server is, as the original does it.
const noon = '0 12 *';

// Each has its name from when it is asked for, so that whoever asks while it is under way hears that name.
const Input = z.object({
  id: z
    .string()
    .max(100)
    .default(() => snapshotId('manual', Math.floor(Date.now() / 1000))),
  reason: z.enum(['daily', 'manual']).default('manual'),
});

/** Takes a snapshot of the database. */
export const snapshot = defineTask<z.infer<typeof Input>>({
  name: 'snapshot',
  title: 'Database snapshot',
  group: 'setting:snapshot',
  isStartable: true,
  isStoppable: false,
  input: Input,

  async run({ input, signal, report }, { config, now, announce }) {
    report({ messages: ['Snapshot in progress.'] });
    const id = await takeSnapshot({ config, reason: input.reason, now, signal, id: input.id });
    announce('settings');
    return `Took ${id}, and read it again.`;
  },
});

/** When the next daily snapshot is due, epoch seconds. */
export const nextSnapshot = (now: number) => nextRun(noon, now);

/** Starts one and says at once how it will be called; where one is under way, how that one will be. */
export async function startSnapshot(archive: Pick<Archive, 'tasks' | 'now'>): Promise<string> {
  const { tasks, now } = archive;
  const id = snapshotId('manual', now());
  const { wasRunning } = await tasks.start(snapshot, { id, reason: 'manual' });
  if (!wasRunning) return id;
  const [running] = await tasks.underWay(snapshot.name);
  return running ? Input.parse(running).id : startSnapshot(archive); // none: it has just ended
}

// When each archive last began a daily one: where that fails, it would fail again every minute, and be told each time.
const begun = new WeakMap<Archive['tasks'], number>();
const againSeconds = 3600;

/** The round: starts the daily one when it is due, also when the last noon was missed. One that failed is tried again every hour. */
export async function keepSnapshots(archive: Archive): Promise<void> {
  const { config, now, tasks } = archive;
  const { application } = await currentSettings(archive);
  if (!application.enable_snapshot) return;
  if (config.databaseUrl && !(await findDump())) return;
  // What lies in the future was taken when the clock was wrong, and says nothing of today.
  const last = (await listSnapshots(config)).find(({ reason, startedAt }) => reason === 'daily' && startedAt <= now() + 3600);
  if (last && nextRun(noon, last.startedAt) > now()) return;
  const before = begun.get(tasks);
  if (before !== undefined && Math.abs(now() - before) < againSeconds) return;
  const { wasRunning } = await tasks.start(snapshot, { id: snapshotId('daily', now()), reason: 'daily' });
  if (!wasRunning) begun.set(tasks, now());
}
