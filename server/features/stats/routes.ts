import { statsCalls, type VideoStats } from '#contract/stats.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { startOfDay } from '../../platform/lib/start-of-day.ts';
import { routes } from '../../platform/http/route.ts';
import { formatDuration, timeZone } from '../../platform/lib/format-time.ts';
import { countVideosOf, countWatchedOf } from '../../archive/queries/video-counts.ts';
import { periodsIn } from './clock.ts';
import { byDay } from './download-history.ts';
import { activityByHour } from './cached-activity.ts';
import { biggestChannels, countQueue, countSources, downloadsByDay, sumsByKind } from './store.ts';
import { hideSuggestion, readSuggestions } from './suggestions.ts';
import { incompatibleFiles, events, growth, health, qualities, shares, storage } from './library-stats.ts';

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
  duration_str: formatDuration(durationSeconds),
});

async function videoStats({ db }: AppContext): Promise<VideoStats> {
  const rows = await sumsByKind(db);
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

async function sourceStats({ db }: AppContext, table: 'channel' | 'playlist') {
  const rows = await countSources(db, table);
  const countOf = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).reduce((sum, row) => sum + row.sources, 0);
  return {
    doc_count: countOf(() => true),
    active_true: countOf((row) => row.isActive === 1),
    active_false: countOf((row) => row.isActive === 0),
    subscribed_true: countOf((row) => row.isSubscribed === 1),
    subscribed_false: countOf((row) => row.isSubscribed === 0),
  };
}

async function downloadStats({ db }: AppContext) {
  const rows = await countQueue(db);
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

async function watchStats({ db }: AppContext, accountId: number) {
  const [all, watched] = await Promise.all([countVideosOf(db, {}), countWatchedOf(db, accountId, {})]);
  const shape = (items: number, duration: number) => ({ duration, duration_str: formatDuration(duration), items });
  const share = (items: number, duration: number) =>
    items === 0 ? null : { ...shape(items, duration), progress: all.durationSeconds > 0 ? duration / all.durationSeconds : 0 };
  return {
    total: shape(all.videos, all.durationSeconds),
    unwatched: share(all.videos - watched.videos, all.durationSeconds - watched.durationSeconds),
    watched: share(watched.videos, watched.durationSeconds),
  };
}

export const statsRoutes = routes(statsCalls, {
  'GET /api/stats/growth/': (_, { db }) => growth(db),
  'GET /api/stats/quality/': (_, { db }) => qualities(db),
  'GET /api/stats/incompatible/': (_, { db }) => incompatibleFiles(db),
  'GET /api/stats/health/': (_, { db, now }) => health(db, now()),
  'GET /api/stats/events/': (_, { db }) => events(db),
  'GET /api/stats/shares/': (_, { db }) => shares(db),
  'GET /api/stats/storage/': (_, app) => storage(app),
  'GET /api/stats/suggestions/': (_, app) => readSuggestions(app),
  'POST /api/stats/suggestions/hide/': ({ body }, app) => hideSuggestion(app, body.key, body.is_hidden),
  'GET /api/stats/video/': (_, app) => videoStats(app),
  'GET /api/stats/channel/': (_, app) => sourceStats(app, 'channel'),
  'GET /api/stats/playlist/': (_, app) => sourceStats(app, 'playlist'),
  'GET /api/stats/download/': (_, app) => downloadStats(app),
  'GET /api/stats/watch/': ({ user }, app) => watchStats(app, user.id),
  'GET /api/stats/hours/': ({ user }, app) => activityByHour(app, user.id),
  'GET /api/stats/downloadhist/': async (_, { db, now }) => {
    const zone = timeZone();
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now() * 1000);
    const periods = periodsIn(zone, startOfDay(today, zone, -7), now() + 1);
    const found = await downloadsByDay(db, periods);
    return byDay(found.map((row) => ({ ...row, day: row.passed })));
  },
  'GET /api/stats/biggestchannels/': async ({ query }, { db }) =>
    (await biggestChannels(db, query.order)).map(({ id, name, ...sums }) => ({ id, name, ...shapeSums(sums) })),
});
