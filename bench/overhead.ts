import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from '#server/platform/process/find-program.ts';
import { aCatalogue, aChannel, aVideo } from '../test-site/builders.ts';
import { startTestSite } from '../test-site/site.ts';
import { testSiteEnv } from '../e2e/support/acquisition.ts';
import { logInToProgram } from '../e2e/support/program.ts';
import { stop, timedStart } from './program.ts';

const count = 10;

/** Creates a wrapper script with the same name that logs the start and end of a program. */
async function createLoggingWrapper(folder: string, name: string, real: string, log: string) {
  const path = join(folder, name);
  // bash reads the clock without a child process, whose time would count as overhead of the server.
  const script = `#!/bin/bash
began=$EPOCHREALTIME
'${real}' "$@"
status=$?
echo "$began $EPOCHREALTIME" >> '${log}'
exit $status
`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}

/** Returns how much of an interval (milliseconds since the epoch) at least one of the spans covers. */
function coveredTime(spans: [from: number, to: number][], [begin, end]: [number, number]): number {
  let sum = 0;
  let reached = begin;
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const [start, stopped] = [Math.max(from, reached), Math.min(to, end)];
    if (stopped > start) {
      sum += stopped - start;
      reached = stopped;
    }
  }
  return sum;
}

interface RealPrograms {
  ytdlp: string;
  ffmpeg: string;
}

/** Runs with an empty data folder. Returns the time of the queue and the part spent in child processes, in milliseconds. */
async function archiveAll(folder: string, media: string, real: RealPrograms) {
  const programs = join(folder, 'programs');
  const log = join(folder, 'children.log');
  await mkdir(programs, { recursive: true });
  const channel = aChannel({ name: 'Ten of them' });
  const videos = Array.from({ length: count + 1 }, (_, index) =>
    aVideo({
      id: `benchVid${String(index).padStart(3, '0')}`,
      channelId: channel.id,
      durationSeconds: 60,
      width: 1280,
      height: 720,
    }),
  );
  const testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos }), media });
  await createLoggingWrapper(programs, 'ffprobe', join(dirname(real.ffmpeg), 'ffprobe'), log);
  const { program, address } = await timedStart(join(folder, 'data'), {
    ...testSiteEnv(testSite),
    REELKEEP_YTDLP: await createLoggingWrapper(programs, 'yt-dlp', real.ytdlp, log),
    REELKEEP_FFMPEG: await createLoggingWrapper(programs, 'ffmpeg', real.ffmpeg, log),
  });
  const { call } = await logInToProgram(address);
  const totalOf = async (path: string) =>
    ((await call('GET', path)).json as { paginate: { total_hits: number } }).paginate.total_hits;
  await call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
  const waitUntilIdle = async () => {
    while (((await call('GET', '/api/notification/')).json as unknown[]).length > 0) await wait(100);
  };
  const queued = () => totalOf('/api/download/?filter=pending');
  const add = async (ids: string[]) => {
    await call('POST', '/api/download/', { data: ids.map((id) => ({ youtube_id: id, status: 'pending' })) });
    while ((await queued()) < ids.length) await wait(100);
    await waitUntilIdle();
  };
  const download = async () => {
    await call('POST', '/api/task/by-name/download_pending/');
    while ((await queued()) > 0) await wait(50);
  };
  const [first = '', ...others] = videos.map(({ id }) => id);
  // The first video also adds its channel, which is looked up once and has its own images.
  await add([first]);
  await download();
  await waitUntilIdle();
  await add(others);

  const begin = Date.now();
  await download();
  const end = Date.now();
  const archived = await totalOf('/api/video/');
  await stop(program);
  await testSite.close();
  if (archived !== videos.length) throw new Error(`${archived} of ${videos.length} videos were archived.`);
  const spans = (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map((seconds) => Number(seconds) * 1000) as [number, number]);
  return { all: end - begin, children: coveredTime(spans, [begin, end]) };
}

/**
 * Archives ten videos of one minute each, of a known channel, from the test site. Returns the time per video and the part without
 * a running yt-dlp or ffmpeg, in milliseconds; null if one of the programs is missing.
 */
export async function archivingOverhead(folder: string) {
  const ytdlp = await findProgram(process.env.REELKEEP_YTDLP || 'yt-dlp');
  const ffmpeg = await findProgram(process.env.REELKEEP_FFMPEG || 'ffmpeg');
  if (!ytdlp || !ffmpeg) return null;
  const media = join(folder, 'media');
  // The test site renders its videos on the first request, which would count as time of yt-dlp.
  await archiveAll(join(folder, 'first'), media, { ytdlp, ffmpeg });
  const { all, children } = await archiveAll(join(folder, 'second'), media, { ytdlp, ffmpeg });
  const overhead = all - children;
  return { eachMs: all / count, oursMs: overhead / count, share: overhead / children };
}
