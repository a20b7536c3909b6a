import { chunks, type Db } from '../../platform/db/db.ts';
import { publicId } from '../../platform/ytdlp/public-id.ts';
import { pathKey } from '../view/safe-name.ts';
import type { ViewRow } from '../view/store.ts';
import type { RemoteItem } from './client.ts';
import { isInside, pathHere, type Mapping } from './paths.ts';

export interface MatchedItem {
  item: RemoteItem;
  videoId: string;
  title: string;
}

/** Returns the place of a path in a view; null if it is in none. */
function placeOf(views: ViewRow[], path: string): { viewNumber: number; key: string } | null {
  const view = views.find(({ root }) => isInside(path, root));
  return view ? { viewNumber: view.number, key: pathKey(path.slice(view.root.length).replace(/^\/+/, '')) } : null;
}

/** Finds the videos of items: by the file in the manifest of a view, else by the id of YouTube. */
export async function matchItems(
  db: Db,
  { views, mappings }: { views: ViewRow[]; mappings: Mapping[] },
  items: RemoteItem[],
): Promise<MatchedItem[]> {
  const places = items.flatMap((item) =>
    item.paths.flatMap((path) => {
      const here = pathHere(mappings, path);
      const place = here === null ? null : placeOf(views, here);
      return place ? { item, ...place } : [];
    }),
  );
  const candidates = new Map<RemoteItem, string>();
  for (const [viewNumber, some] of Map.groupBy(places, (place) => place.viewNumber)) {
    const owners = new Map<string, string>();
    for (const batch of chunks(some, 500))
      for (const { key, owner } of await db
        .selectFrom('viewFile')
        .select(['key', 'owner'])
        .where('viewNumber', '=', viewNumber)
        .where(
          'key',
          'in',
          batch.map(({ key }) => key),
        ) // prettier-ignore
        .where('part', '=', 'media')
        .execute())
        owners.set(key, owner);
    for (const { item, key } of some) {
      const owner = owners.get(key);
      if (owner !== undefined && !candidates.has(item)) candidates.set(item, owner);
    }
  }
  for (const item of items)
    if (!candidates.has(item) && item.youtubeId !== null) candidates.set(item, publicId('youtube', item.youtubeId));
  const titles = new Map<string, string>();
  for (const ids of chunks([...new Set(candidates.values())], 500))
    for (const { id, title } of await db.selectFrom('video').select(['id', 'title']).where('id', 'in', ids).execute())
      titles.set(id, title);
  return items.flatMap((item) => {
    const videoId = candidates.get(item);
    const title = videoId === undefined ? undefined : titles.get(videoId);
    return videoId === undefined || title === undefined ? [] : [{ item, videoId, title }];
  });
}
