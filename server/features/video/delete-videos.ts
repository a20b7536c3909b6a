import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import { MessageError } from '../../platform/messages/message-error.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { defineTask } from '../../platform/context/task.ts';
import { deleteIfExists } from '../trash/delete-video.ts';

/**
 * Deletes many videos, by the ids that the user confirmed, so that videos that match later are not deleted. Missing videos are
 * skipped, so the task can be repeated after an interruption; a failure is reported.
 */
export const deleteVideos = defineTask({
  name: 'delete_videos',
  title: messages['task.delete_videos'],
  group: 'setting:delete',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  input: z.object({ ids: z.array(z.string()), andIgnore: z.boolean(), by: z.string() }),

  async run({ input: { ids, andIgnore, by }, signal, report, skip }, app) {
    const why = await whyMediaUnavailable(app);
    if (why) throw new MessageError(why);
    let count = 0;
    for (const [place, id] of ids.entries()) {
      signal.throwIfAborted();
      report({
        messages: [message('delete.running'), message('delete.position', { place: place + 1, count: ids.length })],
        progress: place / ids.length,
      });
      try {
        if (await deleteIfExists(app, id, { andIgnore, by })) count++;
      } catch (problem) {
        skip(id, problem as Error, { videoId: id });
      }
    }
    app.log.info({ count }, 'deleted by a user');
    return message('delete.done', { count });
  },
});
