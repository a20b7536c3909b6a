import { message } from '#contract/messages.ts';
import { chunks, type Db, type Tx } from '../../../platform/db/db.ts';
import { normalizeText } from '../../../platform/lib/normalize-text.ts';
import { countExisting, existingVideos, type Merge, type MergeContext } from './merge-context.ts';
import { asCount, asFlag, asList, asTime } from './field-parsers.ts';
import { objectOrEmpty, storableText, type JsonObject } from '../../../platform/lib/untrusted.ts';

const videoId = /^[-\w]{1,64}$/;
const playlistId = /^[-\w]{1,120}$/;
const kinds = ['videos', 'streams', 'shorts'] as const;
const secondsIn = { y: 31_536_000, d: 86_400, h: 3600, m: 60, s: 1 } as const;

/** Parses `1h 02m 03s` to seconds; null if missing. */
const spanOf = (value: unknown): number | null => {
  if (typeof value === 'number') return asCount(value);
  const parts = [...(storableText(value, 50) ?? '').matchAll(/(\d{1,6})([ydhms])\b/g)];
  return parts.length > 0 ? parts.reduce((sum, [, count, unit]) => sum + Number(count) * secondsIn[unit as 'y'], 0) : null;
};

/** Merges pending and ignored queue items. Videos that are in the archive or the queue here stay unchanged. */
export const mergeDownloads: Merge = async (tx, batch, merging) => {
  const { part, dryRun, problem, come } = merging;
  const good = batch.filter(({ id }) => videoId.test(id) || (problem(id, message('restore.invalid-video-id')), false));
  const ids = good.map(({ id }) => id);
  if (ids.length === 0) return { found: 0, here: 0 };
  const archived = await existingVideos(tx, ids, merging);
  const queued = new Set((await tx.selectFrom('download').select('id').where('id', 'in', ids).execute()).map(({ id }) => id));
  const fresh = good.filter(({ id }) => !archived.has(id) && (!queued.has(id) || come.has(id)));
  const again = fresh.flatMap(({ id }) => (queued.has(id) ? [id] : []));
  for (const { id } of fresh) come.add(id);
  if (!dryRun && again.length > 0) await tx.deleteFrom('download').where('id', 'in', again).execute();
  if (!dryRun && fresh.length > 0)
    await tx
      .insertInto('download')
      .values(
        fresh.map(({ id, doc }) => {
          const title = storableText(doc['title'], 2000) ?? id;
          const message = storableText(doc['message'], 2000);
          return {
            id,
            site: 'youtube',
            siteId: id,
            url: `https://www.youtube.com/watch?v=${id}`,
            title,
            normalizedTitle: normalizeText(title),
            channelId: storableText(doc['channel_id'], 64) ?? '',
            channelName: storableText(doc['channel_name'], 500) ?? '',
            kind: kinds.find((kind) => kind === doc['vid_type']) ?? ('unknown' as const),
            durationSeconds: spanOf(doc['duration']),
            publishedAt: asTime(doc['published']),
            thumbnailUrl: storableText(doc['vid_thumb_url'], 2000),
            status: doc['status'] === 'ignore' ? ('ignore' as const) : ('pending' as const),
            autoStart: doc['status'] === 'priority' ? (1 as const) : asFlag(doc['auto_start']),
            isForced: 0 as const,
            failure: message ? 'unknown' : null,
            message,
            failures: message ? 1 : 0,
            queuedAt: asTime(doc['timestamp']) ?? part.now(),
          };
        }),
      )
      .execute();
  return { found: good.length, here: good.length - fresh.length };
};

interface Entry {
  videoId: string;
  title: string;
  uploader: string | null;
}

const entriesOf = (doc: JsonObject): Entry[] =>
  asList(doc['playlist_entries'])
    .slice(0, 100_000)
    .map(objectOrEmpty)
    .sort((a, b) => Number(a['idx'] ?? 0) - Number(b['idx'] ?? 0))
    .flatMap((one) => {
      const id = storableText(one['youtube_id'], 64);
      if (!id || !videoId.test(id)) return [];
      return [{ videoId: id, title: storableText(one['title'], 2000) ?? id, uploader: storableText(one['uploader'], 500) }];
    });

// TubeArchivist stored a missing description as the text "False": at first for every playlist, later for new custom ones.
const descriptionOf = (value: unknown) => (value === 'False' ? null : storableText(value));

async function writeEntries(tx: Db | Tx, id: string, entries: Entry[], { playlists }: MergeContext) {
  const before = await tx.selectFrom('playlistEntry').select(['videoId', 'addedOrder']).where('playlistId', '=', id).execute();
  const addedOrders = new Map(before.map((entry) => [entry.videoId, entry.addedOrder]));
  const placeOf = (videoId: string) => {
    const all = playlists.get(videoId) ?? [id];
    return all.includes(id) ? all.indexOf(id) : all.length;
  };
  await tx.deleteFrom('playlistEntry').where('playlistId', '=', id).execute();
  for (const part of chunks(
    entries.map((entry, position) => ({
      ...entry,
      playlistId: id,
      position,
      addedOrder: addedOrders.get(entry.videoId) ?? placeOf(entry.videoId),
    })),
    500,
  ))
    await tx.insertInto('playlistEntry').values(part).execute();
}

/** Merges playlists, including custom ones. An existing custom playlist gets its missing entries and loses none. */
export const mergePlaylists: Merge = async (tx, batch, merging) => {
  const { dryRun, problem } = merging;
  const good = batch.filter(({ id }) => playlistId.test(id) || (problem(id, message('restore.invalid-playlist-id')), false));
  const ids = good.map(({ id }) => id);
  if (ids.length === 0) return { found: 0, here: 0 };
  const rows = await tx
    .selectFrom('playlist')
    .select(['id', 'kind', 'refreshedAt', 'isSubscribed'])
    .where('id', 'in', ids)
    .execute();
  const existing = new Map(rows.map((row) => [row.id, row]));
  const counts = { found: good.length, here: countExisting(ids, existing, merging) };
  if (dryRun) return counts;
  for (const { id, doc } of good) {
    const here = existing.get(id);
    const isCustom = doc['playlist_type'] === 'custom' || id.startsWith('TA_playlist_');
    const name = storableText(doc['playlist_name'], 500) ?? id;
    const changes = {
      name,
      sortName: normalizeText(name),
      description: descriptionOf(doc['playlist_description']),
      channelId: isCustom ? null : storableText(doc['playlist_channel_id'], 64),
      channelName: isCustom ? null : storableText(doc['playlist_channel'], 500),
      isActive: doc['playlist_active'] === false || isCustom ? (0 as const) : (1 as const),
      refreshedAt: asTime(doc['playlist_last_refresh']) ?? 0,
    };
    const isSubscribed = here?.isSubscribed === 1 ? (1 as const) : asFlag(doc['playlist_subscribed']);
    const entries = entriesOf(doc);
    if (!here) {
      await tx
        .insertInto('playlist')
        .values({
          ...changes,
          id,
          kind: isCustom ? 'custom' : 'regular',
          url: isCustom ? null : `https://www.youtube.com/playlist?list=${id}`,
          isSubscribed: isCustom ? 0 : isSubscribed,
          sortOrder: doc['playlist_sort_order'] === 'bottom' ? 'bottom' : 'top',
        })
        .execute();
      await writeEntries(tx, id, entries, merging);
    } else if (here.kind === 'custom') {
      const now = await tx
        .selectFrom('playlistEntry')
        .select(['videoId', 'title', 'uploader'])
        .where('playlistId', '=', id)
        .orderBy('position')
        .execute();
      const has = new Set(now.map((entry) => entry.videoId));
      const lacking = entries.filter((entry) => !has.has(entry.videoId));
      if (lacking.length > 0) await writeEntries(tx, id, [...now, ...lacking], merging);
    } else {
      const isNewer = changes.refreshedAt >= here.refreshedAt;
      await tx
        .updateTable('playlist')
        .set({ isSubscribed, ...(isNewer && changes) })
        .where('id', '=', id)
        .execute();
      if (isNewer) await writeEntries(tx, id, entries, merging);
    }
  }
  return counts;
};
