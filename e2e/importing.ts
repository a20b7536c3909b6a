import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testArchive } from '#server/testing.ts';
import { aChannel } from '#standin/builders.ts';

/** How long the films of these tests are. */
export const seconds = 4;
export const channel = aChannel({ name: 'Night Trains', look: { scene: 'blend', seed: 2 } });

const ffmpeg = process.env.REELKEEP_FFMPEG ?? 'ffmpeg';
const made = (cwd: string, ...args: string[]) => execFileSync(ffmpeg, ['-v', 'error', '-y', ...args], { cwd });
/** A hash of every packet of picture and sound, whatever they are packed into. */
export const packetsOf = (path: string) =>
  execFileSync(ffmpeg, ['-v', 'error', '-i', path, '-map', '0:v:0', '-map', '0:a', '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', '-f', 'streamhash', '-'], { encoding: 'utf8' }); // prettier-ignore

/** The pieces that the files of the tests are made of. */
export async function importTools() {
  const { folder, close } = await testArchive();
  await close();
  await mkdir(folder);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=10:duration=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  await writeFile(join(folder, 'one.srt'), '1\n00:00:00,500 --> 00:00:01,500\nAlle einsteigen & <i>bitte</i>\n');
  made(folder, ...picture, '-frames:v', '1', 'cover.jpg');
  made(folder, ...picture, ...sound, ...h264, '-c:a', 'aac', 'whole.mp4');
  made(folder, '-i', 'whole.mp4', '-an', '-c', 'copy', 'mute.mp4');
  const streams = ['-i', 'whole.mp4', '-i', 'one.srt', '-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'srt'];
  const tags = ['-metadata:s:s:0', 'language=ger', '-metadata', 'purl=https://www.youtube.com/watch?v=taggedVid01'];
  const cover = ['-attach', 'cover.jpg', '-metadata:s:t:0', 'mimetype=image/jpeg', '-metadata:s:t:0', 'filename=cover.jpg'];
  made(folder, ...streams, ...tags, ...cover, 'tagged.mkv');
  await writeFile(join(folder, 'info.json'), infoOf('insideVide1', { title: 'Told by itself' }));
  const attached = ['-attach', 'info.json', '-metadata:s:t', 'mimetype=application/json', '-metadata:s:t', 'filename=info.json'];
  made(folder, '-i', 'whole.mp4', '-c', 'copy', ...attached, 'inside.mkv');
  made(
    folder,
    ...picture,
    ...sound,
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-c:a',
    'libopus',
    'vp9.mkv',
  );
  return { at: (name: string) => join(folder, name), remove: () => rm(folder, { recursive: true }) };
}

/** An info.json as yt-dlp writes it. */
export const infoOf = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    title: `Once called ${id}`,
    extractor: 'youtube',
    extractor_key: 'Youtube',
    webpage_url: `https://www.youtube.com/watch?v=${id}`,
    channel_id: channel.id,
    channel: channel.name,
    upload_date: '20200229',
    duration: seconds,
    epoch: 1_600_000_000,
    acodec: 'mp4a.40.2',
    vcodec: 'avc1',
    ...more,
  });

/** Every file below a folder, with its size and when it was written. */
export async function everyFile(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const told = files.map(
    async (path) => `${path.slice(folder.length + 1)} ${(await stat(path)).size} ${(await stat(path)).mtimeMs}`,
  );
  return (await Promise.all(told)).sort();
}
/** The same, their names alone. */
export const namesIn = async (folder: string) => (await everyFile(folder)).map((line) => line.replace(/ \d+ [\d.]+$/, ''));

/** Makes a folder one that may only be read, as a mount may be; answers how to undo it, or null where that cannot be. */
export async function makeReadOnly(folder: string): Promise<(() => Promise<void>) | null> {
  if (process.getuid?.() !== 0) {
    await chmod(folder, 0o555);
    return () => chmod(folder, 0o755);
  }
  // Root may write everywhere, but not on a mount that is read-only.
  const asRoot = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' });
  try {
    asRoot('mount', '--bind', folder, folder);
  } catch {
    return null; // a container without the right to
  }
  asRoot('mount', '-o', 'remount,ro,bind', folder);
  return async () => void asRoot('umount', folder);
}
