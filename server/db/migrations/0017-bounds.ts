import type { Kysely } from 'kysely';

const orders = {
  videoByPublished: 'publishedAt',
  videoByDownloaded: 'downloadedAt',
  videoByViews: 'viewCount',
  videoByLikes: 'likeCount',
  videoByDuration: 'durationSeconds',
  videoBySize: 'sizeBytes',
  videoByWidth: 'width',
  videoByHeight: 'height',
};
// By what a list may be bounded or narrowed, and what is added up of the days on which videos came.
const alsoOf = (column: string) => [
  'id',
  'kind',
  'height',
  'publishedAt',
  'durationSeconds',
  ...(column === 'downloadedAt' ? ['sizeBytes'] : []),
];

/**
 * The index of each order also holds when a video was published and how long it is, so that lists bounded by those are found in
 * it alone.
 * @public
 */
export async function up(db: Kysely<never>) {
  for (const [name, column] of Object.entries(orders)) {
    await db.schema.dropIndex(name).execute();
    await db.schema
      .createIndex(name)
      .on('video')
      .columns([column, ...alsoOf(column).filter((other) => other !== column)])
      .execute();
  }
}
