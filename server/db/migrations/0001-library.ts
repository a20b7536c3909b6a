import type { Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * Channels, videos and what belongs to them.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer, real } = type;

  await db.schema
    .createTable('channel')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('site', 'text', (c) => c.notNull())
    .addColumn('siteId', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('sortName', 'text', (c) => type.sorted(c.notNull()))
    .addColumn('url', 'text')
    .addColumn('description', 'text')
    .addColumn('tags', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('tabs', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('subscriberCount', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('isActive', integer, (c) => c.notNull().defaultTo(1))
    .addColumn('isSubscribed', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('hasThumb', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('hasBanner', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('hasTvart', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('overwrites', 'text')
    .addColumn('addedAt', integer, (c) => c.notNull())
    .addColumn('refreshedAt', integer, (c) => c.notNull())
    .addUniqueConstraint('channelAtSite', ['site', 'siteId'])
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('channelByName').on('channel').columns(['sortName', 'id']).execute();

  await db.schema
    .createTable('video')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('site', 'text', (c) => c.notNull())
    .addColumn('siteId', 'text', (c) => c.notNull())
    .addColumn('channelId', 'text', (c) => c.notNull().references('channel.id'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('sortTitle', 'text', (c) => type.sorted(c.notNull()))
    .addColumn('description', 'text')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('url', 'text')
    .addColumn('publishedAt', integer, (c) => c.notNull())
    .addColumn('downloadedAt', integer, (c) => c.notNull())
    .addColumn('refreshedAt', integer, (c) => c.notNull())
    .addColumn('isActive', integer, (c) => c.notNull().defaultTo(1))
    .addColumn('durationSeconds', integer, (c) => c.notNull())
    .addColumn('sizeBytes', integer, (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('mediaPath', 'text', (c) => c.notNull().unique())
    .addColumn('width', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('height', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('categories', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('tags', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('chapters', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('sponsorblock', 'text')
    .addColumn('viewCount', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('likeCount', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('dislikeCount', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('averageRating', real, (c) => c.notNull().defaultTo(0))
    .addColumn('commentCount', integer)
    .addUniqueConstraint('videoAtSite', ['site', 'siteId'])
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('videoByPublished').on('video').columns(['publishedAt', 'id']).execute();
  await db.schema.createIndex('videoByDownloaded').on('video').columns(['downloadedAt', 'id']).execute();
  await db.schema.createIndex('videoOfChannel').on('video').columns(['channelId', 'publishedAt', 'id']).execute();

  await db.schema
    .createTable('stream')
    .addColumn('videoId', 'text', (c) => c.notNull().references('video.id').onDelete('cascade'))
    .addColumn('position', integer, (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('codec', 'text', (c) => c.notNull())
    .addColumn('bitrate', integer, (c) => c.notNull())
    .addColumn('width', integer)
    .addColumn('height', integer)
    .addPrimaryKeyConstraint('streamKey', ['videoId', 'position'])
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('subtitle')
    .addColumn('videoId', 'text', (c) => c.notNull().references('video.id').onDelete('cascade'))
    .addColumn('lang', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull().unique())
    .addPrimaryKeyConstraint('subtitleKey', ['videoId', 'lang'])
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('comment')
    .addColumn('videoId', 'text', (c) => c.notNull().references('video.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('position', integer, (c) => c.notNull())
    .addColumn('parent', 'text', (c) => c.notNull())
    .addColumn('author', 'text', (c) => c.notNull())
    .addColumn('authorId', 'text', (c) => c.notNull())
    .addColumn('authorThumbnail', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('writtenAt', integer, (c) => c.notNull())
    .addColumn('likeCount', integer)
    .addColumn('isFavorited', integer, (c) => c.notNull())
    .addColumn('isByUploader', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('commentKey', ['videoId', 'id'])
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('playlist')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('sortName', 'text', (c) => type.sorted(c.notNull()))
    .addColumn('description', 'text')
    .addColumn('channelId', 'text')
    .addColumn('channelName', 'text')
    .addColumn('url', 'text')
    .addColumn('isActive', integer, (c) => c.notNull().defaultTo(1))
    .addColumn('isSubscribed', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('sortOrder', 'text', (c) => c.notNull().defaultTo('top'))
    .addColumn('hasThumb', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('refreshedAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('playlistByName').on('playlist').columns(['sortName', 'id']).execute();

  await db.schema
    .createTable('playlistEntry')
    .addColumn('playlistId', 'text', (c) => c.notNull().references('playlist.id').onDelete('cascade'))
    .addColumn('position', integer, (c) => c.notNull())
    .addColumn('videoId', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('uploader', 'text')
    .addPrimaryKeyConstraint('playlistEntryKey', ['playlistId', 'position'])
    .$call(type.strict)
    .execute();
  // An entry need not be in the archive, so its video id is no foreign key.
  await db.schema.createIndex('playlistEntryOfVideo').on('playlistEntry').columns(['videoId', 'playlistId']).execute();
}
