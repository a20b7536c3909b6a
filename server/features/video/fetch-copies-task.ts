import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';
import { HttpError } from '../../platform/http/http-error.ts';

const Input = z.object({ ids: z.array(z.string()) });
export type CopiesWanted = z.infer<typeof Input>;

/**
 * Fetches copies as H.264 and AAC of archived videos that do not play everywhere. Videos that have one are left as they are, so the
 * task can be repeated after an interruption; a failure is reported.
 */
export const fetchCompatibleCopies = defineTask<CopiesWanted>({
  name: 'fetch_copies',
  title: messages['task.fetch_copies'],
  group: 'download:copies',
  isStartable: false,
  isStoppable: true,
  needs: ['ytdlp', 'ffmpeg'],
  input: Input,
  run: async (work, app) => (await import('./fetch-copies.ts')).fetchCopiesOfVideos(work, app),
});

/** Starts the task. @throws 409 if it is running: it would not take more videos */
export async function startFetchingCopies({ tasks }: AppContext, ids: string[]) {
  const { id, wasRunning } = await tasks.start(fetchCompatibleCopies, { ids });
  if (wasRunning) throw new HttpError(409, message('copy.busy'));
  return { task_id: id, status: 'PENDING' };
}
