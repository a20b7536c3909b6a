/**
 * `npm run bench -- sound`: processor time to measure the loudness of an hour of sound, and to join a second sound to an hour of video,
 * as multiples of a plain copy of the file by ffmpeg.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinSounds } from '#server/platform/media/join-sounds.ts';
import { measureLoudness } from '#server/platform/media/loudness.ts';

const program = process.env['REELKEEP_FFMPEG'] ?? 'ffmpeg';
const ffmpeg = { ffmpeg: program, ffprobe: program.replace(/ffmpeg$/, 'ffprobe'), version: '', features: '' };
const { signal } = new AbortController();
const hour = 3600;
const ticksPerSecond = 100;

/** Processor seconds of all children that have ended. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

async function processorSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = childSeconds();
  await work();
  return childSeconds() - before;
}

const folder = await mkdtemp(join(tmpdir(), 'reelkeep-bench-sound-'));
const at = (name: string) => join(folder, name);
const run = (...args: string[]) => void execFileSync(program, ['-v', 'error', '-y', ...args]);
try {
  const noise = ['-f', 'lavfi', '-i', `anoisesrc=color=pink:duration=${hour}`, '-c:a', 'aac', '-b:a', '128k'];
  run(
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=640x360:rate=25:duration=60`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    at('minute.mp4'),
  );
  run(...noise, at('sound.m4a'));
  run(
    '-stream_loop',
    '59',
    '-i',
    at('minute.mp4'),
    '-i',
    at('sound.m4a'),
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c',
    'copy',
    at('hour.mp4'),
  );

  const loudness = await processorSeconds(() => measureLoudness(ffmpeg, at('hour.mp4'), 1, signal));
  const copying = await processorSeconds(async () => run('-i', at('hour.mp4'), '-map', '0', '-c', 'copy', at('copy.mp4')));
  const sounds = [{ path: at('sound.m4a'), language: 'de', codec: 'aac' }];
  const joining = await processorSeconds(() =>
    joinSounds(ffmpeg, { media: at('hour.mp4'), language: 'en', sounds, target: at('joined.mp4') }, signal),
  );
  console.log(
    `Loudness of an hour of sound: ${loudness.toFixed(1)} s of a core (goal 18), ${((loudness / hour) * 100).toFixed(2)} % of real time`,
  );
  console.log(
    `Joining a sound to an hour of video: ${joining.toFixed(1)} s of a core, ${(joining / copying).toFixed(1)} times a plain copy`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
