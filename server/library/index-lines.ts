import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { inTransaction } from '../db/db.ts';
import { cuesOfVtt } from '../media/subtitle.ts';
import { defineTask } from '../task/task.ts';
import { linesOf, saveLines } from '../video/lines.ts';

/** Makes what is spoken searchable in videos that came before that was wanted; from the subtitles that stand beside them. */
export const indexLines = defineTask<object>({
  name: 'index_subtitles',
  title: 'Index subtitles',
  group: 'setting:subtitles',
  isStartable: true,
  isStoppable: true,
  input: z.object({}),

  async run({ signal, report, skip }, { db, config }) {
    let count = 0;
    for (let after = ''; ;) {
      const videos = await db
        .selectFrom('subtitle')
        .select('videoId')
        .distinct()
        .where('videoId', '>', after)
        .where('videoId', 'not in', db.selectFrom('line').select('videoId'))
        .orderBy('videoId')
        .limit(100)
        .execute();
      if (videos.length === 0) break;
      for (const { videoId } of videos) {
        signal.throwIfAborted();
        after = videoId;
        report({ messages: [`${count} videos indexed.`] });
        const tracks = await db.selectFrom('subtitle').selectAll().where('videoId', '=', videoId).execute();
        try {
          const read = async (path: string) => cuesOfVtt(await readFile(join(config.mediaFolder, path), 'utf8'));
          const lines = await Promise.all(tracks.map(async ({ lang, path }) => linesOf(lang, await read(path))));
          await inTransaction(db, (tx) => saveLines(tx, videoId, lines.flat()));
          count++;
        } catch (problem) {
          skip(videoId, problem);
        }
      }
    }
    return count > 0 ? `Indexed the subtitles of ${count} videos.` : undefined;
  },
});
