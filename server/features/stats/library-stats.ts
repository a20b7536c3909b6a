import { statfs } from 'node:fs/promises';
import type { AppContext } from '../../platform/context/app-context.ts';
import { trashTotals } from '../../archive/storage/trash-totals.ts';
import { bucketUse } from '../../archive/storage/disk-space.ts';
import type { Db } from '../../platform/db/db.ts';
import { dayOf } from '../../archive/sites/site-stats.ts';
import { countVideosOf } from '../../archive/queries/video-counts.ts';

const day = 86_400;
/** Formats days since 1970 as yyyy-mm-dd. */
const dateOf = (days: number) => new Date(days * day * 1000).toISOString().slice(0, 10);

/** Downloads by day, UTC. */
export async function growth(db: Db) {
  const rows = await db.lookups.selectFrom('dayCount').selectAll().where('videos', '>', 0).orderBy('day').execute();
  return rows.map((row) => ({ date: dateOf(row.day), count: row.videos, media_size: row.sizeBytes }));
}

/** Counts videos by height and codec. */
export async function qualities(db: Db) {
  const rows = await db.lookups
    .selectFrom('formatCount')
    .selectAll()
    .where('videos', '>', 0)
    .orderBy('height', 'desc')
    .orderBy('videos', 'desc')
    .orderBy('codec')
    .execute();
  return rows.map((row) => ({ height: row.height, codec: row.codec, count: row.videos, media_size: row.sizeBytes }));
}

/** Counts videos that some iPhones cannot play, by remedy. */
export async function incompatibleFiles(db: Db) {
  const rows = await db.lookups.selectFrom('incompatibleCount').selectAll().execute();
  const countOf = (fix: string) => rows.find((row) => row.fix === fix)?.videos ?? 0;
  return { remux: countOf('remux'), redownload: countOf('redownload') };
}

const maxChannels = 60;

/** Disk usage by channel: the largest ones individually, the others summed. */
export async function shares(db: Db) {
  const rows = await db
    .selectFrom('videoCount')
    .innerJoin('channel', 'channel.id', 'videoCount.channelId')
    .select((e) => [
      'channel.id',
      'channel.name',
      e.fn.sum<number>('videoCount.sizeBytes').as('sizeBytes'),
      e.fn.sum<number>('videoCount.videos').as('videos'),
    ])
    .groupBy(['channel.id', 'channel.name'])
    .having((h) => h(h.fn.sum<number>('videoCount.videos'), '>', 0))
    .orderBy('sizeBytes', 'desc')
    .orderBy('channel.id')
    .execute();
  const shape = ({ sizeBytes, videos }: { sizeBytes: number; videos: number }) => ({ media_size: sizeBytes, count: videos });
  const others = rows.slice(maxChannels);
  return {
    channels: rows.slice(0, maxChannels).map((row) => ({ id: row.id, name: row.name, ...shape(row) })),
    others: {
      channels: others.length,
      media_size: others.reduce((sum, row) => sum + row.sizeBytes, 0),
      count: others.reduce((sum, row) => sum + row.videos, 0),
    },
  };
}

/** Returns the free and the total bytes of the disk of the media folder, or of the bucket according to its quota. */
async function capacity({ db, config, files }: AppContext): Promise<{ free: number | null; total: number | null }> {
  if (!files.isRemote) {
    const disk = await statfs(config.mediaFolder).catch(() => null); // the disk may be unmounted
    return { free: disk && disk.bavail * disk.bsize, total: disk && disk.blocks * disk.bsize };
  }
  const { used, quota } = await bucketUse({ db });
  return { free: quota === null ? null : Math.max(0, quota - used), total: quota };
}

/** Disk usage of the media folder, or use of the bucket. */
export async function storage(app: AppContext) {
  const { db } = app;
  const { sizeBytes } = await countVideosOf(db, {});
  return {
    is_bucket: app.files.isRemote,
    ...(await capacity(app)),
    media_size: sizeBytes,
    trash_size: (await trashTotals({ db })).sizeBytes,
  };
}

const stripDays = 14;

/** Request results by site in the last fourteen days, UTC, oldest first; omits sites without requests. */
export async function health(db: Db, now: number) {
  const last = dayOf(now);
  const rows = await db.lookups
    .selectFrom('siteStats')
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

const maxEvents = 500;

/** Lists events that may explain changes in growth: yt-dlp updates, and days on which sites blocked requests; newest first. */
export async function events(db: Db) {
  const uses = await db.selectFrom('ytdlpHistory').selectAll().orderBy('since', 'desc').limit(maxEvents).execute();
  const blocks = await db
    .selectFrom('siteStats')
    .select(['day', 'site'])
    .where('blocked', '>', 0)
    .orderBy('day', 'desc')
    .orderBy('site')
    .limit(maxEvents)
    .execute();
  return [
    ...uses.map(({ since, version }) => ({ date: dateOf(dayOf(since)), kind: 'ytdlp' as const, what: version })),
    ...blocks.map((row) => ({ date: dateOf(row.day), kind: 'block' as const, what: row.site })),
  ].toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}
