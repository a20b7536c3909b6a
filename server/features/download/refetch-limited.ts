import type { AppContext } from '../../platform/context/app-context.ts';
import { maxTries, parseLimitation, type Limitation } from '../../archive/video/limitation.ts';
import { redownload } from './redownload.ts';

const day = 86_400;
// More are fetched by the next runs.
const maxAtOnce = 20;

/** Whether the cause of a limitation may be gone: yt-dlp is another version and solves challenges, or some days have passed. */
function isDue({ failure, ytdlp, at, tries }: Limitation, { tools, now }: AppContext): boolean {
  if (tries >= maxTries) return false;
  if (failure === 'challenge' && tools.solver?.seconds === null) return false;
  return (failure === 'challenge' && tools.ytdlp?.version !== ytdlp) || now() - at >= day * 3 ** tries;
}

/** Downloads videos again that were archived in a lower quality than the site has. A file is replaced only by a better one. */
export async function refetchLimited(app: AppContext): Promise<void> {
  const { db, tools } = app;
  if (!tools.ytdlp || !tools.ffmpeg) return;
  const rows = await db
    .selectFrom('facet')
    .innerJoin('video', 'video.id', 'facet.videoId')
    .select(['video.id', 'video.limitation'])
    .where('facet.kind', '=', 'limited')
    .where('video.isActive', '=', 1)
    .where((e) => e.not(e.exists(e.selectFrom('download').select('id').whereRef('download.id', '=', 'video.id'))))
    .execute();
  const due = rows
    .flatMap(({ id, limitation: json }) => {
      const limitation = parseLimitation(json);
      return limitation && isDue(limitation, app) ? [{ id, limitation }] : [];
    })
    .slice(0, maxAtOnce);
  for (const { id, limitation } of due)
    await db
      .updateTable('video')
      .set({ limitation: JSON.stringify({ ...limitation, tries: limitation.tries + 1, at: app.now() }) })
      .where('id', '=', id)
      .execute();
  if (due.length > 0)
    await redownload(
      app,
      due.map(({ id }) => id),
      'better',
    );
}
