import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Archive } from '../archive.ts';
import { binTotals } from '../bin/make-room.ts';
import type { Db } from '../db/db.ts';

const day = 86_400;

/** What came on each day, UTC; found in an index alone. */
export async function growth(db: Db) {
  const rows = await db
    .selectFrom('video')
    .select((e) => [
      e('downloadedAt', '/', e.lit(day)).as('day'),
      e.fn.countAll<number>().as('count'),
      e.fn.sum<number>('sizeBytes').as('sizeBytes'),
    ])
    .groupBy('day')
    .orderBy('day')
    .execute();
  return rows.map((row) => ({
    date: new Date(row.day * day * 1000).toISOString().slice(0, 10),
    count: row.count,
    media_size: row.sizeBytes,
  }));
}

// As people call them, by the shorter side, with a little slack for what is not quite that.
const classes: [from: number, height: number][] = [
  [2000, 2160],
  [1400, 1440],
  [1000, 1080],
  [700, 720],
  [440, 480],
  [330, 360],
];

/** How many videos have which height and codec. */
export async function qualities(db: Db) {
  const shorter = sql<number>`case when stream.width < stream.height then stream.width else stream.height end`;
  const whens = sql.join(
    classes.map(([from, height]) => sql`when ${shorter} >= ${sql.lit(from)} then ${sql.lit(height)}`),
    sql` `,
  );
  const rows = await db
    .selectFrom('stream')
    .innerJoin('video', 'video.id', 'stream.videoId')
    .where('stream.type', '=', 'video')
    .select((e) => [
      sql<number>`case ${whens} else 240 end`.as('heightClass'),
      'stream.codec',
      e.fn.countAll<number>().as('count'),
      e.fn.sum<number>('video.sizeBytes').as('sizeBytes'),
    ])
    .groupBy(['heightClass', 'stream.codec'])
    .orderBy('heightClass', 'desc')
    .orderBy('count', 'desc')
    .orderBy('stream.codec')
    .execute();
  return rows.map((row) => ({ height: row.heightClass, codec: row.codec, count: row.count, media_size: row.sizeBytes }));
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
  const { sizeBytes } = await db
    .selectFrom('tally')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('sizeBytes'), e.lit(0)).as('sizeBytes'))
    .executeTakeFirstOrThrow();
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
