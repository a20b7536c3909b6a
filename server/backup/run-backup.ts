import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { findSchedule } from '../task/schedule.ts';
import { defineTask } from '../task/task.ts';
import { dayInNames, listBackups } from './folder.ts';
import { writeBackup } from './write.ts';

const Input = z.object({
  reason: z.enum(['auto', 'manual', 'update']).default('auto'),
  /** So many of those that came by themselves are kept; 0 keeps them all. What the schedule says, unless told. */
  rotate: z.int().min(0).max(1000).optional(),
});

async function rotate(archive: Archive, said: number | undefined) {
  const schedule = await findSchedule(archive.db, 'run_backup');
  const most = said ?? (schedule ? (JSON.parse(schedule.config) as { rotate?: number }).rotate : undefined);
  if (!most) return 0;
  // What is dated ahead was written by another clock: it takes the place of none, and is left for people.
  const tomorrow = dayInNames(archive.now() + 86_400);
  const over = (await listBackups(archive))
    .filter(({ reason, timestamp }) => reason === 'auto' && timestamp <= tomorrow)
    .slice(most);
  for (const { file_path: path } of over) await rm(path, { force: true });
  return over.length;
}

/** Writes a backup of everything but the media. */
export const runBackup = defineTask<z.infer<typeof Input>>({
  name: 'run_backup',
  title: 'Index Backup',
  group: 'setting:backup',
  isStartable: true,
  isStoppable: false,
  schedule: { auto: '0 18 0', config: { rotate: { initial: 5, min: 0, max: 1000 } } },
  input: Input,

  async run({ input, signal, report }, archive) {
    const { filename, rows } = await writeBackup(archive, { reason: input.reason, signal, report });
    const gone = input.reason === 'auto' ? await rotate(archive, input.rotate) : 0;
    archive.announce('settings');
    return `Wrote ${filename}: ${rows} entries, read again and compared.${gone > 0 ? ` ${gone} older ones were removed.` : ''}`;
  },
});
