import { statsCalls, type VideoStats } from '#contract/stats.ts';
import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import type { Table } from '../db/recall.ts';
import { routes } from '../http/route.ts';
import { durationText, timeZone } from '../time-text.ts';
import { tallyOf, watchTallyOf } from '../video/tally.ts';
import { periodsIn } from './clock.ts';
import { byDay } from './download-history.ts';
import { hoursOf } from './hours-of.ts';
import { biggestChannels, countQueue, countSources, downloadsByDay, sumsByKind } from './store.ts';
import { awkward, events, growth, health, qualities, shares, storage } from './whole.ts';

interface Sums {
  videos: number;
  sizeBytes: number;
  durationSeconds: number;
}
const noSums: Sums = { videos: 0, sizeBytes: 0, durationSeconds: 0 };
const plus = (a: Sums, b: Sums): Sums => ({
  videos: a.videos + b.videos,
  sizeBytes: a.sizeBytes + b.sizeBytes,
  durationSeconds: a.durationSeconds + b.durationSeconds,
});
const shapeSums = ({ videos, sizeBytes, durationSeconds }: Sums) => ({
  doc_count: videos,
  media_size: sizeBytes,
  duration: durationSeconds,
  duration_str: durationText(durationSeconds),
});

/** Sums of thousands of rows, asked for with every look at the dashboard. */
const recalled = <T>({ recall }: Db, name: string, from: readonly Table[], read: () => Promise<T>) =>
  recall.one(`figures ${name}`, { from }, read);

async function videoStats({ db }: Archive): Promise<VideoStats> {
  const rows = await recalled(db, 'kinds', ['tally'], () => sumsByKind(db));
  const sumOf = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).reduce(plus, noSums);
  const group = (fits: (row: (typeof rows)[number]) => boolean) => {
    const sum = sumOf(fits);
    return sum.videos === 0 ? null : shapeSums(sum);
  };
  return {
    ...shapeSums(sumOf(() => true)),
    type_videos: group((row) => row.kind === 'videos'),
    type_shorts: group((row) => row.kind === 'shorts'),
    type_streams: group((row) => row.kind === 'streams'),
    active_true: group((row) => row.isActive === 1),
    active_false: group((row) => row.isActive === 0),
  };
}

async function sourceStats({ db }: Archive, table: 'channel' | 'playlist') {
  const rows = await recalled(db, table, [table], () => countSources(db, table));
  const countOf = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).reduce((sum, row) => sum + row.count, 0);
  return {
    doc_count: countOf(() => true),
    active_true: countOf((row) => row.isActive === 1),
    active_false: countOf((row) => row.isActive === 0),
    subscribed_true: countOf((row) => row.isSubscribed === 1),
    subscribed_false: countOf((row) => row.isSubscribed === 0),
  };
}

async function downloadStats({ db }: Archive) {
  const rows = await recalled(db, 'queue', ['queueTally'], () => countQueue(db));
  const pending = rows.filter((row) => row.status === 'pending');
  const ofKind = (kind: string) => pending.find((row) => row.kind === kind)?.count ?? 0;
  const sum = (some: typeof rows) => some.reduce((total, row) => total + row.count, 0);
  return {
    pending: sum(pending),
    ignore: sum(rows) - sum(pending),
    pending_videos: ofKind('videos'),
    pending_shorts: ofKind('shorts'),
    pending_streams: ofKind('streams'),
  };
}

async function watchStats({ db }: Archive, accountId: number) {
  const [all, watched] = await Promise.all([tallyOf(db, {}), watchTallyOf(db, accountId, {})]);
  const shape = (items: number, duration: number) => ({ duration, duration_str: durationText(duration), items });
  const share = (items: number, duration: number) =>
    items === 0 ? null : { ...shape(items, duration), progress: all.durationSeconds > 0 ? duration / all.durationSeconds : 0 };
  return {
    total: shape(all.videos, all.durationSeconds),
    unwatched: share(all.videos - watched.videos, all.durationSeconds - watched.durationSeconds),
    watched: share(watched.videos, watched.durationSeconds),
  };
}

const day = 86_400;

export const statsRoutes = routes(statsCalls, {
  'GET /api/stats/growth/': (_, { db }) => recalled(db, 'growth', ['dayTally'], () => growth(db)),
  'GET /api/stats/quality/': (_, { db }) => recalled(db, 'qualities', ['formatTally'], () => qualities(db)),
  'GET /api/stats/awkward/': (_, { db }) => awkward(db),
  'GET /api/stats/health/': (_, { db, now }) => health(db, now()),
  'GET /api/stats/events/': (_, { db }) => events(db),
  'GET /api/stats/shares/': (_, { db }) => recalled(db, 'shares', ['tally', 'channel'], () => shares(db)),
  'GET /api/stats/storage/': (_, archive) => storage(archive),
  'GET /api/stats/video/': (_, archive) => videoStats(archive),
  'GET /api/stats/channel/': (_, archive) => sourceStats(archive, 'channel'),
  'GET /api/stats/playlist/': (_, archive) => sourceStats(archive, 'playlist'),
  'GET /api/stats/download/': (_, archive) => downloadStats(archive),
  'GET /api/stats/watch/': ({ user }, archive) => watchStats(archive, user.id),
  'GET /api/stats/hours/': ({ user }, archive) => hoursOf(archive, user.id),
  'GET /api/stats/downloadhist/': async (_, { db, now }) => {
    const periods = periodsIn(timeZone(), now() - 7 * day, now() + 1);
    const found = await downloadsByDay(db, periods);
    return byDay(found.map((row) => ({ ...row, day: row.passed })));
  },
  'GET /api/stats/biggestchannels/': async ({ query }, { db }) =>
    (await recalled(db, `biggest by ${query.order}`, ['tally', 'channel'], () => biggestChannels(db, query.order))).map(
      ({ id, name, ...sums }) => ({ id, name, ...shapeSums(sums) }),
    ),
});
