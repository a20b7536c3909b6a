import { message, messages } from '#contract/messages.ts';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { inTransaction } from '../../platform/db/db.ts';
import { cuesOfVtt } from '../../platform/media/subtitle.ts';
import { defineTask } from '../../platform/context/task.ts';
import { transcriptLines, saveTranscript } from '../../archive/video/save-transcript.ts';

/** Indexes the subtitle files of videos that were archived before transcript indexing was enabled. */
export const backfillTranscripts = defineTask<object>({
  name: 'index_subtitles',
  title: messages['task.index_subtitles'],
  group: 'setting:subtitles',
  isStartable: true,
  isStoppable: true,
  input: z.object({}),

  async run({ signal, report, skip }, { db, files }) {
    let count = 0;
    for (let after = ''; ;) {
      const videos = await db
        .selectFrom('subtitle')
        .select('videoId')
        .distinct()
        .where('videoId', '>', after)
        .where('videoId', 'not in', db.selectFrom('transcriptLine').select('videoId'))
        .orderBy('videoId')
        .limit(100)
        .execute();
      if (videos.length === 0) break;
      for (const { videoId } of videos) {
        signal.throwIfAborted();
        after = videoId;
        report({ messages: [message('subtitles.progress', { count })] });
        const tracks = await db.selectFrom('subtitle').selectAll().where('videoId', '=', videoId).execute();
        try {
          const read = async (path: string) => cuesOfVtt(await readFile(await files.localPath(path, signal), 'utf8'));
          const lines = await Promise.all(tracks.map(async ({ lang, path }) => transcriptLines(lang, await read(path))));
          await inTransaction(db, (tx) => saveTranscript(tx, videoId, lines.flat()));
          count++;
        } catch (problem) {
          skip(videoId, problem as Error);
        }
      }
    }
    return count > 0 ? message('subtitles.done', { count }) : undefined;
  },
});
