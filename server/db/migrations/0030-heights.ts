import type { Kysely } from 'kysely';

/**
 * Videos of a height lie by their dates too: a page of them was found by walking through all videos, and on PostgreSQL by sorting those.
 * @public
 */
export async function up(db: Kysely<never>) {
  await db.schema
    .createIndex('videoOfHeight')
    .on('video')
    .columns(['height', 'publishedAt', 'id', 'kind', 'durationSeconds'])
    .execute();
}
