import { pagesById, type Db } from '../db/db.ts';
import { findVideos } from './store.ts';
import { keptParts } from './written-store.ts';
import { writeParts } from './written-video.ts';

const pageSize = 250;

/** What is kept of videos as it was written says what their rows say; what does not, one sentence each. */
export async function* wrongWritten(db: Db): AsyncGenerator<string> {
  const next = (after: string) =>
    db.selectFrom('video').select('id').where('id', '>', after).orderBy('id').limit(pageSize).execute();
  for await (const page of pagesById(next)) {
    const ids = page.map(({ id }) => id);
    const [kept, rows] = await Promise.all([keptParts(db, ids), findVideos(db, ids)]);
    const now = new Map(rows.map((row) => [row.id, writeParts(row)]));
    for (const { id, video, channel } of kept) {
      const right = now.get(id);
      if (right && !(Buffer.from(right.video).equals(video) && Buffer.from(right.channel).equals(channel)))
        yield `What is shown of video ${id} is not what is known of it.`;
    }
  }
}
