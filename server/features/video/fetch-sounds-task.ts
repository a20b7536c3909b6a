import { message, messages } from '#contract/messages.ts';
import type { WantedSounds } from '#contract/rendition.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';
import { HttpError } from '../../platform/http/http-error.ts';

const Input = z.object({
  ids: z.array(z.string()),
  /** As in the setting of downloads. */
  languages: z.string(),
  withAutoDubs: z.boolean(),
});
export type SoundsWanted = z.infer<typeof Input>;

/**
 * Fetches the sound tracks of archived videos in more languages and joins them to their files. Videos that have them are left as they
 * are, so the task can be repeated after an interruption; a failure is reported.
 */
export const fetchSoundTracks = defineTask<SoundsWanted>({
  name: 'fetch_sounds',
  title: messages['task.fetch_sounds'],
  group: 'download:sounds',
  isStartable: false,
  isStoppable: true,
  needs: ['ytdlp', 'ffmpeg'],
  input: Input,
  run: async (work, app) => (await import('./fetch-sounds.ts')).fetchSoundsOfVideos(work, app),
});

/** Starts the task. @throws 409 if it is running: it would not take more videos */
export async function startFetchingSounds(
  { tasks }: AppContext,
  ids: string[],
  { audio_languages: languages, audio_auto_dubs: withAutoDubs }: z.output<typeof WantedSounds>,
) {
  const { id, wasRunning } = await tasks.start(fetchSoundTracks, { ids, languages, withAutoDubs });
  if (wasRunning) throw new HttpError(409, message('sounds.busy'));
  return { task_id: id, status: 'PENDING' };
}
