import { message } from '#contract/messages.ts';
import { Sponsorblock } from '#contract/video.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { StorageError } from '../../../platform/storage/file-store.ts';
import { normalizeText } from '../../../platform/lib/normalize-text.ts';
import { addEmbedded, isChannelId } from './channels.ts';
import { isMissingFile, missingFileDamage } from '../../../archive/video/store.ts';
import { countExisting, unknownChecksum, type Merge, type MergeContext } from './merge-context.ts';
import type { BulkPair } from './bulk-pairs.ts';
import { asCount, asFlag, asList, asNumber, asPath, asTexts, asTime } from './field-parsers.ts';
import { objectOrEmpty, storableText, type JsonObject } from '../../../platform/lib/untrusted.ts';

const kinds = ['videos', 'streams', 'shorts'] as const;
const idPattern = /^[-\w]{1,64}$/;
const kindOf = (value: unknown) => kinds.find((kind) => kind === value) ?? 'videos';

function sponsorblockOf(value: unknown): string | null {
  const segments = asList(objectOrEmpty(value)['segments']).map((one) => ({ ...objectOrEmpty(one) }));
  const read = Sponsorblock.safeParse({
    ...objectOrEmpty(value),
    last_refresh: asTime(objectOrEmpty(value)['last_refresh']) ?? 0,
    segments: segments.map((one) => ({ ...one, actionType: 'skip' })),
  });
  return read.success ? JSON.stringify(read.data) : null;
}

const streamsOf = (value: unknown, videoId: string) =>
  asList(value)
    .slice(0, 50)
    .flatMap((one, position) => {
      const { type, codec, bitrate, width, height } = objectOrEmpty(one);
      if (type !== 'video' && type !== 'audio') return [];
      return [
        {
          videoId,
          position,
          type: type as 'video' | 'audio',
          codec: storableText(codec, 50) ?? 'unknown',
          bitrate: asCount(bitrate),
          width: type === 'video' ? asCount(width) : null,
          height: type === 'video' ? asCount(height) : null,
        },
      ];
    });

function subtitlesOf(value: unknown, videoId: string) {
  const byLang = new Map<
    string,
    { videoId: string; lang: string; source: 'user' | 'auto' | 'file'; name: string; path: string }
  >();
  for (const one of asList(value).slice(0, 300)) {
    const { lang, source, name, media_url: url } = objectOrEmpty(one);
    const [code, path] = [storableText(lang, 30), asPath(url)];
    if (!code || !path || !path.endsWith('.vtt')) continue;
    const from = source === 'user' || source === 'file' ? source : 'auto';
    // Subtitles written by people take precedence over automatic ones.
    if (!byLang.has(code) || from === 'user')
      byLang.set(code, { videoId, lang: code, source: from, name: storableText(name, 200) ?? code, path });
  }
  return [...byLang.values()];
}

/** Reads the metadata of a TubeArchivist video. */
function described(doc: JsonObject) {
  const stats = objectOrEmpty(doc['stats']);
  const title = storableText(doc['title'], 2000) ?? '';
  const streams = streamsOf(doc['streams'], '');
  const picture = streams.find(({ type }) => type === 'video');
  return {
    title,
    sortTitle: normalizeText(title),
    description: storableText(doc['description']),
    kind: kindOf(doc['vid_type']),
    publishedAt: asTime(doc['published']) ?? asTime(doc['date_downloaded']) ?? 0,
    refreshedAt: asTime(doc['vid_last_refresh']) ?? 0,
    isActive: doc['active'] === false ? (0 as const) : (1 as const),
    durationSeconds: asCount(objectOrEmpty(doc['player'])['duration']),
    width: picture?.width ?? 0,
    height: picture?.height ?? 0,
    categories: JSON.stringify(asTexts(doc['category'])),
    tags: JSON.stringify(asTexts(doc['tags'])),
    sponsorblock: sponsorblockOf(doc['sponsorblock']),
    viewCount: asCount(stats['view_count']),
    likeCount: asCount(stats['like_count']),
    dislikeCount: asCount(stats['dislike_count']),
    averageRating: asNumber(stats['average_rating']),
  };
}

/** Returns the size of a media file; null if it does not exist. @throws StorageError if a bucket does not answer */
const sizeOf = async ({ part }: MergeContext, path: string) =>
  part.files.stat(path).then(
    (file) => file?.sizeBytes ?? null,
    (error: unknown) => {
      if (error instanceof StorageError) throw error;
      return null;
    },
  );

async function writeParts(tx: Db | Tx, id: string, doc: JsonObject) {
  await tx.deleteFrom('stream').where('videoId', '=', id).execute();
  const streams = streamsOf(doc['streams'], id);
  if (streams.length > 0) await tx.insertInto('stream').values(streams).execute();
  for (const subtitle of subtitlesOf(doc['subtitles'], id))
    await tx
      .insertInto('subtitle')
      .values(subtitle)
      .onConflict((c) => c.doNothing())
      .execute();
}

/** In TubeArchivist "watched" applies to all users; here it is set for the given accounts. A later change made here is kept. */
async function writeWatched(tx: Db | Tx, id: string, doc: JsonObject, { accounts, part }: MergeContext) {
  const player = objectOrEmpty(doc['player']);
  if (asFlag(player['watched']) === 0) return;
  const watchedAt = asTime(player['watched_date']) ?? part.now();
  for (const accountId of accounts)
    await tx
      .insertInto('watch')
      .values({ accountId, videoId: id, watchedAt, positionSeconds: null, updatedAt: watchedAt })
      .onConflict((c) =>
        c
          .columns(['accountId', 'videoId'])
          .doUpdateSet({ watchedAt, updatedAt: watchedAt })
          .where('watch.watchedAt', 'is', null)
          .where('watch.updatedAt', '<', watchedAt),
      )
      .execute();
}

type Here = { id: string; refreshedAt: number; sha256: string; damage: string | null; mediaPath: string };

async function write(
  tx: Db | Tx,
  { id, doc }: BulkPair,
  here: Here | undefined,
  merging: MergeContext,
  place: { channelId: string; mediaPath: string; size: number | null },
) {
  const row = { ...described(doc), ...(storableText(doc['title']) === null && { title: id, sortTitle: normalizeText(id) }) };
  const { channelId, mediaPath, size } = place;
  const now = merging.part.now();
  await addEmbedded(tx, channelId, objectOrEmpty(doc['channel']), merging.part);
  if (!here) {
    await tx
      .insertInto('video')
      .values({
        ...row,
        id,
        site: 'youtube',
        siteId: id,
        channelId,
        url: `https://www.youtube.com/watch?v=${id}`,
        downloadedAt: asTime(doc['date_downloaded']) ?? now,
        sizeBytes: size ?? asCount(doc['media_size']),
        sha256: unknownChecksum,
        mediaPath,
        isProtected: 1, // imported by a user, so no cleanup rule deletes it
        damage: size === null ? missingFileDamage : null,
      })
      .execute();
    await writeParts(tx, id, doc);
  } else if ((here.sha256 === unknownChecksum || isMissingFile(here.damage)) && row.refreshedAt >= here.refreshedAt) {
    const isBack = isMissingFile(here.damage) && size !== null;
    await tx
      .updateTable('video')
      .set({ ...row, ...(isBack && { mediaPath, sizeBytes: size, sha256: unknownChecksum, damage: null }) })
      .where('id', '=', id)
      .execute();
    await writeParts(tx, id, doc);
  }
  // A queue item of an imported video is obsolete, unless the file is missing.
  const waiting = tx
    .selectFrom('download')
    .select('number')
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('isForced', '=', 0);
  if (size === null) await tx.updateTable('download').set({ isForced: 1 }).where('number', 'in', waiting).execute();
  else await tx.deleteFrom('download').where('number', 'in', waiting).execute();
  await writeWatched(tx, id, doc, merging);
}

/** Merges videos. An existing media file is registered unchanged; a missing one is marked in the row. */
export const mergeVideos: Merge = async (tx, batch, merging) => {
  const { dryRun, problem, known, files } = merging;
  const placed = batch.flatMap((pair) => {
    const channelId = storableText(objectOrEmpty(pair.doc['channel'])['channel_id'], 64);
    if (!idPattern.test(pair.id)) problem(pair.id, message('restore.invalid-video-id'));
    else if (!isChannelId(channelId)) problem(pair.id, message('restore.missing-channel-id'));
    else return [{ pair, channelId, mediaPath: asPath(pair.doc['media_url']) ?? `${channelId}/${pair.id}.mp4` }];
    return [];
  });
  if (placed.length === 0) return { found: 0, here: 0 };
  const rows = await tx
    .selectFrom('video')
    .select(['id', 'refreshedAt', 'sha256', 'damage', 'mediaPath'])
    .where((w) =>
      w.or([
        w(
          'id',
          'in',
          placed.map(({ pair }) => pair.id),
        ),
        w(
          'mediaPath',
          'in',
          placed.map(({ mediaPath }) => mediaPath),
        ),
      ]),
    )
    .execute();
  const here = new Map(rows.map((row) => [row.id, row]));
  const pathOf = new Map(rows.map((row) => [row.mediaPath, row.id]));
  const counts = { found: 0, here: 0 };
  for (const { pair, channelId, mediaPath } of placed) {
    const owner = pathOf.get(mediaPath);
    if (owner !== undefined && owner !== pair.id) {
      problem(pair.id, message('restore.file-of-other-video', { path: mediaPath, owner }));
      continue;
    }
    pathOf.set(mediaPath, pair.id);
    counts.found++;
    const playlists = asTexts(pair.doc['playlist']);
    if (playlists.length > 1) merging.playlists.set(pair.id, playlists);
    const size = await sizeOf(merging, mediaPath);
    if (size !== null) files.found++;
    counts.here += countExisting([pair.id], here, merging);
    if (dryRun) known.add(pair.id);
    else await write(tx, pair, here.get(pair.id), merging, { channelId, mediaPath, size });
  }
  return counts;
};
