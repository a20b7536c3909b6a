import { extname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { loadItems, loadNames, slotOf, valuesOf, type Naming, type Scheme } from './content.ts';
import { renderTemplate } from './template.ts';

const maxFiles = 10;
const pageSize = 100;
const maxLookedAt = 2_000;

/** Returns the paths of ten videos of a view, newest first. */
export async function previewPaths(
  { db }: AppContext,
  naming: Naming,
  scheme: Scheme,
): Promise<{ video_id: string; path: string }[]> {
  const { contentType, contentId } = naming;
  const names = await loadNames(db, scheme);
  const files: { video_id: string; path: string }[] = [];
  const numbers = new Map<string, number>();
  for (let from = 0; files.length < maxFiles && from < maxLookedAt; from += pageSize) {
    const page = await db
      .selectFrom('video')
      .select('video.id')
      .$if(contentType === 'channel', (q) => q.where('channelId', '=', contentId!))
      .$if(contentType === 'playlist', (q) =>
        q.where('video.id', 'in', (w) => w.selectFrom('playlistVideo').select('videoId').where('playlistId', '=', contentId!)),
      )
      .orderBy('publishedAt', 'desc')
      .orderBy('video.id', 'desc')
      .limit(pageSize)
      .offset(from)
      .execute();
    if (page.length === 0) break;
    const ids = page.map(({ id }) => id);
    const order = new Map(ids.map((id, index) => [id, index]));
    const items = await loadItems(db, naming, scheme, ids);
    for (const item of items.toSorted((a, b) => order.get(a.video.id)! - order.get(b.video.id)!)) {
      if (files.length >= maxFiles) break;
      const slot = slotOf(item.video);
      const number = (numbers.get(slot) ?? 0) + 1;
      numbers.set(slot, number);
      const parts = renderTemplate(scheme.template, valuesOf(scheme, names, item, number));
      files.push({ video_id: item.video.id, path: `${parts.join('/')}${extname(item.video.mediaPath).toLowerCase()}` });
    }
  }
  return files;
}
