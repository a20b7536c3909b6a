import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { nextRun } from '../task/cron.ts';
import { defineTask } from '../task/task.ts';
import { findDump, listSnapshots, snapshotId, takeSnapshot } from './snapshots.ts';

// At noon where the server is, as the original does it.
const noon = '0 12 *';

const Input = z.object({ id: z.string().max(100).optional(), reason: z.enum(['daily', 'manual']).default('manual') });

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
    const wish = { config, reason: input.reason, now, signal };
    const id = await takeSnapshot(input.id ? { ...wish, id: input.id } : wish);
    announce('settings');
    return `Took ${id}, and read it again.`;
  },
});

/** When the next daily snapshot is due, epoch seconds. */
export const nextSnapshot = (now: number) => nextRun(noon, now);

/** Starts one and says at once how it will be called. */
export async function startSnapshot({ tasks, now }: Pick<Archive, 'tasks' | 'now'>): Promise<string> {
  const id = snapshotId('manual', now());
  await tasks.start(snapshot, { id, reason: 'manual' });
  return id;
}

/** The round: starts the daily one when it is due, also when the last noon was missed. */
export async function keepSnapshots(archive: Archive): Promise<void> {
  const { config, now, tasks } = archive;
  const { application } = await currentSettings(archive);
  if (!application.enable_snapshot) return;
  if (config.databaseUrl && !(await findDump())) return;
  const [last] = (await listSnapshots(config)).filter(({ reason }) => reason === 'daily');
  // What lies in the future was taken when the clock was wrong.
  const isDue = !last || last.startedAt > now() + 3600 || nextRun(noon, last.startedAt) <= now();
  if (isDue) await tasks.start(snapshot, { reason: 'daily' });
}
