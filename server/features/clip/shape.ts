import { extname } from 'node:path';
import type { Clip } from '#contract/clip.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { hasFile, type ClipRow } from './store.ts';
import { makeClipsTask } from './tasks.ts';

/** Returns the progress of the clip that is being made; null if it is unknown. */
async function runningProgress({ db }: AppContext): Promise<number | null> {
  const run = await db.selectFrom('task').select('progress').where('singletonName', '=', makeClipsTask.name).executeTakeFirst();
  return run?.progress ?? null;
}

/** Returns clips of a user in the form of the API. */
export async function serializeClips(app: AppContext, rows: ClipRow[]): Promise<Clip[]> {
  const progress = rows.some(({ state }) => state === 'running') ? await runningProgress(app) : null;
  return Promise.all(
    rows.map(async (row): Promise<Clip> => {
      const isReady = await hasFile(app, row);
      const why = parseMessages(row.reason);
      return {
        id: row.number,
        video: row.videoId,
        video_title: row.title,
        start: row.startMs / 1000,
        end: row.endMs / 1000,
        mode: row.mode,
        state: row.state === 'done' && !isReady ? 'removed' : row.state,
        actual_start: row.actualStartMs === null ? null : row.actualStartMs / 1000,
        size: isReady ? row.bytes : null,
        progress: row.state === 'running' ? progress : null,
        media_url: isReady ? `/cache/clips/${row.number}${extname(row.path!)}` : null,
        why: why && renderMessages(why),
        why_messages: why,
        created: row.createdAt,
      };
    }),
  );
}
