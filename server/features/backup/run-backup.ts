import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { findSchedule } from '../../platform/tasks/schedule.ts';
import { defineTask } from '../../platform/context/task.ts';
import { inBackups } from '../../platform/storage/stored-path.ts';
import { dateForNames, listBackups } from './files/backup-files.ts';

const Input = z.object({
  reason: z.enum(['auto', 'manual', 'update']).default('auto'),
  /** How many automatic backups are kept; 0 keeps all. Default: the value of the schedule. */
  rotate: z.int().min(0).max(1000).optional(),
});

async function rotate(app: AppContext, requested: number | undefined) {
  const schedule = await findSchedule(app.db, 'run_backup');
  const most = requested ?? (schedule ? (JSON.parse(schedule.config) as { rotate?: number }).rotate : undefined);
  if (!most) return 0;
  // Backups dated in the future were written with a wrong clock. They are neither counted nor deleted.
  const tomorrow = dateForNames(app.now() + 86_400);
  const over = (await listBackups(app)).filter(({ reason, timestamp }) => reason === 'auto' && timestamp <= tomorrow).slice(most);
  for (const { filename } of over) await app.files.remove(inBackups(filename));
  return over.length;
}

/** Creates a backup of everything except media files. */
export const runBackup = defineTask<z.infer<typeof Input>>({
  name: 'run_backup',
  title: messages['task.run_backup'],
  group: 'setting:backup',
  isStartable: true,
  isStoppable: false,
  schedule: { auto: '0 18 0', config: { rotate: { initial: 5, min: 0, max: 1000 } } },
  input: Input,

  async run({ input, signal, report }, app) {
    const { createBackup } = await import('./create-backup.ts');
    const { filename, rows } = await createBackup(app, { reason: input.reason, signal, report });
    const gone = input.reason === 'auto' ? await rotate(app, input.rotate) : 0;
    app.announce('settings');
    return [message('backup.done', { file: filename, rows }), ...(gone > 0 ? [message('backup.rotated', { count: gone })] : [])];
  },
});
