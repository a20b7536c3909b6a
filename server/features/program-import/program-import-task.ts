import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import { defineTask } from '../../platform/context/task.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { findProgramImport } from './store.ts';

const Input = z.object({ id: z.string(), action: z.enum(['run', 'undo']), by: z.string() });

/** Runs or undoes an import. One at a time: what an undo finds must not change meanwhile. */
export const programImportTask = defineTask<z.infer<typeof Input>>({
  name: 'migrate',
  title: messages['task.migrate'],
  group: 'setting:migrate',
  isStartable: false,
  isStoppable: true,
  needs: ['ffmpeg'],
  input: Input,

  async abandon({ id, action }, app, why) {
    const row = await findProgramImport(app.db, id);
    if (!row || action !== 'run') return;
    const { endProgramImport } = await import('./run-import.ts');
    await endProgramImport(app, row, 'failed', why);
  },

  async run(work, app) {
    const { id, action, by } = work.input;
    const row = await findProgramImport(app.db, id);
    if (!row) throw new MessageError(message('error.no-migration'));
    if (action === 'run') return (await import('./run-import.ts')).runProgramImport(app, row, work);
    const { undoChanges } = await import('./apply/undo.ts');
    const { undone, kept } = await undoChanges(app, id, {
      by,
      signal: work.signal,
      onPage: ({ undone: count }) =>
        work.report({ messages: [message('migrate.undoing'), message('migrate.undone', { count })] }),
    });
    await app.db.updateTable('migration').set({ status: 'undone', undoUntil: null }).where('id', '=', id).execute();
    app.announce('migrate', 'channel', 'playlist', 'download', 'video');
    return [message('migrate.undone', { count: undone }), ...(kept > 0 ? [message('migrate.undone-kept', { count: kept })] : [])];
  },
});
