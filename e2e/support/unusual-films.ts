import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './acquisition.ts';
import { infoOf } from './importing.ts';
import type { ApiClient } from './program.ts';

const lengthSeconds = 20;
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20'];
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

export type Films = Record<string, [ending: string, ...codecs: string[]]>;

/** Films that some browsers do not play: their file extensions and codecs by id. */
const films: Films = {
  mkvFilm0001: ['.mkv', ...h264, '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  ac3Film0001: ['.mp4', ...h264, '-pix_fmt', 'yuv420p', '-c:a', 'ac3'],
  hevcFilm001: ['.mp4', ...hevc],
  hevcFilm002: ['.mkv', ...hevc],
  tenBits0001: ['.mp4', ...h264, '-pix_fmt', 'yuv420p10le', '-c:a', 'aac'],
  plainFilm01: ['.mp4', ...h264, '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
};

const silentInChromium: Films[string] = ['.mkv', ...hevc.slice(0, -1), 'ac3'];
/** Films of which Chromium plays nothing, and one of which it plays the sound. */
export const unplayableFilms: Films = {
  nothing0001: silentInChromium,
  nothing0002: silentInChromium,
  soundOnly01: ['.mp4', ...hevc],
};

/** Imports films through the import folder. `picture`: source of ffmpeg. */
export async function importUnusualFilms(
  { folder, visitor: { call } }: { folder: string; visitor: ApiClient },
  some: Films = films,
  { picture = 'testsrc2=size=320x180:rate=10', seconds = lengthSeconds }: { picture?: string; seconds?: number } = {},
) {
  const imports = join(folder, 'import');
  await mkdir(imports, { recursive: true });
  const source = ['-f', 'lavfi', '-i', `${picture}:duration=${seconds}`];
  source.push('-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`);
  for (const [id, [ending, ...codecs]] of Object.entries(some)) {
    const file = join(imports, `Film [${id}]${ending}`);
    execFileSync(process.env.REELKEEP_FFMPEG ?? 'ffmpeg', ['-v', 'error', '-y', ...source, ...codecs, file]);
    await writeFile(file.replace(ending, '.info.json'), infoOf(id, { duration: seconds, title: `Film ${id}` }));
  }
  await call('POST', '/api/appsettings/manual-import/', {});
  for (const id of Object.keys(some)) await eventually(async () => (await call('GET', `/api/video/${id}/`)).status === 200);
}
