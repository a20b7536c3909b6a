import { musicOf } from '../archive/video/music.ts';
import type { Db } from '../platform/db/db.ts';

// A language code has two or three letters.
const baseOf = (lang: string) => /^([a-z]{2,3})-/.exec(lang)?.[1] ?? lang;

/** Returns the differences between the facets that triggers stored and those computed from the rows. */
export async function findWrongFacets(db: Db) {
  const facets = (kind: string, videoId: string, ...values: string[]) =>
    values.map((value) => `${videoId} ${kind} ${value.toLowerCase()}`);
  const subscribed = (table: 'channel' | 'playlist') => db.selectFrom(table).select('id').where('isSubscribed', '=', 1);
  const subscribedChannels = new Set((await subscribed('channel').execute()).map(({ id }) => id));
  const entries = db.selectFrom('playlistEntry').select('videoId').where('playlistId', 'in', subscribed('playlist'));
  const subscribedEntries = new Set((await entries.execute()).map(({ videoId }) => videoId));
  const expected = [
    ...(
      await db
        .selectFrom('video')
        .select(['id', 'tags', 'music', 'musicEdit', 'damage', 'limitation', 'upgrade', 'isActive', 'channelId'])
        .execute()
    ).flatMap(({ id, tags, damage, limitation, upgrade, isActive, channelId, ...row }) => [
      ...facets(
        'tag',
        id,
        ...(tags.startsWith('[') ? (JSON.parse(tags) as string[]) : []).map((tag) => tag.trim().slice(0, 200)).filter(Boolean),
      ),
      ...facets('artist', id, ...(musicOf(row)?.artists ?? [])),
      ...facets('album', id, ...[musicOf(row)?.album ?? []].flat()),
      ...(limitation === null && upgrade === null ? [] : facets('limited', id, '')),
      ...(damage === null ? [] : facets('damaged', id, '')),
      ...(isActive ? [] : facets('unavailable', id, '')),
      ...(subscribedChannels.has(channelId) || subscribedEntries.has(id) ? facets('subscribed', id, '') : []),
    ]),
    ...(await db.selectFrom('stream').selectAll().where('type', '=', 'video').execute()).flatMap(({ videoId, codec }) =>
      facets('codec', videoId, codec),
    ),
    ...(await db.selectFrom('subtitle').selectAll().execute()).flatMap(({ videoId, lang }) =>
      facets('subtitles', videoId, lang, baseOf(lang)),
    ),
    ...(await db.selectFrom('transcriptLine').select('videoId').execute()).flatMap(({ videoId }) =>
      facets('transcript', videoId, ''),
    ),
  ];
  const stored = (await db.selectFrom('facet').selectAll().execute()).flatMap(({ kind, videoId, value }) =>
    facets(kind, videoId, value),
  );
  return [...new Set(expected).symmetricDifference(new Set(stored))].map((facet) => `differs: ${facet}`);
}

/** Adds, replaces or deletes the subtitles or transcript lines of a video in one language. */
export async function changeTexts(
  db: Db,
  id: string,
  { table, change, lang }: { table: 'subtitle' | 'transcriptLine'; change: string; lang: string },
) {
  await db.deleteFrom(table).where('videoId', '=', id).where('lang', '=', lang).execute();
  if (change === 'drop') return;
  if (table === 'subtitle')
    await db
      .insertInto('subtitle')
      .values({ videoId: id, lang, source: 'user', name: lang, path: `${id} ${lang}` })
      .execute();
  else {
    const line = { videoId: id, lang, startSeconds: 0, endSeconds: 1, text: 'a' };
    await db
      .insertInto('transcriptLine')
      .values([5, 6].map((position) => ({ ...line, position })))
      .execute();
  }
}
