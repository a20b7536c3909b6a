/**
 * `npm run bench -- views`: builds a library view of 100,000 videos with NFO files and thumbnails, builds it again, and applies
 * single changes to it. `REELKEEP_BENCH_VIDEOS` is another number of videos.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { View } from '#contract/view.ts';
import { createApp } from '#server/app/create-app.ts';
import { thumbnailPath } from '#server/archive/storage/thumbnail-path.ts';
import { updateViews } from '#server/features/view/build-view.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { bulkIntoFile } from './bulk.ts';
import { createCaller, logIn, timesOf } from './http-client.ts';
import { ms, table } from './large.ts';
import { residentMib, stop, timedStart, waitUntilIdle } from './program.ts';

const videos = Number(process.env.REELKEEP_BENCH_VIDEOS || 100_000);
const channels = 200;
const folder = await mkdtemp(join(tmpdir(), 'reelkeep-views-'));
const data = join(folder, 'data');
const env = { REELKEEP_USERNAME: 'demo', REELKEEP_PASSWORD: 'demo' };
const idOf = (index: number) => `b${String(index).padStart(10, '0')}`;
const channelOf = (index: number) => `UC${String(index % channels).padStart(22, '0')}`;
const day = 86_400;

function* channelRows() {
  for (let index = 0; index < channels; index++)
    yield [channelOf(index), 'youtube', channelOf(index), `Channel ${index}`, `channel ${index}`, 0, 0];
}

const rowOf = (index: number) => [
  idOf(index),
  'youtube',
  idOf(index),
  channelOf(index),
  `Title of the video number ${index}: a few more words`,
  `title ${index}`,
  `Description of the video ${index}.\n`.repeat(10),
  'videos',
  1_500_000_000 + Math.floor(index / channels) * day,
  1_700_000_000 + index,
  1_700_000_000,
  600,
  3,
  String(index).padStart(64, '0'),
  `${channelOf(index)}/${idOf(index)}.mp4`,
  '["one","two","three"]',
];
function* videoRows() {
  for (let index = 0; index < videos; index++) yield rowOf(index);
}

async function writeFiles() {
  const folders = new Set<string>();
  for (let index = 0; index < videos; index++)
    for (const path of [`media/${channelOf(index)}/${idOf(index)}.mp4`, `cache/${thumbnailPath(idOf(index))}`]) {
      const full = join(data, path);
      if (!folders.has(dirname(full))) await mkdir(dirname(full), { recursive: true });
      folders.add(dirname(full));
      await writeFile(full, 'abc');
    }
}

async function fill() {
  await stop((await timedStart(data, env)).program); // creates the database
  const bulk = bulkIntoFile(join(data, 'reelkeep.db'));
  await bulk.write({
    name: 'channel',
    columns: { id: 't', site: 't', site_id: 't', name: 't', sort_name: 't', added_at: 'i', refreshed_at: 'i' },
    rows: channelRows(),
  });
  await bulk.write({
    name: 'video',
    columns: {
      id: 't',
      site: 't',
      site_id: 't',
      channel_id: 't',
      title: 't',
      sort_title: 't',
      description: 't',
      kind: 't',
      published_at: 'i',
      downloaded_at: 'i',
      refreshed_at: 'i',
      duration_seconds: 'i',
      size_bytes: 'i',
      sha256: 't',
      media_path: 't',
      tags: 't',
    },
    rows: videoRows(),
  });
  // Nothing else has work to do.
  for (const queue of ['search_pending', 'serialization_pending', 'storyboard_pending']) await bulk.run(`delete from ${queue}`);
  await bulk.close();
  await writeFiles();
}

/** Builds the view over HTTP. Returns the seconds and the most memory meanwhile above that before. */
async function measureBuilds(): Promise<string[][]> {
  const { program, address } = await timedStart(data, env);
  await waitUntilIdle(program);
  await wait(15_000);
  const call = createCaller(address, await logIn(address, 'demo'));
  const { id } = await call<View>('POST', '/api/view/', { name: 'Shows', root: 'shows', preset: 'jellyfin' });
  const rows: string[][] = [];
  for (const what of ['building the view', 'building it again']) {
    const idle = (await residentMib(program)) ?? Number.NaN;
    const began = performance.now();
    await call('POST', `/api/view/${id}/build/`, {});
    let most = idle;
    let view: View;
    do {
      await wait(1_000);
      most = Math.max(most, (await residentMib(program)) ?? Number.NaN);
      view = (await call<{ data: View[] }>('GET', '/api/view/')).data[0]!;
    } while (view.state !== 'ready' && view.state !== 'failed');
    const seconds = (performance.now() - began) / 1000;
    if (view.state === 'failed' || view.videos !== videos) throw new Error(JSON.stringify(view));
    rows.push(
      [what, `${seconds.toFixed(1)} s`, '< 300 s'],
      ['… memory above idle', `${(most - idle).toFixed(0)} MiB`, '< 50 MiB'],
    );
  }
  await stop(program);
  return rows;
}

/** Adds videos one by one and applies each to the view, as the periodic job does. */
async function measureChanges(): Promise<string[][]> {
  const config = readConfig({ ...env, REELKEEP_DATA: data });
  const { app, close } = await createApp(config, { info() {}, warn() {}, error: console.error });
  const times: number[] = [];
  for (let index = videos; index < videos + 50; index++) {
    const [id, site, siteId, channelId, title, sortTitle, description] = rowOf(index) as string[];
    const mediaPath = `${channelId}/${id}.mp4`;
    await writeFile(join(data, 'media', mediaPath), 'abc');
    await app.db
      .insertInto('video')
      .values({
        id: id!,
        site: site!,
        siteId: siteId!,
        channelId: channelId!,
        title: title!,
        sortTitle: sortTitle!,
        description: description!,
        kind: 'videos',
        publishedAt: 1_800_000_000 + index,
        downloadedAt: 0,
        refreshedAt: 0,
        durationSeconds: 1,
        sizeBytes: 3,
        sha256: '',
        mediaPath,
      })
      .execute();
    const began = performance.now();
    await updateViews(app);
    times.push(performance.now() - began);
  }
  await close();
  const { p50, p95, max } = timesOf(times);
  return [['applying a new video: median, 95 %, longest', `${ms(p50)}, ${ms(p95)}, ${ms(max)} ms`, '< 50 ms']];
}

try {
  await fill();
  table([`library view of ${videos} videos`, 'measured', 'goal'], [...(await measureBuilds()), ...(await measureChanges())]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
