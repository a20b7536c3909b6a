import { z } from 'zod';
import { defineTask } from '../task/task.ts';
import { canPack, packAnew } from './pack-anew.ts';

/** Packs the file of one video anew as MP4. */
export const remuxVideo = defineTask({
  name: 'remux_video',
  title: 'Packing anew as MP4',
  group: 'download:remux',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  input: z.object({ id: z.string() }),
  run: ({ input: { id }, ...work }, archive) => packAnew(archive, id, work),
});

/** Packs every file anew that not every iPhone opens, though it would play what is inside; one after the other. */
export const remuxAwkward = defineTask({
  name: 'remux_awkward',
  title: 'Packing anew what iPhones do not open',
  group: 'download:remux',
  isStartable: true,
  isStoppable: true,
  input: z.object({}),

  async run({ signal, report, skip }, archive) {
    await canPack(archive); // else each of them would say so
    const videos = await archive.db
      .selectFrom('awkward')
      .innerJoin('video', 'video.id', 'awkward.videoId')
      .select(['video.id', 'video.title'])
      .where('awkward.mend', '=', 'pack')
      .orderBy('video.id')
      .execute();
    let done = 0;
    for (const [place, { id, title }] of videos.entries()) {
      const progress = place / videos.length;
      const told: typeof report = ({ messages }) => report({ messages, progress });
      try {
        await packAnew(archive, id, { signal, report: told });
        done++;
      } catch (problem) {
        signal.throwIfAborted();
        skip(title, problem, { videoId: id });
      }
    }
    return `${done} of ${videos.length} files packed anew.`;
  },
});
