import { messages } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { defineTask } from '../../platform/context/task.ts';

// Everything else of this feature is loaded when it is used.

/** Makes the queued clips. */
export const makeClipsTask = defineTask<object>({
  name: 'make_clips',
  title: messages['task.make_clips'],
  group: '',
  isStartable: false,
  isStoppable: true,
  needs: ['ffmpeg'],
  input: z.object({}),
  run: async (work, app) => (await import('./make-clips.ts')).makeClips(work, app),
  abandon: async (_, app, why) => (await import('./make-clips.ts')).abandonClip(app, why),
});

/** Starts the work if clips are queued: after the restore of a backup, or if one was queued while the task ended. */
export async function startClipsIfDue({ db, tasks }: AppContext): Promise<void> {
  const waiting = await db
    .selectFrom('clip')
    .select('number')
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst();
  if (waiting) await tasks.start(makeClipsTask, {});
}
