import type { Db } from './db/db.ts';

// A language begins with two letters or three.
const baseOf = (lang: string) => /^([a-z]{2,3})-/.exec(lang)?.[1] ?? lang;

/** What triggers say a video has, and plain code does not, or the other way round. */
export async function misnoted(db: Db) {
  const of = (kind: string, videoId: string, ...values: string[]) =>
    values.map((value) => `${videoId} ${kind} ${value.toLowerCase()}`);
  const right = [
    ...(await db.selectFrom('video').select(['id', 'tags', 'damage']).execute()).flatMap(({ id, tags, damage }) => [
      ...of(
        'tag',
        id,
        ...(tags.startsWith('[') ? (JSON.parse(tags) as string[]) : []).map((tag) => tag.trim().slice(0, 200)).filter(Boolean),
      ),
      ...(damage === null ? [] : of('damaged', id, '')),
    ]),
    ...(await db.selectFrom('stream').selectAll().where('type', '=', 'video').execute()).flatMap(({ videoId, codec }) =>
      of('codec', videoId, codec),
    ),
    ...(await db.selectFrom('subtitle').selectAll().execute()).flatMap(({ videoId, lang }) =>
      of('subtitles', videoId, lang, baseOf(lang)),
    ),
    ...(await db.selectFrom('line').select('videoId').execute()).flatMap(({ videoId }) => of('transcript', videoId, '')),
  ];
  const noted = (await db.selectFrom('facet').selectAll().execute()).flatMap(({ kind, videoId, value }) =>
    of(kind, videoId, value),
  );
  return [...new Set(right).symmetricDifference(new Set(noted))].map((one) => `wrongly noted or not: ${one}`);
}

/** Subtitles, or lines to search in, come or go. */
export async function changeWords(
  db: Db,
  id: string,
  { table, change, lang }: { table: 'subtitle' | 'line'; change: string; lang: string },
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
      .insertInto('line')
      .values([5, 6].map((position) => ({ ...line, position })))
      .execute();
  }
}
