import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from '#server/child/find-program.ts';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { startStandin } from '#standin/site.ts';
import { throughStandin } from '../e2e/acquiring.ts';
import { aVisitor } from '../e2e/program.ts';
import { stop, timedStart } from './program.ts';

const count = 10;

/** A program of the same name that writes down when it began and when it ended. */
async function watched(folder: string, name: string, real: string, log: string) {
  const path = join(folder, name);
  // bash reads the clock by itself; another process only to read it would look like time of ours.
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

/** How much of a time, in milliseconds since the epoch, at least one of the spans covers. */
function covered(spans: [from: number, to: number][], [begin, end]: [number, number]): number {
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

interface Real {
  ytdlp: string;
  ffmpeg: string;
}

/** One run over an empty data folder: how long the queue took, and how much of that the children, in milliseconds. */
async function archiveAll(folder: string, media: string, real: Real) {
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
  const standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos }), media });
  await watched(programs, 'ffprobe', join(dirname(real.ffmpeg), 'ffprobe'), log);
  const { program, address } = await timedStart(join(folder, 'data'), {
    ...throughStandin(standin),
    REELKEEP_YTDLP: await watched(programs, 'yt-dlp', real.ytdlp, log),
    REELKEEP_FFMPEG: await watched(programs, 'ffmpeg', real.ffmpeg, log),
  });
  const { call } = await aVisitor(address);
  const totalOf = async (path: string) =>
    ((await call('GET', path)).json as { paginate: { total_hits: number } }).paginate.total_hits;
  await call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
  const rest = async () => {
    while (((await call('GET', '/api/notification/')).json as unknown[]).length > 0) await wait(100);
  };
  const queued = () => totalOf('/api/download/?filter=pending');
  const add = async (ids: string[]) => {
    await call('POST', '/api/download/', { data: ids.map((id) => ({ youtube_id: id, status: 'pending' })) });
    while ((await queued()) < ids.length) await wait(100);
    await rest();
  };
  const download = async () => {
    await call('POST', '/api/task/by-name/download_pending/');
    while ((await queued()) > 0) await wait(50);
  };
  const [first = '', ...others] = videos.map(({ id }) => id);
  // With the first video its channel comes in, which is looked up once and has pictures of its own.
  await add([first]);
  await download();
  await rest();
  await add(others);

  const begin = Date.now();
  await download();
  const end = Date.now();
  const archived = await totalOf('/api/video/');
  await stop(program);
  await standin.close();
  if (archived !== videos.length) throw new Error(`${archived} of ${videos.length} videos were archived.`);
  const spans = (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map((seconds) => Number(seconds) * 1000) as [number, number]);
  return { all: end - begin, children: covered(spans, [begin, end]) };
}

/**
 * Archives ten videos of a minute each, of a channel that is known, from the stand-in. Answers what one takes in all, and how
 * much of that neither yt-dlp nor ffmpeg was running, in milliseconds. Null when one of them is missing.
 */
export async function archivingOverhead(folder: string) {
  const ytdlp = await findProgram(process.env.REELKEEP_YTDLP || 'yt-dlp');
  const ffmpeg = await findProgram(process.env.REELKEEP_FFMPEG || 'ffmpeg');
  if (!ytdlp || !ffmpeg) return null;
  const media = join(folder, 'media');
  // The stand-in makes its videos when they are first asked for; that would look like time of yt-dlp's.
  await archiveAll(join(folder, 'first'), media, { ytdlp, ffmpeg });
  const { all, children } = await archiveAll(join(folder, 'second'), media, { ytdlp, ffmpeg });
  const ours = all - children;
  return { eachMs: all / count, oursMs: ours / count, share: ours / children };
}
