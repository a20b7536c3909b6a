import { pagesById, type Db } from '../db/db.ts';
import { findVideos } from './store.ts';
import { form, writeParts } from './written-video.ts';

const pageSize = 250;

/** What is kept of videos as it was written says what their rows say; what does not, one sentence each. */
export async function* wrongWritten(db: Db): AsyncGenerator<string> {
  const next = (after: string) =>
    db
      .selectFrom('writtenVideo')
      .innerJoin('writtenChannel', 'writtenChannel.channelId', 'writtenVideo.channelId')
      .select(['videoId as id', 'writtenVideo.written as video', 'writtenChannel.written as channel'])
      .where('writtenVideo.form', '=', form)
      .where('writtenChannel.form', '=', form)
      .where('videoId', '>', after)
      .orderBy('videoId')
      .limit(pageSize)
      .execute();
  for await (const page of pagesById(next)) {
    const rows = await findVideos(
      db,
      page.map(({ id }) => id),
    );
    const now = new Map(rows.map((row) => [row.id, writeParts(row)]));
    for (const { id, video, channel } of page) {
      const right = now.get(id);
      if (right && !(Buffer.from(right.video).equals(video) && Buffer.from(right.channel).equals(channel)))
        yield `What is shown of video ${id} is not what is known of it.`;
    }
  }
}
