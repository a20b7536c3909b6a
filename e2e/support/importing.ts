import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testApp } from '#server/test-support/app.ts';
import { aChannel } from '../../test-site/builders.ts';

/** Duration of the test films. */
export const seconds = 4;
export const channel = aChannel({ name: 'Night Trains', look: { scene: 'blend', seed: 2 } });

const ffmpeg = process.env.REELKEEP_FFMPEG ?? 'ffmpeg';
const runFfmpeg = (cwd: string, ...args: string[]) => execFileSync(ffmpeg, ['-v', 'error', '-y', ...args], { cwd });
/** Returns a hash of all video and audio packets, independent of the container. */
export const packetsOf = (path: string) =>
  execFileSync(ffmpeg, ['-v', 'error', '-i', path, '-map', '0:v:0', '-map', '0:a', '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', '-f', 'streamhash', '-'], { encoding: 'utf8' }); // prettier-ignore

/** Creates the files from which the tests build their imports. */
export async function createImportSources() {
  const { folder, close } = await testApp();
  await close();
  await mkdir(folder);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=10:duration=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  await writeFile(join(folder, 'one.srt'), '1\n00:00:00,500 --> 00:00:01,500\nAlle einsteigen & <i>bitte</i>\n');
  runFfmpeg(folder, ...picture, '-frames:v', '1', 'cover.jpg');
  runFfmpeg(folder, ...picture, ...sound, ...h264, '-c:a', 'aac', 'whole.mp4');
  runFfmpeg(folder, '-i', 'whole.mp4', '-an', '-c', 'copy', 'mute.mp4');
  const streams = ['-i', 'whole.mp4', '-i', 'one.srt', '-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'srt'];
  const tags = ['-metadata:s:s:0', 'language=ger', '-metadata', 'purl=https://www.youtube.com/watch?v=taggedVid01'];
  const cover = ['-attach', 'cover.jpg', '-metadata:s:t:0', 'mimetype=image/jpeg', '-metadata:s:t:0', 'filename=cover.jpg'];
  runFfmpeg(folder, ...streams, ...tags, ...cover, 'tagged.mkv');
  await writeFile(join(folder, 'info.json'), infoOf('insideVide1', { title: 'Told by itself' }));
  const attached = ['-attach', 'info.json', '-metadata:s:t', 'mimetype=application/json', '-metadata:s:t', 'filename=info.json'];
  runFfmpeg(folder, '-i', 'whole.mp4', '-c', 'copy', ...attached, 'inside.mkv');
  runFfmpeg(
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

/** Returns an info.json in yt-dlp's format. */
export const infoOf = (id: string, overrides: object = {}) =>
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
    ...overrides,
  });

/** Lists all files below a folder, each with its size and modification time. */
export async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const entries = files.map(
    async (path) => `${path.slice(folder.length + 1)} ${(await stat(path)).size} ${(await stat(path)).mtimeMs}`,
  );
  return (await Promise.all(entries)).sort();
}
/** Lists all files below a folder by name. */
export const namesIn = async (folder: string) => (await listFiles(folder)).map((line) => line.replace(/ \d+ [\d.]+$/, ''));

/** Makes a folder read-only, like a read-only mount. Returns a function that undoes it; null if the permission is missing. */
export async function makeReadOnly(folder: string): Promise<(() => Promise<void>) | null> {
  if (process.getuid?.() !== 0) {
    await chmod(folder, 0o555);
    return () => chmod(folder, 0o755);
  }
  // Root ignores permissions, so root uses a read-only bind mount.
  const asRoot = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' });
  try {
    asRoot('mount', '--bind', folder, folder);
  } catch {
    return null; // a container without the permission to mount
  }
  asRoot('mount', '-o', 'remount,ro,bind', folder);
  return async () => void asRoot('umount', folder);
}
