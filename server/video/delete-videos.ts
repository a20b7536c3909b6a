import { z } from 'zod';
import { whyNotBelieved } from '../library/media-marker.ts';
import { defineTask } from '../task/task.ts';
import { deleteIfThere } from './delete-video.ts';

/**
 * Deletes many videos: those that somebody was asked about, by their ids, so that nothing goes which came to match meanwhile. One
 * that is gone already is passed over, so it may be done again from any point; one that cannot be deleted is a line in the report.
 */
export const deleteVideos = defineTask({
  name: 'delete_videos',
  title: 'Delete videos',
  group: 'setting:delete',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  input: z.object({ ids: z.array(z.string()), andIgnore: z.boolean(), by: z.string() }),

  async run({ input: { ids, andIgnore, by }, signal, report, skip }, archive) {
    const why = await whyNotBelieved(archive);
    if (why) throw new Error(why);
    let count = 0;
    for (const [place, id] of ids.entries()) {
      signal.throwIfAborted();
      report({ messages: ['Deleting videos', `${place + 1} of ${ids.length}`], progress: place / ids.length });
      try {
        if (await deleteIfThere(archive, id, { andIgnore, by })) count++;
      } catch (problem) {
        skip(id, problem, { videoId: id });
      }
    }
    archive.log.info({ count }, 'deleted by hand');
    return `Deleted ${count} video(s).`;
  },
});
