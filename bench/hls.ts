/**
 * `npm run bench -- hls`: how long a viewer waits for the first segment of 720p and after seeks, from a film in 1080p (H.265, 30 per
 * second), and what other requests notice meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fingerprint } from '#server/platform/files/files.ts';
import { etagOf } from '#server/platform/http/files/media-types.ts';
import { createUser, createVideo, testApp } from '#server/test-support/app.ts';

const seconds = 600;
const t = await testApp({ withTools: true });
const user = await createUser(t);
await t.runner.begin();
const address = await t.server.listen({ port: 0, host: '127.0.0.1' });
const mediaPath = 'c/film.mkv';
const path = join(t.app.config.mediaFolder, mediaPath);
await mkdir(dirname(path), { recursive: true });
const ffmpeg = (...args: string[]) => execFileSync(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', ...args]);
// Half a minute, repeated, because encoding ten minutes of it takes long.
const part = join(t.app.config.mediaFolder, 'part.mkv');
const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=30:duration=30', '-f', 'lavfi', '-i', 'sine=duration=30'];
ffmpeg(...source, '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-g', '150', '-c:a', 'aac', part);
ffmpeg('-stream_loop', String(seconds / 30 - 1), '-i', part, '-c', 'copy', path);
const content = await fingerprint(path);
const id = await createVideo(t.app.db, { mediaPath, durationSeconds: seconds, ...content });
const film = `${address}/hls/${id}/${etagOf(content)}/`;

/** Requests a file, and returns how long it took. */
async function secondsFor(url: string): Promise<number> {
  const from = performance.now();
  const response = await fetch(url, { headers: user.headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (performance.now() - from) / 1000;
}

let isOver = false;
const others: number[] = [];
const load = async () => {
  while (!isOver) {
    others.push((await secondsFor(`${address}/api/video/?page_size=12`)) * 1000);
    await wait(20);
  }
};
const quantile = (values: number[], share: number) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

isOver = true;
for (let one = 0; one < 200; one++) others.push((await secondsFor(`${address}/api/video/?page_size=12`)) * 1000);
console.log(`other requests, alone: median ${quantile(others, 0.5).toFixed(1)}, 95 % ${quantile(others, 0.95).toFixed(1)} ms`);
others.length = 0;
isOver = false;
const loading = load();
const first = (await secondsFor(`${film}video-720-init.mp4`)) + (await secondsFor(`${film}video-720-0.m4s`));
const seeks: number[] = [];
for (const segment of [57, 23, 88, 41, 75, 12, 66, 34, 93, 5]) {
  await wait(1500); // a part of the minute is encoded meanwhile, as for a viewer
  seeks.push(await secondsFor(`${film}video-720-${segment}.m4s`));
}
isOver = true;
await loading;
console.log(`first segment of 720p: ${first.toFixed(2)} s, with the headers`);
console.log(`after a seek: median ${quantile(seeks, 0.5).toFixed(2)}, slowest ${Math.max(...seeks).toFixed(2)} s`);
console.log(
  `other requests meanwhile: median ${quantile(others, 0.5).toFixed(1)}, 95 % ${quantile(others, 0.95).toFixed(1)} ms (${others.length})`,
);
await t.close();
