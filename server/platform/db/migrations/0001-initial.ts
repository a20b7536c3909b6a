import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

type Engine = 'sqlite' | 'postgres';
type Column = (c: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

const required: Column = (c) => c.notNull();
const primary: Column = (c) => c.primaryKey();
const zero: Column = (c) => c.notNull().defaultTo(0);
const empty: Column = (c) => c.notNull().defaultTo('');
const one: Column = (c) => c.notNull().defaultTo(1);
const emptyText: Column = (c) => c.notNull().defaultTo('');
const emptyList: Column = (c) => c.notNull().defaultTo('[]');
const emptyObject: Column = (c) => c.notNull().defaultTo('{}');
const unique: Column = (c) => c.notNull().unique();
/** A row of another table; this row is deleted with it. */
const partOf =
  (reference: string): Column =>
  (c) =>
    c.notNull().references(reference).onDelete('cascade');
const keyOf =
  (reference: string): Column =>
  (c) =>
    c.primaryKey().references(reference).onDelete('cascade');

/**
 * All tables and indexes. Counters, queues and indexes of the search are filled by triggers (server/platform/db/triggers).
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  await createLibrary(db, engine);
  await createUsers(db, engine);
  await createQueue(db, engine);
  await createTasks(db, engine);
  await createTrash(db, engine);
  await createViews(db, engine);
  await createMediaServers(db, engine);
  await createCounts(db, engine);
  await createResponseCache(db, engine);
  await createSearch(db, engine);
}

// Sorting 100,000 videos must not read them all: each order has a covering index with the columns that lists filter by.
const orders = {
  videoByPublished: 'publishedAt',
  videoByDownloaded: 'downloadedAt',
  videoByViews: 'viewCount',
  videoByLikes: 'likeCount',
  videoByDuration: 'durationSeconds',
  videoBySize: 'sizeBytes',
  videoByWidth: 'width',
  videoByHeight: 'height',
  videoByTitle: 'sortTitle',
};
const filterColumns = (order: string) => [
  'id',
  'kind',
  'height',
  'publishedAt',
  'durationSeconds',
  ...(order === 'downloadedAt' ? ['sizeBytes'] : []), // summed per day
];

async function createLibrary(db: Kysely<never>, engine: Engine) {
  const { text, integer, real, strict, keyed } = columnTypes(engine);
  const { schema } = db;

  await schema
    .createTable('channel')
    .addColumn('id', text, primary)
    .addColumn('site', text, required)
    .addColumn('siteId', text, required)
    .addColumn('name', text, required)
    .addColumn('sortName', text, required)
    .addColumn('url', text)
    .addColumn('description', text)
    .addColumn('tags', text, emptyList)
    .addColumn('tabs', text, emptyList)
    .addColumn('subscriberCount', integer, zero)
    .addColumn('isActive', integer, one)
    .addColumn('isSubscribed', integer, zero)
    .addColumn('hasThumb', integer, zero)
    .addColumn('hasBanner', integer, zero)
    .addColumn('hasTvart', integer, zero)
    .addColumn('overwrites', text)
    .addColumn('addedAt', integer, required)
    .addColumn('refreshedAt', integer, required)
    .addColumn('rules', text)
    .addColumn('scannedAt', integer)
    .addColumn('unavailableSince', integer)
    .addColumn('unavailableReason', text)
    .addColumn('handle', text)
    .addColumn('lastFullScanAt', integer)
    .addColumn('backCatalogue', text)
    .addUniqueConstraint('channelAtSite', ['site', 'siteId'])
    .$call(strict)
    .execute();
  await schema.createIndex('channelByName').on('channel').columns(['sortName', 'id']).execute();
  await schema.createIndex('channelByHandle').on('channel').column('handle').execute();

  await schema
    .createTable('video')
    .addColumn('id', text, primary)
    .addColumn('site', text, required)
    .addColumn('siteId', text, required)
    .addColumn('channelId', text, (c) => c.notNull().references('channel.id'))
    .addColumn('title', text, required)
    .addColumn('sortTitle', text, required)
    .addColumn('description', text)
    .addColumn('kind', text, required)
    .addColumn('url', text)
    .addColumn('publishedAt', integer, required)
    .addColumn('downloadedAt', integer, required)
    .addColumn('refreshedAt', integer, required)
    .addColumn('isActive', integer, one)
    .addColumn('durationSeconds', integer, required)
    .addColumn('sizeBytes', integer, required)
    .addColumn('sha256', text, required)
    .addColumn('mediaPath', text, unique)
    .addColumn('width', integer, zero)
    .addColumn('height', integer, zero)
    .addColumn('categories', text, emptyList)
    .addColumn('tags', text, emptyList)
    .addColumn('chapters', text, emptyList)
    .addColumn('sponsorblock', text)
    .addColumn('viewCount', integer, zero)
    .addColumn('likeCount', integer, zero)
    .addColumn('dislikeCount', integer, zero)
    .addColumn('averageRating', real, zero)
    .addColumn('commentCount', integer)
    .addColumn('unavailableSince', integer)
    .addColumn('unavailableReason', text)
    .addColumn('isProtected', integer, zero)
    .addColumn('verifiedAt', integer)
    .addColumn('damage', text)
    .addUniqueConstraint('videoAtSite', ['site', 'siteId'])
    .$call(strict)
    .execute();
  for (const [name, column] of Object.entries(orders))
    await schema
      .createIndex(name)
      .on('video')
      .columns([column, ...filterColumns(column).filter((other) => other !== column)])
      .execute();
  // Lists by height and date.
  await schema
    .createIndex('videoOfHeight')
    .on('video')
    .columns(['height', 'publishedAt', 'id', 'kind', 'durationSeconds'])
    .execute();
  await schema.createIndex('videoOfChannel').on('video').columns(['channelId', 'publishedAt', 'id']).execute();
  // A channel may have thousands of videos: for orders other than by date, only this index is read.
  await schema
    .createIndex('videoOfChannelInAnyOrder')
    .on('video')
    .columns(['channelId', 'id', 'kind', ...Object.values(orders)])
    .execute();
  await schema.createIndex('videoByRefresh').on('video').columns(['isActive', 'refreshedAt']).execute();

  await schema
    .createTable('stream')
    .addColumn('videoId', text, partOf('video.id'))
    .addColumn('position', integer, required)
    .addColumn('type', text, required)
    .addColumn('codec', text, required)
    .addColumn('bitrate', integer, required)
    .addColumn('width', integer)
    .addColumn('height', integer)
    .addPrimaryKeyConstraint('streamKey', ['videoId', 'position'])
    .$call(strict)
    .execute();
  await schema
    .createTable('subtitle')
    .addColumn('videoId', text, partOf('video.id'))
    .addColumn('lang', text, required)
    .addColumn('source', text, required)
    .addColumn('name', text, required)
    .addColumn('path', text, unique)
    .addPrimaryKeyConstraint('subtitleKey', ['videoId', 'lang'])
    .$call(strict)
    .execute();
  await schema
    .createTable('comment')
    .addColumn('videoId', text, partOf('video.id'))
    .addColumn('id', text, required)
    .addColumn('position', integer, required)
    .addColumn('parent', text, required)
    .addColumn('author', text, required)
    .addColumn('authorId', text, required)
    .addColumn('authorThumbnail', text, required)
    .addColumn('text', text, required)
    .addColumn('writtenAt', integer, required)
    .addColumn('likeCount', integer)
    .addColumn('isFavorited', integer, required)
    .addColumn('isByUploader', integer, required)
    .addPrimaryKeyConstraint('commentKey', ['videoId', 'id'])
    .$call(strict)
    .execute();
  await schema
    .createTable('transcriptLine')
    .addColumn('videoId', text, partOf('video.id'))
    .addColumn('lang', text, required)
    .addColumn('position', integer, required)
    .addColumn('startSeconds', real, required)
    .addColumn('endSeconds', real, required)
    .addColumn('text', text, required)
    .addPrimaryKeyConstraint('transcriptLineKey', ['videoId', 'lang', 'position'])
    .$call(strict)
    .execute();
  await schema
    .createTable('metadataHistory')
    .addColumn('videoId', text, partOf('video.id'))
    .addColumn('field', text, required)
    .addColumn('replacedAt', integer, required)
    .addColumn('value', text, required)
    .addPrimaryKeyConstraint('metadataHistoryKey', ['videoId', 'field', 'replacedAt'])
    .$call(strict)
    .execute();

  await schema
    .createTable('storyboard')
    .addColumn('videoId', text, keyOf('video.id'))
    .addColumn('sheets', integer, required)
    .addColumn('sourceSha256', text, required)
    .$call(strict)
    .execute();
  // Finding missing storyboards took a third of a second with 100,000 videos.
  await schema.createTable('storyboardPending').addColumn('videoId', text, keyOf('video.id')).$call(keyed).execute();

  await schema
    .createTable('playlist')
    .addColumn('id', text, primary)
    .addColumn('kind', text, required)
    .addColumn('name', text, required)
    .addColumn('sortName', text, required)
    .addColumn('description', text)
    .addColumn('channelId', text)
    .addColumn('channelName', text)
    .addColumn('url', text)
    .addColumn('isActive', integer, one)
    .addColumn('isSubscribed', integer, zero)
    .addColumn('sortOrder', text, (c) => c.notNull().defaultTo('top'))
    .addColumn('hasThumb', integer, zero)
    .addColumn('refreshedAt', integer, required)
    .addColumn('rules', text)
    .addColumn('scannedAt', integer)
    .addColumn('unavailableSince', integer)
    .addColumn('unavailableReason', text)
    .addColumn('backCatalogue', text)
    .addColumn('autoStart', integer)
    .addColumn('ownerId', integer)
    .addColumn('isShared', integer, one)
    .$call(strict)
    .execute();
  await schema.createIndex('playlistByName').on('playlist').columns(['sortName', 'id']).execute();
  await schema.createIndex('playlistOfChannel').on('playlist').columns(['channelId', 'sortName', 'id']).execute();
  // Entries need not be archived, so the video id is no foreign key.
  await schema
    .createTable('playlistEntry')
    .addColumn('playlistId', text, partOf('playlist.id'))
    .addColumn('position', integer, required)
    .addColumn('videoId', text, required)
    .addColumn('title', text, required)
    .addColumn('uploader', text)
    .addColumn('addedOrder', integer, zero)
    .addPrimaryKeyConstraint('playlistEntryKey', ['playlistId', 'position'])
    .$call(strict)
    .execute();
  await schema.createIndex('playlistEntryOfVideo').on('playlistEntry').columns(['videoId', 'playlistId', 'position']).execute();
  // Pages of long playlists are found in this key.
  await schema
    .createTable('playlistVideo')
    .addColumn('playlistId', text, required)
    .addColumn('position', integer, required)
    .addColumn('videoId', text, required)
    .addPrimaryKeyConstraint('playlistVideoKey', ['playlistId', 'position', 'videoId'])
    .$call(strict)
    .execute();
  await schema.createIndex('playlistVideoOfVideo').on('playlistVideo').columns(['videoId', 'playlistId']).execute();
}

async function createUsers(db: Kysely<never>, engine: Engine) {
  const { text, integer, real, strict, keyed, autoId } = columnTypes(engine);
  const { schema } = db;

  await schema
    .createTable('account')
    .addColumn('id', integer, autoId)
    .addColumn('normalizedName', text, unique)
    .addColumn('name', text, required)
    .addColumn('passwordHash', text, required)
    .addColumn('isStaff', integer, required)
    .addColumn('isSuperuser', integer, required)
    .addColumn('config', text, emptyObject)
    .addColumn('createdAt', integer, required)
    .addColumn('lastLoginAt', integer)
    .addColumn('isDisabled', integer, zero)
    .addColumn('signatureVersion', integer, zero)
    .addColumn('mustChoosePassword', integer, zero)
    .addColumn('mayShare', integer, zero)
    .$call(strict)
    .execute();
  await schema
    .createTable('session')
    .addColumn('keyHash', text, primary)
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('csrfToken', text, required)
    .addColumn('remember', integer, required)
    .addColumn('createdAt', integer, required)
    .addColumn('seenAt', integer, required)
    .addColumn('expiresAt', integer, required)
    .addColumn('browser', text, emptyText)
    .addColumn('address', text, emptyText)
    .addColumn('authenticatedAt', integer, zero)
    .$call(strict)
    .execute();
  await schema.createIndex('sessionOfAccount').on('session').column('accountId').execute();
  await schema
    .createTable('identity')
    .addColumn('issuer', text, required)
    .addColumn('subject', text, required)
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('addedAt', integer, required)
    .addPrimaryKeyConstraint('identityKey', ['issuer', 'subject'])
    .$call(strict)
    .execute();
  await schema.createIndex('identityOfAccount').on('identity').column('accountId').execute();
  await schema
    .createTable('token')
    .addColumn('accountId', integer, keyOf('account.id'))
    .addColumn('tokenHash', text, unique)
    .addColumn('sealed', text, required)
    .addColumn('createdAt', integer, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('namedToken')
    .addColumn('number', integer, autoId)
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('name', text, required)
    .addColumn('tokenHash', text, unique)
    .addColumn('createdAt', integer, required)
    .addColumn('expiresAt', integer)
    .addColumn('lastUsedAt', integer)
    .addColumn('scopes', text, required)
    .$call(strict)
    .execute();
  await schema.createIndex('namedTokenOfAccount').on('namedToken').column('accountId').execute();

  await schema
    .createTable('watch')
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('videoId', text, partOf('video.id'))
    .addColumn('watchedAt', integer)
    .addColumn('positionSeconds', real)
    .addColumn('updatedAt', integer, required)
    .addPrimaryKeyConstraint('watchKey', ['accountId', 'videoId'])
    // Lists compare each video with this table. With a rowid, SQLite would search the index of the key and then the table.
    .$call(keyed)
    .execute();
  await schema.createIndex('watchOfVideo').on('watch').column('videoId').execute();
  // Videos that a user can resume: few of all started ones. SQLite prefers it to the key only with all columns of the query.
  await sql`create index watch_to_continue on watch (account_id, watched_at, updated_at, video_id, position_seconds)
    where watched_at is null and position_seconds is not null`.execute(db);
  if (engine === 'postgres')
    await sql`create index watch_done on watch (account_id, video_id) where watched_at is not null`.execute(db);
  // What any user has finished or is watching, for the cleanup filter.
  await sql`create index watch_finished on watch (video_id) where watched_at is not null`.execute(db);
  await sql`create index watch_in_progress on watch (video_id)
    where watched_at is null and position_seconds is not null`.execute(db);

  await schema
    .createTable('smartList')
    .addColumn('number', integer, autoId)
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('name', text, required)
    .addColumn('sortName', text, required)
    .addColumn('filter', text, required)
    .addColumn('isShared', integer, zero)
    .addColumn('createdAt', integer, required)
    .$call(strict)
    .execute();
  await schema.createIndex('smartListOfAccount').on('smartList').columns(['accountId', 'sortName', 'number']).execute();
  await schema
    .createTable('smartListVisit')
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('listNumber', integer, partOf('smartList.number'))
    .addColumn('visitedAt', integer, required)
    .addPrimaryKeyConstraint('smartListVisitKey', ['accountId', 'listNumber'])
    .$call(strict)
    .execute();
  await schema.createIndex('smartListVisitOfList').on('smartListVisit').column('listNumber').execute();

  await schema
    .createTable('podcast')
    .addColumn('number', integer, autoId)
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('type', text, required)
    .addColumn('targetId', text, required)
    .addColumn('media', text, required)
    .addColumn('secretHash', text, unique)
    .addColumn('sealed', text, required)
    .addColumn('createdAt', integer, required)
    .addColumn('lastUsedAt', integer)
    .$call(strict)
    .execute();
  await schema
    .createIndex('podcastOfAccount')
    .unique()
    .on('podcast')
    .columns(['accountId', 'type', 'targetId', 'media'])
    .execute();
  await schema
    .createTable('share')
    .addColumn('number', integer, autoId)
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('type', text, required)
    .addColumn('targetId', text, required)
    .addColumn('secretHash', text, unique)
    .addColumn('sealed', text, required)
    .addColumn('passwordHash', text)
    .addColumn('expiresAt', integer)
    .addColumn('allowsDownload', integer, required)
    .addColumn('views', integer, zero)
    .addColumn('createdAt', integer, required)
    .addColumn('lastViewedAt', integer)
    .$call(strict)
    .execute();
  await schema.createIndex('shareOfAccount').on('share').columns(['accountId', 'number']).execute();

  await schema.createTable('setting').addColumn('name', text, primary).addColumn('value', text, required).$call(strict).execute();
}

async function createQueue(db: Kysely<never>, engine: Engine) {
  const { text, integer, strict, autoId } = columnTypes(engine);
  const { schema } = db;

  await schema
    .createTable('download')
    .addColumn('number', integer, autoId)
    .addColumn('id', text, unique)
    .addColumn('site', text, required)
    .addColumn('siteId', text, required)
    .addColumn('url', text, required)
    .addColumn('title', text, required)
    .addColumn('normalizedTitle', text, required)
    .addColumn('channelId', text, required)
    .addColumn('channelName', text, required)
    .addColumn('kind', text, required)
    .addColumn('durationSeconds', integer)
    .addColumn('publishedAt', integer)
    .addColumn('thumbnailUrl', text)
    .addColumn('status', text, required)
    .addColumn('autoStart', integer, required)
    .addColumn('isForced', integer, zero)
    .addColumn('failure', text)
    .addColumn('message', text)
    .addColumn('queuedAt', integer, required)
    .addColumn('attempts', integer, zero)
    .addColumn('leasedBy', text)
    .addColumn('leaseUntil', integer)
    .addColumn('epoch', integer, zero)
    .addColumn('failures', integer, zero)
    .addColumn('retryAt', integer)
    .addColumn('isOnRequest', integer, zero)
    .addColumn('egress', text, empty)
    .addColumn('needsLogin', integer, zero)
    .$call(strict)
    .execute();
  await sql`create index download_in_order on download (status, auto_start desc, queued_at, number, normalized_title)`.execute(
    db,
  );
  // Covers the text search, so that it reads the index only.
  await sql`create index download_of_both on download (auto_start desc, queued_at, number, status, normalized_title)`.execute(db);
  await sql`create index download_failed on download (status, auto_start desc, queued_at, number) where failure is not null`.execute(
    db,
  );
  // Leased items are queried before each claim: scanning 50,000 items took 20 ms during which no other write was possible.
  await sql`create index download_leased on download (lease_until, site, egress) where lease_until is not null`.execute(db);
  await schema.createIndex('downloadOfChannel').on('download').columns(['channelId', 'status']).execute();
  await schema.createIndex('downloadByRetry').on('download').column('retryAt').execute();
  // The queue search matches anywhere in titles: a trigram index reduces the candidates.
  if (engine === 'sqlite')
    await sql`create virtual table download_trigram using fts5(normalized_title, content = '', contentless_delete = 1,
      detail = none, tokenize = 'trigram')`.execute(db);
  // Without the extension, titles are scanned.
  else
    await sql`do $$
      begin
        create extension if not exists pg_trgm;
        create index download_trigrams on download using gin (normalized_title gin_trgm_ops);
      exception when others then
        raise notice 'the queue search does not use pg_trgm: %', sqlerrm;
      end $$`.execute(db);

  await schema
    .createTable('siteVisit')
    .addColumn('site', text, required)
    .addColumn('egress', text, required)
    .addColumn('startedAt', integer, required)
    .addPrimaryKeyConstraint('siteVisitKey', ['site', 'egress'])
    .$call(strict)
    .execute();
  await schema
    .createTable('siteCooldown')
    .addColumn('site', text, required)
    .addColumn('egress', text, required)
    .addColumn('untilAt', integer, required)
    .addColumn('failure', text, required)
    .addColumn('message', text, required)
    .addColumn('refusals', integer, required)
    .addPrimaryKeyConstraint('siteCooldownKey', ['site', 'egress'])
    .$call(strict)
    .execute();
  await schema
    .createTable('keyFingerprint')
    .addColumn('id', integer, primary)
    .addColumn('fingerprint', text, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('node')
    .addColumn('name', text, primary)
    .addColumn('role', text, required)
    .addColumn('runId', text, required)
    .addColumn('egress', text, required)
    .addColumn('version', text, required)
    .addColumn('ytdlp', text)
    .addColumn('isLeader', integer, required)
    .addColumn('isDraining', integer, required)
    .addColumn('problems', text, required)
    .addColumn('startedAt', integer, required)
    .addColumn('seenAt', integer, required)
    .addColumn('quietEpoch', integer)
    .$call(strict)
    .execute();
  await schema
    .createTable('maintenance')
    .addColumn('id', integer, primary)
    .addColumn('runId', text)
    .addColumn('why', text)
    .addColumn('epoch', integer, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('rateLimit')
    .addColumn('key', text, primary)
    .addColumn('points', integer, required)
    .addColumn('expire', integer, required)
    .$call(strict)
    .execute();
  await schema.createIndex('rateLimitByExpire').on('rateLimit').column('expire').execute();
  await schema.createTable('expansion').addColumn('name', text, primary).$call(strict).execute();
  await schema
    .createTable('renditionRequest')
    .addColumn('videoId', text, required)
    .addColumn('name', text, required)
    .addColumn('stamp', text, required)
    .addColumn('track', integer, required)
    .addColumn('withPicture', integer, required)
    .addColumn('onlyM4a', integer, required)
    .addColumn('askedAt', integer, required)
    .addColumn('failure', text)
    .addPrimaryKeyConstraint('renditionRequestKey', ['videoId', 'name'])
    .$call(strict)
    .execute();
  await schema
    .createTable('feedPoll')
    .addColumn('channelId', text, primary)
    .addColumn('readAt', integer, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('undoableMark')
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('part', integer, required)
    .addColumn('name', text, required)
    .addColumn('markedAt', integer, required)
    .addColumn('watchedAt', integer)
    .addColumn('before', text, required)
    .addPrimaryKeyConstraint('undoableMarkKey', ['accountId', 'part'])
    .$call(strict)
    .execute();
  await schema
    .createTable('seenEntry')
    .addColumn('videoId', text, primary)
    .addColumn('channelId', text, required)
    .addColumn('title', text, required)
    .addColumn('kind', text, required)
    .addColumn('durationSeconds', integer)
    .addColumn('publishedAt', integer)
    .addColumn('isMembersOnly', integer, required)
    .addColumn('seenAt', integer, required)
    .addColumn('isSkipped', integer, zero)
    .addColumn('deletedAt', integer)
    .$call(strict)
    .execute();
  await schema.createIndex('seenEntryOfChannel').on('seenEntry').columns(['channelId', 'videoId']).execute();
  await schema
    .createTable('listingPosition')
    .addColumn('url', text, primary)
    .addColumn('position', integer, required)
    .addColumn('updatedAt', integer, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('refreshRequest')
    .addColumn('number', integer, autoId)
    .addColumn('kind', text, required)
    .addColumn('id', text, required)
    .addColumn('isManual', integer, required)
    .addUniqueConstraint('refreshRequestOnce', ['kind', 'id'])
    .$call(strict)
    .execute();
  await schema.createTable('pendingDeletion').addColumn('path', text, primary).$call(strict).execute();
  await schema
    .createTable('upload')
    .addColumn('id', text, primary)
    .addColumn('number', integer, required)
    .addColumn('runId', text, required)
    .addColumn('startedAt', integer, required)
    .addColumn('paths', text, required)
    .addColumn('manifest', text)
    .$call(strict)
    .execute();
  await schema
    .createTable('bucket')
    .addColumn('id', integer, primary)
    .addColumn('marker', text, required)
    .addColumn('movingTo', text)
    .$call(strict)
    .execute();
}

async function createTasks(db: Kysely<never>, engine: Engine) {
  const { text, integer, real, strict, autoId } = columnTypes(engine);
  const { schema } = db;

  await schema
    .createTable('task')
    .addColumn('id', text, primary)
    .addColumn('name', text, required)
    .addColumn('input', text, required)
    .addColumn('status', text, required)
    .addColumn('singletonName', text, (c) => c.unique())
    .addColumn('messages', text, emptyList)
    .addColumn('progress', real)
    .addColumn('isError', integer, zero)
    .addColumn('command', text)
    .addColumn('result', text)
    .addColumn('queuedAt', integer, required)
    .addColumn('startedAt', integer)
    .addColumn('endedAt', integer)
    .addColumn('leasedBy', text)
    .addColumn('leaseUntil', integer)
    .addColumn('epoch', integer, zero)
    .addColumn('attempts', integer, zero)
    .addColumn('counts', text, emptyObject)
    .addColumn('problems', integer, zero)
    .$call(strict)
    .execute();
  await schema.createIndex('taskByStatus').on('task').columns(['status', 'queuedAt']).execute();
  await schema.createIndex('taskByEnd').on('task').column('endedAt').execute();
  await schema
    .createTable('runShare')
    .addColumn('taskId', text, partOf('task.id'))
    .addColumn('runId', text, required)
    .addColumn('egress', text, required)
    .addColumn('report', text, required)
    .addColumn('counts', text, required)
    .addColumn('skipped', text, required)
    .addColumn('activeUntil', integer, required)
    .addPrimaryKeyConstraint('runShareKey', ['taskId', 'runId'])
    .$call(strict)
    .execute();
  await schema
    .createTable('runLog')
    .addColumn('number', integer, autoId)
    .addColumn('taskId', text, partOf('task.id'))
    .addColumn('kind', text, required)
    .addColumn('subject', text, required)
    .addColumn('reason', text)
    .addColumn('output', text)
    .addColumn('videoId', text)
    .addColumn('loggedAt', integer, required)
    .$call(strict)
    .execute();
  await schema.createIndex('runLogOfTask').on('runLog').columns(['taskId', 'number']).execute();
  await schema
    .createTable('migration')
    .addColumn('id', text, primary)
    .addColumn('taskId', text, required)
    .addColumn('program', text, required)
    .addColumn('source', text, required)
    .addColumn('input', text, required)
    .addColumn('sealed', text)
    .addColumn('accountId', integer, required)
    .addColumn('isDryRun', integer, required)
    .addColumn('status', text, required)
    .addColumn('counts', text, emptyObject)
    .addColumn('problems', integer, zero)
    .addColumn('error', text)
    .addColumn('startedAt', integer, required)
    .addColumn('endedAt', integer)
    .addColumn('undoUntil', integer)
    .$call(strict)
    .execute();
  await schema
    .createTable('migrationLine')
    .addColumn('number', integer, autoId)
    .addColumn('migrationId', text, partOf('migration.id'))
    .addColumn('kind', text, required)
    .addColumn('subject', text, required)
    .addColumn('reason', text, required)
    .$call(strict)
    .execute();
  await schema.createIndex('migrationLineOf').on('migrationLine').columns(['migrationId', 'number']).execute();
  await schema
    .createTable('migrationChange')
    .addColumn('number', integer, autoId)
    .addColumn('migrationId', text, partOf('migration.id'))
    .addColumn('take', text)
    .addColumn('kind', text, required)
    .addColumn('subject', text, required)
    .addColumn('state', text)
    .$call(strict)
    .execute();
  await schema.createIndex('migrationChangeOf').on('migrationChange').columns(['migrationId', 'number']).execute();
  await schema.createIndex('migrationChangeSubject').on('migrationChange').columns(['migrationId', 'kind', 'subject']).execute();
  await schema
    .createTable('schedule')
    .addColumn('name', text, primary)
    .addColumn('schedule', text, required)
    .addColumn('config', text, required)
    .addColumn('lastRunAt', integer)
    .addColumn('nextAt', integer, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('secret')
    .addColumn('name', text, primary)
    .addColumn('sealed', text, required)
    .addColumn('state', text, required)
    .addColumn('updatedAt', integer, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('notifyTarget')
    .addColumn('number', integer, autoId)
    .addColumn('taskName', text, required)
    .addColumn('urlHash', text, required)
    .addColumn('sealed', text, required)
    .addUniqueConstraint('notifyTargetOnce', ['taskName', 'urlHash'])
    .$call(strict)
    .execute();
  await schema
    .createTable('outbox')
    .addColumn('number', integer, autoId)
    .addColumn('sealed', text, required)
    .addColumn('message', text, required)
    .addColumn('attempts', integer, zero)
    .addColumn('nextAt', integer, required)
    .addColumn('createdAt', integer, required)
    .$call(strict)
    .execute();
}

async function createViews(db: Kysely<never>, engine: Engine) {
  const { text, integer, strict, autoId } = columnTypes(engine);
  const { schema } = db;
  await schema
    .createTable('libraryView')
    .addColumn('number', integer, autoId)
    .addColumn('name', text, unique)
    .addColumn('root', text, unique)
    .addColumn('marker', text, required)
    .addColumn('preset', text, required)
    .addColumn('template', text)
    .addColumn('contentType', text, required)
    .addColumn('contentId', text)
    .addColumn('link', text, required)
    .addColumn('linkUsed', text)
    .addColumn('linkReason', text)
    .addColumn('hasNfo', integer, required)
    .addColumn('hasArtwork', integer, required)
    .addColumn('subtitles', text, required)
    .addColumn('hasChapters', integer, required)
    .addColumn('personId', integer, (c) => c.references('account.id').onDelete('set null'))
    .addColumn('state', text, (c) => c.notNull().defaultTo('new'))
    .addColumn('problem', text)
    .addColumn('queuedBy', text)
    .addColumn('failedAt', integer)
    .addColumn('builtAt', integer)
    .addColumn('videos', integer, zero)
    .addColumn('files', integer, zero)
    .$call(strict)
    .execute();
  await schema
    .createTable('viewFile')
    .addColumn('viewNumber', integer, partOf('libraryView.number'))
    .addColumn('key', text, required)
    .addColumn('path', text, required)
    .addColumn('owner', text, required)
    .addColumn('part', text, required)
    .addColumn('groupId', text, required)
    .addColumn('season', text)
    .addColumn('stamp', text, required)
    .addColumn('mark', text)
    .addColumn('slot', text)
    .addColumn('slotNumber', integer)
    .addPrimaryKeyConstraint('viewFileKey', ['viewNumber', 'key'])
    .$call(strict) // indexes of a table without rowid would contain its long key
    .execute();
  await schema.createIndex('viewFileOfOwner').on('viewFile').columns(['viewNumber', 'owner']).execute();
  await schema
    .createIndex('viewFileOfGroup')
    .on('viewFile')
    .columns(['viewNumber', 'groupId', 'season'])
    .where(sql.ref('season'), 'is not', null)
    .execute();
  await schema
    .createIndex('viewFileOfSlot')
    .on('viewFile')
    .columns(['viewNumber', 'slot', 'slotNumber'])
    .where(sql.ref('slot'), 'is not', null)
    .execute();
  await schema
    .createTable('viewPending')
    .addColumn('number', integer, autoId)
    .addColumn('viewNumber', integer, partOf('libraryView.number'))
    .addColumn('kind', text, required)
    .addColumn('id', text, required)
    .addColumn('version', integer, zero)
    .addUniqueConstraint('viewPendingKey', ['viewNumber', 'kind', 'id'])
    .$call(strict)
    .execute();
}

async function createMediaServers(db: Kysely<never>, engine: Engine) {
  const { text, integer, strict, keyed, autoId } = columnTypes(engine);
  const { schema } = db;
  await schema
    .createTable('mediaServer')
    .addColumn('number', integer, autoId)
    .addColumn('kind', text, required)
    .addColumn('name', text, unique)
    .addColumn('address', text, required)
    .addColumn('sealed', text)
    .addColumn('mappings', text, required)
    .addColumn('state', text, (c) => c.notNull().defaultTo('new'))
    .addColumn('problem', text)
    .addColumn('failedIn', text)
    .addColumn('failures', integer, zero)
    .addColumn('failedAt', integer)
    .addColumn('nextAt', integer, zero)
    .addColumn('refreshedAt', integer)
    .addColumn('syncedAt', integer)
    .addColumn('nextSyncAt', integer, zero)
    .addColumn('report', text)
    .$call(strict)
    .execute();
  await schema
    .createTable('mediaServerPerson')
    .addColumn('serverNumber', integer, partOf('mediaServer.number'))
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('userId', text, required)
    .addColumn('userName', text, required)
    .addColumn('sealed', text)
    .addColumn('problem', text)
    .addPrimaryKeyConstraint('mediaServerPersonKey', ['serverNumber', 'accountId'])
    .$call(strict)
    .execute();
  // No foreign key: the playlist of the server is deleted after the one here.
  await schema
    .createTable('mediaServerPlaylist')
    .addColumn('serverNumber', integer, partOf('mediaServer.number'))
    .addColumn('playlistId', text, required)
    .addColumn('remoteId', text)
    .addColumn('name', text)
    .addColumn('userId', text)
    .addColumn('stamp', text)
    .addColumn('isRemoved', integer, zero)
    .addColumn('isRecreated', integer, zero)
    .addColumn('problem', text)
    .addPrimaryKeyConstraint('mediaServerPlaylistKey', ['serverNumber', 'playlistId'])
    .$call(strict)
    .execute();
  // No foreign key: videos may return from the trash.
  await schema
    .createTable('mediaServerItem')
    .addColumn('serverNumber', integer, partOf('mediaServer.number'))
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('itemId', text, required)
    .addColumn('videoId', text, required)
    .addColumn('isWatchedHere', integer, required)
    .addColumn('positionHere', integer, required)
    .addColumn('isWatchedThere', integer, required)
    .addColumn('positionThere', integer, required)
    .addColumn('seenAt', integer, required)
    .addPrimaryKeyConstraint('mediaServerItemKey', ['serverNumber', 'accountId', 'itemId'])
    .$call(keyed)
    .execute();
  await schema.createIndex('mediaServerItemOfVideo').on('mediaServerItem').columns(['videoId', 'serverNumber']).execute();
  await schema
    .createTable('mediaServerRefresh')
    .addColumn('number', integer, autoId)
    .addColumn('serverNumber', integer, partOf('mediaServer.number'))
    .addColumn('root', text, required)
    .addColumn('folder', text, required)
    .addColumn('change', text, required)
    .addColumn('firstAt', integer, required)
    .addColumn('lastAt', integer, required)
    .addColumn('version', integer, zero)
    .addUniqueConstraint('mediaServerRefreshKey', ['serverNumber', 'folder'])
    .$call(strict)
    .execute();
}

async function createTrash(db: Kysely<never>, engine: Engine) {
  const { text, integer, strict, autoId } = columnTypes(engine);
  const { schema } = db;

  await schema
    .createTable('trash')
    .addColumn('number', integer, autoId)
    .addColumn('videoId', text, required)
    .addColumn('title', text, required)
    .addColumn('channelId', text, required)
    .addColumn('channelName', text, required)
    .addColumn('sizeBytes', integer, required)
    .addColumn('deletedAt', integer, required)
    .addColumn('deletedBy', text)
    .addColumn('reason', text)
    .addColumn('addedToIgnoreList', integer, required)
    .addColumn('folder', text, unique)
    .addColumn('retainedSeconds', integer, zero)
    .addColumn('observedAt', integer, zero)
    .$call(strict)
    .execute();
  await schema.createIndex('trashByTime').on('trash').columns(['deletedAt', 'number']).execute();
  await schema.createIndex('trashOfVideo').on('trash').columns(['videoId', 'number']).execute();
  await schema.createIndex('trashOfChannel').on('trash').column('channelId').execute();
  await schema
    .createTable('trashRows')
    .addColumn('trashNumber', integer, partOf('trash.number'))
    .addColumn('tableName', text, required)
    .addColumn('part', integer, required)
    .addColumn('rows', text, required)
    .addPrimaryKeyConstraint('trashRowsKey', ['trashNumber', 'tableName', 'part'])
    .$call(strict)
    .execute();
  // No foreign key: files being restored have no entry in the trash any more.
  await schema
    .createTable('trashFile')
    .addColumn('folder', text, required)
    .addColumn('name', text, required)
    .addColumn('path', text, required)
    .addColumn('state', text, required)
    .addPrimaryKeyConstraint('trashFileKey', ['folder', 'name'])
    .$call(strict)
    .execute();
  await schema.createIndex('trashFileByState').on('trashFile').columns(['state', 'path']).execute();
}

async function createCounts(db: Kysely<never>, engine: Engine) {
  const { text, integer, strict, keyed } = columnTypes(engine);
  const { schema } = db;

  await schema
    .createTable('videoCount')
    .addColumn('channelId', text, partOf('channel.id'))
    .addColumn('kind', text, required)
    .addColumn('isActive', integer, required)
    .addColumn('videos', integer, required)
    .addColumn('sizeBytes', integer, required)
    .addColumn('durationSeconds', integer, required)
    .addPrimaryKeyConstraint('videoCountKey', ['channelId', 'kind', 'isActive'])
    .$call(strict)
    .execute();
  await schema
    .createTable('watchCount')
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('channelId', text, partOf('channel.id'))
    .addColumn('kind', text, required)
    .addColumn('videos', integer, required)
    .addColumn('durationSeconds', integer, required)
    .addPrimaryKeyConstraint('watchCountKey', ['accountId', 'channelId', 'kind'])
    .$call(strict)
    .execute();
  await schema
    .createTable('queueCount')
    .addColumn('channelId', text, required)
    .addColumn('channelName', text, required)
    .addColumn('status', text, required)
    .addColumn('kind', text, required)
    .addColumn('items', integer, required)
    .addPrimaryKeyConstraint('queueCountKey', ['channelId', 'channelName', 'status', 'kind'])
    .$call(strict)
    .execute();
  // A queue has thousands of channels, so totals are not summed from theirs.
  await schema
    .createTable('queueStatusCount')
    .addColumn('status', text, required)
    .addColumn('kind', text, required)
    .addColumn('failure', text, required)
    .addColumn('isOnRequest', integer, required)
    .addColumn('items', integer, required)
    .addPrimaryKeyConstraint('queueStatusCountKey', ['status', 'kind', 'failure', 'isOnRequest'])
    .$call(strict)
    .execute();

  await schema
    .createTable('monthCount')
    .addColumn('kind', text, required)
    .addColumn('month', integer, required)
    .addColumn('videos', integer, required)
    .addPrimaryKeyConstraint('monthCountKey', ['kind', 'month'])
    .$call(strict)
    .execute();
  await schema
    .createTable('watchMonthCount')
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('kind', text, required)
    .addColumn('month', integer, required)
    .addColumn('videos', integer, required)
    .addPrimaryKeyConstraint('watchMonthCountKey', ['accountId', 'kind', 'month'])
    .$call(strict)
    .execute();
  await schema
    .createTable('watchTimeCount')
    .addColumn('accountId', integer, partOf('account.id'))
    .addColumn('watchedAt', integer, required)
    .addColumn('videos', integer, required)
    .addColumn('durationSeconds', integer, required)
    .addPrimaryKeyConstraint('watchTimeCountKey', ['accountId', 'watchedAt'])
    .$call(keyed)
    .execute();
  await schema
    .createTable('heightCount')
    .addColumn('height', integer, required)
    .addColumn('kind', text, required)
    .addColumn('videos', integer, required)
    .addPrimaryKeyConstraint('heightCountKey', ['height', 'kind'])
    .$call(strict)
    .execute();
  await schema
    .createTable('dayCount')
    .addColumn('day', integer, primary)
    .addColumn('videos', integer, required)
    .addColumn('sizeBytes', integer, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('formatCount')
    .addColumn('height', integer, required)
    .addColumn('codec', text, required)
    .addColumn('videos', integer, required)
    .addColumn('sizeBytes', integer, required)
    .addPrimaryKeyConstraint('formatCountKey', ['height', 'codec'])
    .$call(strict)
    .execute();
  await schema
    .createTable('incompatibleVideo')
    .addColumn('videoId', text, keyOf('video.id'))
    .addColumn('fix', text, required)
    .$call(strict)
    .execute();
  await schema.createIndex('incompatibleVideoByFix').on('incompatibleVideo').columns(['fix', 'videoId']).execute();
  await schema
    .createTable('incompatibleCount')
    .addColumn('fix', text, primary)
    .addColumn('videos', integer, required)
    .$call(strict)
    .execute();

  await schema
    .createTable('facet')
    .addColumn('kind', text, required)
    .addColumn('value', text, required)
    .addColumn('videoId', text, partOf('video.id'))
    .addPrimaryKeyConstraint('facetKey', ['kind', 'value', 'videoId'])
    .$call(keyed)
    .execute();
  await schema.createIndex('facetOfVideo').on('facet').columns(['videoId', 'kind']).execute();
  await schema
    .createTable('facetCount')
    .addColumn('kind', text, required)
    .addColumn('value', text, required)
    .addColumn('videos', integer, required)
    .addPrimaryKeyConstraint('facetCountKey', ['kind', 'value'])
    .$call(keyed)
    .execute();
  await schema.createIndex('facetCountByVideos').on('facetCount').columns(['kind', 'videos']).execute();

  await schema
    .createTable('siteStats')
    .addColumn('site', text, required)
    .addColumn('day', integer, required)
    .addColumn('archived', integer, zero)
    .addColumn('blocked', integer, zero)
    .addColumn('failed', integer, zero)
    .addPrimaryKeyConstraint('siteStatsKey', ['site', 'day'])
    .$call(strict)
    .execute();
  await schema.createIndex('siteStatsByDay').on('siteStats').columns(['day', 'site', 'archived', 'blocked', 'failed']).execute();
  await schema
    .createTable('ytdlpHistory')
    .addColumn('since', integer, primary)
    .addColumn('version', text, required)
    .$call(strict)
    .execute();
}

// For each video of a page, rows of five tables had to be read and serialized (docs/decisions/serialized-video-cache.md).
async function createResponseCache(db: Kysely<never>, engine: Engine) {
  const { bytes, text, integer, strict, keyed } = columnTypes(engine);
  const { schema } = db;

  await schema
    .createTable('serializedVideo')
    .addColumn('videoId', text, keyOf('video.id'))
    .addColumn('channelId', text, required)
    .addColumn('format', integer, required)
    .addColumn('json', bytes, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('serializedChannel')
    .addColumn('channelId', text, keyOf('channel.id'))
    .addColumn('format', integer, required)
    .addColumn('json', bytes, required)
    .$call(strict)
    .execute();
  await schema
    .createTable('serializedPlaylist')
    .addColumn('playlistId', text, keyOf('playlist.id'))
    .addColumn('format', integer, required)
    .addColumn('json', bytes, required)
    .$call(strict)
    .execute();
  // To check at each start, without reading rows, whether all have the current format.
  for (const table of ['serializedVideo', 'serializedChannel', 'serializedPlaylist'])
    await schema.createIndex(`${table}ByFormat`).on(table).columns(['format']).execute();
  await schema
    .createTable('serializationPending')
    .addColumn('kind', text, required)
    .addColumn('id', text, required)
    .addPrimaryKeyConstraint('serializationPendingKey', ['kind', 'id'])
    .$call(keyed)
    .execute();
}

async function createSearch(db: Kysely<never>, engine: Engine) {
  const { text, integer, strict, keyed, autoId } = columnTypes(engine);
  const { schema } = db;
  const run = (statement: string) => sql.raw(statement).execute(db);

  await schema
    .createTable('searchPending')
    .addColumn('number', integer, autoId)
    .addColumn('kind', text, required)
    .addColumn('id', text, required)
    .$call(strict)
    .execute();
  await schema.createIndex('searchPendingOf').on('searchPending').columns(['kind', 'id']).execute();
  await schema.createIndex('searchPendingInOrder').on('searchPending').columns(['kind', 'number']).execute();
  await schema
    .createTable('searchDocument')
    .addColumn('number', integer, autoId)
    .addColumn('kind', text, required)
    .addColumn('id', text, required)
    .addUniqueConstraint('searchDocumentOf', ['kind', 'id'])
    .$call(strict)
    .execute();
  await schema
    .createTable('searchTrack')
    .addColumn('number', integer, autoId)
    .addColumn('videoId', text, required)
    .addColumn('lang', text, required)
    .addColumn('textHash', text, required)
    .addColumn('chunks', integer, required)
    .addUniqueConstraint('searchTrackOf', ['videoId', 'lang'])
    .$call(strict)
    .execute();
  await schema
    .createTable('searchWord')
    .addColumn('space', text, required)
    .addColumn('word', text, required)
    .addColumn('documents', integer, required)
    .addColumn('weight', integer, zero)
    .addColumn('letters', integer, required)
    .addColumn('first', text)
    .addColumn('second', text)
    .addColumn('third', text)
    .addPrimaryKeyConstraint('searchWordKey', ['space', 'word'])
    .$call(keyed)
    .execute();
  for (const part of ['first', 'second', 'third'])
    await schema
      .createIndex(`searchWordBy_${part}`)
      .on('searchWord')
      .columns(['space', 'letters', part as never, 'weight'])
      .where(sql.ref(part), 'is not', null)
      .execute();

  if (engine === 'sqlite') {
    // Texts are inserted normalized, as terms separated by spaces; `=` begins special terms such as the kind. The indexed text is
    // not stored again (content='').
    const tokenize = `tokenize = "ascii tokenchars '='"`;
    await run(`create virtual table search_name using fts5(a, b, c, d,
      content = '', contentless_delete = 1, prefix = '1 2 3', ${tokenize})`);
    await run(`create virtual table search_transcript using fts5(words, content = '', contentless_delete = 1, ${tokenize})`);
    return;
  }
  for (const table of ['search_name', 'search_transcript']) {
    await run(`create table ${table} (rowid bigint primary key, words tsvector not null)`);
    await run(`create index ${table}_words on ${table} using gin (words)`);
  }
}
