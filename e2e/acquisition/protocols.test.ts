import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { toolsFolderOf } from '#server/platform/context/tools.ts';
import { pathFolder } from '#server/platform/ytdlp/path-folder.ts';
import { aCatalogue, aClip } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, queueOf, type TestSiteArchive } from '../support/acquisition.ts';

// Protocols for which yt-dlp calls a program on the PATH, or bypasses the proxy.
const sources = [
  'rtmp://127.0.0.1:8002/live/x',
  'rtmps://127.0.0.1:8002/live/x',
  'rtsp://127.0.0.1:8002/x',
  'mms://127.0.0.1:8002/x',
];
const clips = sources.map((source, n) => aClip({ title: `Clip ${n}`, source }));

describe.runIf(hasTools)('protocols that bypass the proxy', () => {
  let t: TestSiteArchive;
  let folder: string;
  const loggedLines = async (name: string) =>
    (await readFile(join(folder, name), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-path-'));
    const createScript = async (name: string, text: string) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(folder, name), 0o755);
    };
    for (const name of ['rtmpdump', 'mplayer', 'mpv'])
      await createScript(name, `echo "$0 $*" >> '${join(folder, 'called')}'; exit 1`);
    await createScript('yt-dlp', `echo "$PATH" >> '${join(folder, 'paths')}'; exec '${process.env.REELKEEP_YTDLP}' "$@"`);
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    t = await createArchive(aCatalogue({ clips }), { env: { REELKEEP_YTDLP: join(folder, 'yt-dlp') } });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await t.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('are rejected in the format of a page before a program is started', async () => {
    await add(t, clips.map(({ slug }) => `https://clips.example/watch/${slug}`).join(' '));
    const items = await queueOf(t);
    expect(items.map(({ failure, message }) => [failure, message])).toEqual(
      clips.map(() => ['refused', expect.stringContaining('another protocol that cannot use the proxy')]),
    );
    expect(await loggedLines('called')).toEqual([]);
  });

  test('are rejected as links', async () => {
    await add(t, sources.join(' '));
    expect(await queueOf(t)).toHaveLength(clips.length);
    expect(await loggedLines('called')).toEqual([]);
  });

  test('find no program, because the PATH of yt-dlp contains only what it needs', async () => {
    const path = pathFolder(toolsFolderOf(t.app));
    expect(new Set(await loggedLines('paths'))).toEqual(new Set([path]));
    expect((await readdir(path)).toSorted()).toEqual(['ffmpeg', 'ffprobe', 'node', 'python3']);
  });
});
