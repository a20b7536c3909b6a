import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './acquisition.ts';
import { infoOf } from './importing.ts';
import type { ApiClient } from './program.ts';

/** Ids of two films in English and German that are imported through the import folder. */
export const bilingualIds = ['twoTongues1', 'twoTongues2'];
const lengthSeconds = 20;

// What yt-dlp writes of a video whose site has dubs of it.
const original = { format_id: '140-0', language: 'en', language_preference: 10, vcodec: 'none', acodec: 'mp4a.40.2' };
const english = { language: 'en', format_id: '134+140-0', formats: [original] };

const ffmpeg = process.env.REELKEEP_FFMPEG ?? 'ffmpeg';

export async function importBilingualFilms({ folder, visitor: { call } }: { folder: string; visitor: ApiClient }) {
  const imports = join(folder, 'import');
  await mkdir(imports, { recursive: true });
  const sines = [440, 880].flatMap((hertz) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${lengthSeconds}`]);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=10:duration=${lengthSeconds}`];
  const maps = ['-map', '0:v', '-map', '1:a', '-map', '2:a'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac'];
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=ger'];
  const ffmpegArgs = [...picture, ...sines, ...maps, ...codecs, ...languages];
  const source = join(folder, 'two-tongues.mp4');
  execFileSync(ffmpeg, ['-v', 'error', '-y', ...ffmpegArgs, source]);
  for (const id of bilingualIds) {
    const file = join(imports, `Two tongues [${id}].mp4`);
    await copyFile(source, file);
    await writeFile(
      file.replace('.mp4', '.info.json'),
      infoOf(id, { duration: lengthSeconds, title: `In two tongues ${id.at(-1)}`, ...english }),
    );
  }
  await call('POST', '/api/appsettings/manual-import/', {});
  for (const id of bilingualIds) await eventually(async () => (await call('GET', `/api/video/${id}/`)).status === 200);
}

/** Returns the streams of a file with their types and languages. */
export const streamsOf = (path: string) =>
  execFileSync(
    join(ffmpeg, '../ffprobe'),
    ['-v', 'error', '-show_entries', 'stream=codec_type:stream_tags=language', '-of', 'csv=p=0', path],
    {
      encoding: 'utf8',
    },
  )
    .trim()
    .split('\n');
