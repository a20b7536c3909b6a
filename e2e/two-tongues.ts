import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './acquiring.ts';
import { infoOf } from './importing.ts';
import type { Visitor } from './program.ts';

/** Two films in English and German, brought in through the import folder. */
export const tongues = ['twoTongues1', 'twoTongues2'];
const lengthSeconds = 20;

const ffmpeg = process.env.REELKEEP_FFMPEG ?? 'ffmpeg';

export async function bringTwoTongues({ folder, visitor: { call } }: { folder: string; visitor: Visitor }) {
  const imports = join(folder, 'import');
  await mkdir(imports, { recursive: true });
  const sines = [440, 880].flatMap((hertz) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${lengthSeconds}`]);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=10:duration=${lengthSeconds}`];
  const maps = ['-map', '0:v', '-map', '1:a', '-map', '2:a'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac'];
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=ger'];
  const made = [...picture, ...sines, ...maps, ...codecs, ...languages];
  const one = join(folder, 'two-tongues.mp4');
  execFileSync(ffmpeg, ['-v', 'error', '-y', ...made, one]);
  for (const id of tongues) {
    const file = join(imports, `Two tongues [${id}].mp4`);
    await copyFile(one, file);
    await writeFile(
      file.replace('.mp4', '.info.json'),
      infoOf(id, { duration: lengthSeconds, title: `In two tongues ${id.at(-1)}` }),
    );
  }
  await call('POST', '/api/appsettings/manual-import/', {});
  for (const id of tongues) await eventually(async () => (await call('GET', `/api/video/${id}/`)).status === 200);
}

/** The languages of the sounds of a file, and which other streams it has. */
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
