import { pagesById, type Db } from '../../platform/db/db.ts';
import { findVideos } from '../video/store.ts';
import { cachedParts } from './response-cache-store.ts';
import { serializeParts } from './serialize-video.ts';

const pageSize = 250;

/** Compares cached video JSON with the rows. Yields one message per difference. */
export async function* findStaleVideos(db: Db): AsyncGenerator<string> {
  const next = (after: string) =>
    db.selectFrom('video').select('id').where('id', '>', after).orderBy('id').limit(pageSize).execute();
  for await (const page of pagesById(next)) {
    const ids = page.map(({ id }) => id);
    const [cached, rows] = await Promise.all([cachedParts(db, ids), findVideos(db, ids)]);
    const current = new Map(rows.map((row) => [row.id, serializeParts(row)]));
    for (const { id, video, channel } of cached) {
      const expected = current.get(id);
      if (expected && !(Buffer.from(expected.video).equals(video) && Buffer.from(expected.channel).equals(channel)))
        yield `What is shown of video ${id} is not what is known of it.`;
    }
  }
}
