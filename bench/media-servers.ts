/**
 * `npm run bench -- media-servers`: synchronizes 100,000 videos with a fake Jellyfin: the first time, without changes, and after 1,000
 * changes on each side. `REELKEEP_BENCH_VIDEOS` is another number of videos.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { MediaServer, MediaServerReport } from '#contract/media-server.ts';
import { stateOf } from '#server/test-support/media-servers/http.ts';
import { startJellyfin } from '#server/test-support/media-servers/jellyfin.ts';
import { bulkIntoFile } from './bulk.ts';
import { createCaller, logIn } from './http-client.ts';
import { table } from './large.ts';
import { residentMib, stop, timedStart, waitUntilIdle } from './program.ts';

const videos = Number(process.env.REELKEEP_BENCH_VIDEOS || 100_000);
const changes = Math.min(1_000, Math.floor(videos / 4));
const folder = await mkdtemp(join(tmpdir(), 'reelkeep-media-servers-'));
const data = join(folder, 'data');
const root = join(data, 'views/shows');
const env = { REELKEEP_USERNAME: 'demo', REELKEEP_PASSWORD: 'demo', REELKEEP_ALLOW_PRIVATE: '127.0.0.1' };
const idOf = (index: number) => `b${String(index).padStart(10, '0')}`;
const pathOf = (index: number) => `Channel/Season 2024/Title of the video number ${index} [${idOf(index)}].mp4`;

const fake = await startJellyfin({ kind: 'jellyfin' });
const library = fake.addLibrary('Archive', '/media');

function* rowsOf<T>(row: (index: number) => T) {
  for (let index = 0; index < videos; index++) yield row(index);
}

async function fill() {
  await stop((await timedStart(data, env)).program); // creates the database
  const bulk = bulkIntoFile(join(data, 'reelkeep.db'));
  await bulk.run(`insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at)
    values ('UCa', 'youtube', 'UCa', 'Channel', 'channel', 0, 0)`);
  await bulk.write({
    name: 'video',
    columns: {
      id: 't',
      site: 't',
      site_id: 't',
      channel_id: 't',
      title: 't',
      sort_title: 't',
      kind: 't',
      published_at: 'i',
      downloaded_at: 'i',
      refreshed_at: 'i',
      duration_seconds: 'i',
      size_bytes: 'i',
      sha256: 't',
      media_path: 't',
    },
    rows: rowsOf((index) => {
      const [id, title] = [idOf(index), `Title of the video number ${index}`];
      return [id, 'youtube', id, 'UCa', title, title, 'videos', index, index, 0, 3600, 3, '', `UCa/${id}.mp4`];
    }),
  });
  // A view that is never built, with its manifest.
  await bulk.run(`insert into library_view (number, name, root, marker, preset, content_type, link, has_nfo, has_artwork, subtitles, has_chapters)
    values (1, 'Shows', '${root}', 'm', 'jellyfin', 'all', 'auto', 0, 0, 'none', 0)`);
  await bulk.write({
    name: 'view_file',
    columns: { view_number: 'i', key: 't', path: 't', owner: 't', part: 't', group_id: 't', stamp: 't' },
    rows: rowsOf((index) => [1, pathOf(index).toLowerCase(), pathOf(index), idOf(index), 'media', 'channel:UCa', 's']),
  });
  // Nothing else has work to do.
  for (const queue of ['search_pending', 'serialization_pending', 'storyboard_pending', 'view_pending'])
    await bulk.run(`delete from ${queue}`);
  await bulk.close();
  for (let index = 0; index < videos; index++) {
    const item = fake.addItem(library, `/media/${pathOf(index)}`);
    // Every third was watched there.
    if (index % 3 === 0) Object.assign(stateOf(item, fake.userId), { isWatched: true, playedAt: 1_700_000_000 });
  }
}

async function measure(): Promise<string[][]> {
  const { program, address } = await timedStart(data, env);
  await waitUntilIdle(program);
  const call = createCaller(address, await logIn(address, 'demo'));
  const { id } = await call<MediaServer>('POST', '/api/media-server/', {
    kind: 'jellyfin',
    name: 'TV',
    address: fake.address,
    token: 'secret-token',
    mappings: [{ from: root, to: '/media' }],
  });
  const persons = [{ account: 1, user: fake.userId, user_name: 'Ann' }];

  const rows: string[][] = [];
  async function sync(what: string, expected: Partial<MediaServerReport>) {
    const idle = (await residentMib(program)) ?? Number.NaN;
    const began = performance.now();
    await call('POST', `/api/media-server/${id}/sync/`, {});
    let most = idle;
    let isRunning = true;
    while (isRunning) {
      await wait(200);
      most = Math.max(most, (await residentMib(program)) ?? Number.NaN);
      isRunning = (await call<{ data: MediaServer[] }>('GET', '/api/media-server/')).data[0]!.is_syncing;
    }
    const seconds = (performance.now() - began) / 1000;
    const { report } = await call<{ report: MediaServerReport }>('GET', `/api/media-server/${id}/sync/`);
    for (const [name, value] of Object.entries(expected))
      if (report[name as keyof MediaServerReport] !== value) throw new Error(JSON.stringify({ ...report, lines: [] }));
    rows.push([what, `${seconds.toFixed(1)} s`, '–'], ['… memory above idle', `${(most - idle).toFixed(0)} MiB`, '< 60 MiB']);
  }

  await call('POST', `/api/media-server/${id}/`, { persons });
  const watched = Math.ceil(videos / 3);
  await sync('first synchronization, a third watched there', { items: videos, matched: videos, here: watched, there: 0 });
  await sync('again, without changes', { items: videos, here: 0, there: 0 });
  for (const item of library.items.slice(0, changes))
    Object.assign(stateOf(item, fake.userId), { positionSeconds: 100, playedAt: Math.floor(Date.now() / 1000) });
  for (let index = videos - changes; index < videos; index++)
    await call('POST', `/api/video/${idOf(index)}/progress/`, { position: 300 });
  await sync(`after ${changes} changes on each side`, { here: changes, there: changes });
  await stop(program);
  return rows;
}

try {
  await fill();
  table([`synchronization of ${videos} videos`, 'measured', 'goal'], await measure());
} finally {
  await fake.close();
  await rm(folder, { recursive: true, force: true });
}
