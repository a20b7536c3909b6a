import { messages } from '#contract/messages.ts';
import { HubModel } from '#contract/speech.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';

// Everything else of this feature is loaded when it is used.

/** Transcribes videos without captions. */
export const transcribeVideosTask = defineTask<object>({
  name: 'transcribe_videos',
  title: messages['task.transcribe_videos'],
  group: '',
  isStartable: false,
  isStoppable: true,
  needs: ['ffmpeg'],
  input: z.object({}),
  run: async (work, app) => (await import('./transcribe.ts')).transcribeVideos(work, app),
});

/** Installs the speech engine of this version of Reelkeep. */
export const installSpeechEngineTask = defineTask<object>({
  name: 'update_models',
  title: messages['task.update_models'],
  group: 'setting:speech',
  isStartable: false,
  isStoppable: true,
  input: z.object({}),
  run: async (work, app) => (await import('./engine.ts')).speechEngine.install(work, app),
});

/** Downloads a speech model. */
export const downloadSpeechModelTask = defineTask<{ name: HubModel }>({
  name: 'download_model',
  title: messages['task.download_model'],
  group: 'setting:speech',
  isStartable: false,
  isStoppable: true,
  input: z.object({ name: HubModel }),
  run: async (work, app) => (await import('./models.ts')).downloadModel(work, app),
});

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** When videos without captions were looked for last, epoch seconds: that reads the whole library. */
    transcriptsSoughtAt: number | null;
  }
}

const seekEverySeconds = 600;

/** Starts the work if there is something to transcribe now. */
export async function startTranscriptsIfDue(app: AppContext): Promise<void> {
  const { state, now } = app;
  const { isAllOff, transcribeChoicesOf } = await import('./store.ts');
  if (isAllOff(await transcribeChoicesOf(app.db))) return;
  const withMissing = state.transcriptsSoughtAt === null || now() >= state.transcriptsSoughtAt + seekEverySeconds;
  if (withMissing) state.transcriptsSoughtAt = now();
  const [{ nextAllowed }, { whyNotReady }] = await Promise.all([import('./due.ts'), import('./choose-model.ts')]);
  if (!(await nextAllowed(app, withMissing)) || (await whyNotReady(app))) return;
  await app.tasks.start(transcribeVideosTask, {});
}
