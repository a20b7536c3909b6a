import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import { defineTask } from '../../platform/context/task.ts';
import { canRemux, remuxFile } from './remux-file.ts';

/** Remuxes the file of one video to MP4. */
export const remuxVideo = defineTask({
  name: 'remux_video',
  title: messages['task.remux_video'],
  group: 'download:remux',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  needs: ['ffmpeg'],
  input: z.object({ id: z.string() }),
  run: ({ input: { id }, ...work }, app) => remuxFile(app, id, work),
});

/** Remuxes all files whose container some iPhones cannot open but whose streams they can play, one after the other. */
export const remuxIncompatible = defineTask({
  name: 'remux_incompatible',
  title: messages['task.remux_incompatible'],
  group: 'download:remux',
  isStartable: true,
  isStoppable: true,
  needs: ['ffmpeg'],
  input: z.object({}),

  async run({ signal, report, skip }, app) {
    await canRemux(app); // otherwise every video would report it
    const videos = await app.db
      .selectFrom('incompatibleVideo')
      .innerJoin('video', 'video.id', 'incompatibleVideo.videoId')
      .select(['video.id', 'video.title'])
      .where('incompatibleVideo.fix', '=', 'remux')
      .orderBy('video.id')
      .execute();
    let done = 0;
    for (const [place, { id, title }] of videos.entries()) {
      const progress = place / videos.length;
      const reportProgress: typeof report = ({ messages }) => report({ messages, progress });
      try {
        await remuxFile(app, id, { signal, report: reportProgress });
        done++;
      } catch (problem) {
        signal.throwIfAborted();
        skip(title, problem as Error, { videoId: id });
      }
    }
    return message('remux.progress', { done, count: videos.length });
  },
});
