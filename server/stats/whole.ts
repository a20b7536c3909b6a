import { statfs } from 'node:fs/promises';
import type { Archive } from '../archive.ts';
import { binTotals } from '../bin/make-room.ts';
import type { Db } from '../db/db.ts';
import { dayOf } from '../download/site-day.ts';
import { tallyOf } from '../video/tally.ts';

const day = 86_400;
/** A day since 1970 as yyyy-mm-dd. */
const dateOf = (days: number) => new Date(days * day * 1000).toISOString().slice(0, 10);

/** What came on each day, UTC. */
export async function growth(db: Db) {
  const rows = await db.selectFrom('dayTally').selectAll().where('videos', '>', 0).orderBy('day').execute();
  return rows.map((row) => ({ date: dateOf(row.day), count: row.videos, media_size: row.sizeBytes }));
}

/** How many videos have which height and codec. */
export async function qualities(db: Db) {
  const rows = await db
    .selectFrom('formatTally')
    .selectAll()
    .where('videos', '>', 0)
    .orderBy('height', 'desc')
    .orderBy('videos', 'desc')
    .orderBy('codec')
    .execute();
  return rows.map((row) => ({ height: row.height, codec: row.codec, count: row.videos, media_size: row.sizeBytes }));
}

/** How many videos not every iPhone plays, by what would help. */
export async function awkward(db: Db) {
  const rows = await db.selectFrom('awkwardTally').selectAll().execute();
  const countOf = (mend: string) => rows.find((row) => row.mend === mend)?.videos ?? 0;
  return { pack: countOf('pack'), fetch: countOf('fetch') };
}

const mostChannels = 60;

/** What channels take up: the largest one by one, the others together. */
export async function shares(db: Db) {
  const rows = await db
    .selectFrom('tally')
    .innerJoin('channel', 'channel.id', 'tally.channelId')
    .select((e) => [
      'channel.id',
      'channel.name',
      e.fn.sum<number>('tally.sizeBytes').as('sizeBytes'),
      e.fn.sum<number>('tally.videos').as('videos'),
    ])
    .groupBy(['channel.id', 'channel.name'])
    .having((h) => h(h.fn.sum<number>('tally.videos'), '>', 0))
    .orderBy('sizeBytes', 'desc')
    .orderBy('channel.id')
    .execute();
  const shape = ({ sizeBytes, videos }: { sizeBytes: number; videos: number }) => ({ media_size: sizeBytes, count: videos });
  const others = rows.slice(mostChannels);
  return {
    channels: rows.slice(0, mostChannels).map((row) => ({ id: row.id, name: row.name, ...shape(row) })),
    others: {
      channels: others.length,
      media_size: others.reduce((sum, row) => sum + row.sizeBytes, 0),
      count: others.reduce((sum, row) => sum + row.videos, 0),
    },
  };
}

/** How full the disk of the media folder is, and when something last went wrong. */
export async function storage({ db, config }: Archive) {
  const disk = await statfs(config.mediaFolder).catch(() => null); // its disk may be unmounted
  const { sizeBytes } = await tallyOf(db, {});
  const problem = await db
    .selectFrom('task')
    .select((e) => e.fn.max('endedAt').as('at'))
    .where('status', '=', 'failure')
    .executeTakeFirst();
  return {
    free: disk && disk.bavail * disk.bsize,
    total: disk && disk.blocks * disk.bsize,
    media_size: sizeBytes,
    bin_size: (await binTotals({ db })).sizeBytes,
    last_problem: problem?.at ?? null,
  };
}

const stripDays = 14;

/** How each site answered in the last fourteen days, UTC, the oldest first; sites that nothing was asked of are left out. */
export async function health(db: Db, now: number) {
  const last = dayOf(now);
  const rows = await db
    .selectFrom('siteDay')
    .selectAll()
    .where('day', '>', last - stripDays)
    .where('day', '<=', last)
    .orderBy('site')
    .execute();
  const days = Array.from({ length: stripDays }, (_, place) => last - stripDays + 1 + place);
  return [...Map.groupBy(rows, (row) => row.site)].map(([site, own]) => ({
    site,
    days: days.map((one) => {
      const { archived = 0, blocked = 0, failed = 0 } = own.find((row) => row.day === one) ?? {};
      return { date: dateOf(one), archived, blocked, failed };
    }),
  }));
}

const mostEvents = 500;

/** What may explain how the archive grew: since when which yt-dlp is used, and on which days sites turned us away; newest first. */
export async function events(db: Db) {
  const uses = await db.selectFrom('ytdlpUse').selectAll().orderBy('since', 'desc').limit(mostEvents).execute();
  const blocks = await db
    .selectFrom('siteDay')
    .select(['day', 'site'])
    .where('blocked', '>', 0)
    .orderBy('day', 'desc')
    .orderBy('site')
    .limit(mostEvents)
    .execute();
  return [
    ...uses.map(({ since, version }) => ({ date: dateOf(dayOf(since)), kind: 'ytdlp' as const, what: version })),
    ...blocks.map((row) => ({ date: dateOf(row.day), kind: 'block' as const, what: row.site })),
  ].toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}
