import type { Music } from '#contract/video.ts';
import { noMusic, shapeMusic } from '../../archive/video/music.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { cleanMusic, type MusicFields } from '../../platform/lib/music.ts';

/**
 * Sets artists, album, track and year of a video; null: to what the source says. Returns them as the API has them.
 * @throws 404
 */
export async function editMusic({ db, announce }: AppContext, id: string, edit: MusicFields | null): Promise<Music | null> {
  const musicEdit = edit && JSON.stringify(cleanMusic(edit) ?? noMusic);
  const row = await db
    .updateTable('video')
    .set({ musicEdit })
    .where('id', '=', id)
    .returning(['music', 'musicEdit'])
    .executeTakeFirst();
  if (!row) throw notFound('error.video');
  announce('video');
  return shapeMusic(row);
}
