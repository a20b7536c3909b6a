import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolsFolderOf } from '#server/platform/context/tools.ts';
import { providePythonPackages } from '#server/platform/ytdlp/python-packages.ts';
import { aCatalogue, aClip } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, queueOf, type TestSiteArchive } from '../support/acquisition.ts';

const clip = aClip({ title: 'Encrypted', durationSeconds: 4, source: 'https://clips.example/hls/encrypted.m3u8' });
const link = `https://clips.example/watch/${clip.slug}`;
const packages = join(dirname(process.env.REELKEEP_YTDLP ?? '/'), 'packages');

describe.runIf(hasTools && existsSync(packages))('a stream encrypted with AES-128', () => {
  let t: TestSiteArchive;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-encrypted-'));
    const withoutCrypto = join(folder, 'packages');
    await mkdir(withoutCrypto);
    for (const name of await readdir(packages))
      if (!/^(pycryptodomex|Cryptodome)/.test(name)) await symlink(join(packages, name), join(withoutCrypto, name));
    // Starts like a release of yt-dlp, with the Python of the system, and the packages of PYTHONPATH after its own.
    const program = join(folder, 'yt-dlp');
    await writeFile(program, `#!/bin/sh\nPYTHONPATH='${withoutCrypto}':"$PYTHONPATH" exec python3 -S -m yt_dlp "$@"\n`);
    await chmod(program, 0o755);
    t = await createArchive(aCatalogue({ clips: [clip] }), { env: { REELKEEP_YTDLP: program } });
  });
  afterAll(async () => {
    await t.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('fails with a remedy if pycryptodomex is missing', async () => {
    await add(t, link);
    expect(await queueOf(t)).toMatchObject([
      { failure: 'ytdlp', message: expect.stringContaining('(pip install pycryptodomex)') },
    ]);
  });

  test('is downloaded with the pycryptodomex of a managed yt-dlp', async () => {
    await providePythonPackages(toolsFolderOf(t.app), new AbortController().signal);
    await add(t, link, '?autostart=true&force=true');
    expect(await queueOf(t)).toEqual([]);
    expect(await t.app.db.selectFrom('video').select('title').execute()).toEqual([
      { title: expect.stringContaining(clip.title) },
    ]);
  });
});
