import { messages } from '#contract/messages.ts';
import { z } from 'zod';
import { readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';

// Everything else of this feature is loaded when it is used.

/** Generates chapters for videos without chapters of the site. */
export const suggestChaptersTask = defineTask<object>({
  name: 'suggest_chapters',
  title: messages['task.suggest_chapters'],
  group: '',
  isStartable: false,
  isStoppable: true,
  input: z.object({}),
  run: async (work, app) => (await import('./suggest.ts')).suggestChapters(work, app),
});

/** Compares generated chapters with those of the sites. */
export const evaluateChaptersTask = defineTask<object>({
  name: 'evaluate_chapters',
  title: messages['task.evaluate_chapters'],
  group: 'setting:chapters',
  isStartable: false,
  isStoppable: true,
  input: z.object({}),
  run: async (work, app) => (await import('./evaluate.ts')).evaluateChapters(work, app),
});

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** When generating chapters failed or was stopped, epoch seconds: it is not repeated at once. */
    chaptersFailedAt: number | null;
  }
}

const retrySeconds = 600;

/** Generates chapters if transcripts have changed and it is time. Turned off, there are none. */
export async function startChaptersIfDue(app: AppContext): Promise<void> {
  const { db, state, now } = app;
  const { deleteGeneratedChapters, hasGeneratedChapters, nextTracks } = await import('./store.ts');
  if (!(await readSettings(db)).chapters.generate) {
    // Another server may save some while they are turned off, and a restore brings its settings.
    if (await hasGeneratedChapters(db)) await deleteGeneratedChapters(db);
    return;
  }
  if (!(await (await import('./suggest.ts')).isTimeForChapters(app))) return;
  if (state.chaptersFailedAt !== null && now() < state.chaptersFailedAt + retrySeconds) return;
  if ((await nextTracks(db, 1)).length > 0) await app.tasks.start(suggestChaptersTask, {});
}
