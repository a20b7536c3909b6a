import { meaningModels, type MeaningModel } from '#contract/meaning-models.ts';
import { messages } from '#contract/messages.ts';
import { z } from 'zod';
import { readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';

// Everything else of this feature is loaded when it is used.

/** Embeds the passages of transcripts for the search by meaning. */
export const embedPassagesTask = defineTask<object>({
  name: 'embed_passages',
  title: messages['task.embed_passages'],
  group: '',
  isStartable: false,
  isStoppable: true,
  input: z.object({}),
  run: async (work, app) => (await import('./embed.ts')).embedPassages(work, app),
});

/** Finds the videos that are about the same as each video. */
export const relateVideosTask = defineTask<object>({
  name: 'relate_videos',
  title: messages['task.relate_videos'],
  group: '',
  isStartable: false,
  isStoppable: true,
  input: z.object({}),
  run: async (work, app) => (await import('./relate.ts')).relateVideos(work, app),
});

/** Installs a model for the search by meaning. */
export const installMeaningTask = defineTask<{ model: MeaningModel }>({
  name: 'install_meaning',
  title: messages['task.install_meaning'],
  group: 'setting:meaning',
  isStartable: false,
  isStoppable: true,
  input: z.object({ model: z.enum(meaningModels) }),
  run: async (work, app) => (await import('./engine.ts')).meaningEngines[work.input.model].install(work, app),
});

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** When embedding failed or was stopped, epoch seconds: it is not repeated at once. */
    passagesFailedAt: number | null;
  }
}

const retrySeconds = 600;

/** Embeds passages if transcripts have changed and it is time. Turned off, the index is left as it is. */
export async function startEmbeddingIfDue(app: AppContext): Promise<void> {
  const { db, state, now } = app;
  const { enabled, model } = (await readSettings(db)).meaning;
  if (!enabled) return;
  const [{ isTimeToEmbed }, { hasPassagesToAdd }, { hasOtherModels }, { meaningEngines }] = await Promise.all([
    import('./embed.ts'),
    import('./store.ts'),
    import('./active-model.ts'),
    import('./engine.ts'),
  ]);
  if (!(await isTimeToEmbed(app)) || !(await meaningEngines[model].find(app))) return;
  if (state.passagesFailedAt !== null && now() < state.passagesFailedAt + retrySeconds) return;
  if (!(await hasPassagesToAdd(db, model)) && !(await hasOtherModels(db, model))) return;
  await app.tasks.start(embedPassagesTask, {});
}

/** Finds related videos if transcripts were embedded or deleted and it is time. It needs no model. */
export async function startRelatingIfDue(app: AppContext): Promise<void> {
  if (!(await readSettings(app.db)).meaning.enabled) return;
  const [{ isTimeToEmbed }, { isAnyToRelate }] = await Promise.all([import('./embed.ts'), import('./related-store.ts')]);
  if ((await isTimeToEmbed(app)) && (await isAnyToRelate(app.db))) await app.tasks.start(relateVideosTask, {});
}
