import { chunks, type Db, type Tx } from '../db/db.ts';
import { foldText } from '../fold-text.ts';
import { hereBefore, videosAmong, type Merge } from './original-merge.ts';
import { asCount, asDoc, asFlag, asList, asText, asTime, type Doc } from './original-values.ts';

const videoId = /^[-\w]{1,64}$/;
const playlistId = /^[-\w]{1,120}$/;
const kinds = ['videos', 'streams', 'shorts'] as const;
const secondsIn = { y: 31_536_000, d: 86_400, h: 3600, m: 60, s: 1 } as const;

/** `1h 02m 03s` as seconds; null for nothing. */
const spanOf = (value: unknown): number | null => {
  if (typeof value === 'number') return asCount(value);
  const parts = [...(asText(value, 50) ?? '').matchAll(/(\d{1,6})([ydhms])\b/g)];
  return parts.length > 0 ? parts.reduce((sum, [, count, unit]) => sum + Number(count) * secondsIn[unit as 'y'], 0) : null;
};

/** What waits, and what is never to be downloaded. What is in the archive, or in the queue here, stays as it is. */
export const mergeDownloads: Merge = async (tx, batch, merging) => {
  const { part, dryRun, problem, come } = merging;
  const good = batch.filter(({ id }) => videoId.test(id) || (problem(id, 'It is no id of a video.'), false));
  const ids = good.map(({ id }) => id);
  if (ids.length === 0) return { found: 0, here: 0 };
  const archived = await videosAmong(tx, ids, merging);
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
          const title = asText(doc['title'], 2000) ?? id;
          const message = asText(doc['message'], 2000);
          return {
            id,
            site: 'youtube',
            siteId: id,
            url: `https://www.youtube.com/watch?v=${id}`,
            title,
            foldedTitle: foldText(title),
            channelId: asText(doc['channel_id'], 64) ?? '',
            channelName: asText(doc['channel_name'], 500) ?? '',
            kind: kinds.find((kind) => kind === doc['vid_type']) ?? ('unknown' as const),
            durationSeconds: spanOf(doc['duration']),
            publishedAt: asTime(doc['published']),
            thumbnailUrl: asText(doc['vid_thumb_url'], 2000),
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

const entriesOf = (doc: Doc): Entry[] =>
  asList(doc['playlist_entries'])
    .slice(0, 100_000)
    .map(asDoc)
    .sort((a, b) => Number(a['idx'] ?? 0) - Number(b['idx'] ?? 0))
    .flatMap((one) => {
      const id = asText(one['youtube_id'], 64);
      if (!id || !videoId.test(id)) return [];
      return [{ videoId: id, title: asText(one['title'], 2000) ?? id, uploader: asText(one['uploader'], 500) }];
    });

// Nothing was written as a word, at first for every list and later for new ones of somebody's own.
const descriptionOf = (value: unknown) => (value === 'False' ? null : asText(value));

async function writeEntries(tx: Db | Tx, id: string, entries: Entry[]) {
  await tx.deleteFrom('playlistEntry').where('playlistId', '=', id).execute();
  for (const part of chunks(
    entries.map((entry, position) => ({ ...entry, playlistId: id, position })),
    500,
  ))
    await tx.insertInto('playlistEntry').values(part).execute();
}

/** Playlists, those that people made too. A list of somebody's own that is here gets what it lacks, and loses nothing. */
export const mergePlaylists: Merge = async (tx, batch, merging) => {
  const { dryRun, problem } = merging;
  const good = batch.filter(({ id }) => playlistId.test(id) || (problem(id, 'It is no id of a playlist.'), false));
  const ids = good.map(({ id }) => id);
  if (ids.length === 0) return { found: 0, here: 0 };
  const rows = await tx
    .selectFrom('playlist')
    .select(['id', 'kind', 'refreshedAt', 'isSubscribed'])
    .where('id', 'in', ids)
    .execute();
  const there = new Map(rows.map((row) => [row.id, row]));
  const counts = { found: good.length, here: hereBefore(ids, there, merging) };
  if (dryRun) return counts;
  for (const { id, doc } of good) {
    const here = there.get(id);
    const isCustom = doc['playlist_type'] === 'custom' || id.startsWith('TA_playlist_');
    const name = asText(doc['playlist_name'], 500) ?? id;
    const said = {
      name,
      sortName: foldText(name),
      description: descriptionOf(doc['playlist_description']),
      channelId: isCustom ? null : asText(doc['playlist_channel_id'], 64),
      channelName: isCustom ? null : asText(doc['playlist_channel'], 500),
      isActive: doc['playlist_active'] === false || isCustom ? (0 as const) : (1 as const),
      refreshedAt: asTime(doc['playlist_last_refresh']) ?? 0,
    };
    const isSubscribed = here?.isSubscribed === 1 ? (1 as const) : asFlag(doc['playlist_subscribed']);
    const entries = entriesOf(doc);
    if (!here) {
      await tx
        .insertInto('playlist')
        .values({
          ...said,
          id,
          kind: isCustom ? 'custom' : 'regular',
          url: isCustom ? null : `https://www.youtube.com/playlist?list=${id}`,
          isSubscribed: isCustom ? 0 : isSubscribed,
          sortOrder: doc['playlist_sort_order'] === 'bottom' ? 'bottom' : 'top',
        })
        .execute();
      await writeEntries(tx, id, entries);
    } else if (here.kind === 'custom') {
      const now = await tx
        .selectFrom('playlistEntry')
        .select(['videoId', 'title', 'uploader'])
        .where('playlistId', '=', id)
        .orderBy('position')
        .execute();
      const has = new Set(now.map((entry) => entry.videoId));
      const lacking = entries.filter((entry) => !has.has(entry.videoId));
      if (lacking.length > 0) await writeEntries(tx, id, [...now, ...lacking]);
    } else {
      const isNewer = said.refreshedAt >= here.refreshedAt;
      await tx
        .updateTable('playlist')
        .set({ isSubscribed, ...(isNewer && said) })
        .where('id', '=', id)
        .execute();
      if (isNewer) await writeEntries(tx, id, entries);
    }
  }
  return counts;
};
