import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startS3Relay } from '#server/test-support/s3-relay.ts';
import { startS3, versitygwPath } from '#server/test-support/s3.ts';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '../../test-site/builders.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { eventually, hasTools, testSiteEnv } from '../support/acquisition.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type ApiClient, type Program } from '../support/program.ts';

const channel = aChannel({ name: 'On the move' });
const subtitles = [{ language: 'en', name: 'English', automatic: false, cues: cuesFrom(['Mind the gap'], 4) }];
const ids = ['moveMedia01', 'moveMedia02'] as const;
const videos = ids.map((id) => aVideo({ id, channelId: channel.id, title: id, durationSeconds: 4, subtitles }));

describe.runIf(hasTools && versitygwPath)('moving an archive between folders and a bucket', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let s3: Awaited<ReturnType<typeof startS3>>;
  let testSite: TestSite;
  let data: string;
  beforeAll(async () => {
    [folder, s3] = await Promise.all([createTempFolder(), startS3()]);
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos }) });
    data = join(folder.path, 'data');
  });
  afterAll(async () => {
    await testSite.close();
    await s3.stop();
    await folder.remove();
  });

  const script = join(import.meta.dirname, '../../server/cli/move-media.ts');
  const envOf = (env: object = {}) => ({ ...process.env, REELKEEP_DATABASE: '', REELKEEP_DATA: data, ...s3.env, ...env });
  const move = (to: string, env?: object) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--to', to], { encoding: 'utf8', env: envOf(env) });
    return { status, output: (stdout + stderr).trim() };
  };
  const filesIn = (path: string) =>
    existsSync(path)
      ? (readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
          .sort() as string[])
      : [];
  /** Runs the server while `work` uses it. */
  async function withServer<T>(env: Record<string, string>, work: (client: ApiClient) => Promise<T>): Promise<T> {
    const program: Program = await startProgram({ data, env: { ...testSiteEnv(testSite), ...env } });
    try {
      return await work(await logInToProgram(await addressOf(program)));
    } finally {
      program.child.kill('SIGTERM');
      await program.ended;
    }
  }
  const refusal = async (env: Record<string, string>) => {
    const program = await startProgram({ data, env: { ...testSiteEnv(testSite), ...env } });
    return { code: await program.ended, output: program.output.text };
  };
  const add = async ({ call }: ApiClient, id: string) => {
    await call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: id, status: 'pending' }] });
    await eventually(async () => (await call('GET', `/api/video/${id}/`)).status === 200, id);
  };
  /** What users get of each video: its size and its subtitle and thumbnail. */
  const seen = async ({ call, bytesOf }: ApiClient) =>
    Promise.all(
      ids.map(async (id) => {
        const {
          media_url,
          vid_thumb_url,
          subtitles: tracks,
        } = (await call('GET', `/api/video/${id}/`)).json as {
          media_url: string;
          vid_thumb_url: string;
          subtitles: { media_url: string }[];
        };
        return Promise.all([media_url, vid_thumb_url, ...tracks.map((track) => track.media_url)].map(bytesOf));
      }),
    );
  let before: Awaited<ReturnType<typeof seen>>;
  const media = () => join(data, 'media');

  test('refuses a bucket for an archive with files in folders, and says what to do', async () => {
    before = await withServer({}, async (client) => {
      await client.call('POST', '/api/appsettings/config/', { downloads: { subtitle: 'all', sleep_interval: null } });
      for (const id of ids) await add(client, id);
      // A deletion whose files have the names of the next download.
      await client.call('DELETE', `/api/video/${ids[1]}/`);
      await add(client, ids[1]);
      return seen(client);
    });
    expect(before.flat()).not.toContain(null);
    const { code, output } = await refusal(s3.env);
    expect([code, output]).toEqual([78, expect.stringContaining('move-media --to bucket')]);
    expect(filesIn(s3.folder)).toEqual([]);
  });

  test('changes nothing with wrong keys or without a bucket', () => {
    expect(move('bucket', { REELKEEP_S3_SECRET_KEY: 'wrong' })).toEqual({
      status: 78,
      output: expect.stringContaining('SignatureDoesNotMatch') as string,
    });
    expect(
      move('bucket', { REELKEEP_S3_BUCKET: '', REELKEEP_S3_ENDPOINT: '', REELKEEP_S3_ACCESS_KEY: '', REELKEEP_S3_SECRET_KEY: '' })
        .output,
    ).toMatch(/Set the REELKEEP_S3 variables/);
    expect(move('elsewhere').status).toBe(2);
    expect(move('folders').output).toMatch(/in folders already/);
  });

  test('is interrupted by a kill, refuses servers until it is completed, and continues', async () => {
    // Slow, so that it is killed in the middle.
    const relay = await startS3Relay(s3.endpoint);
    Object.assign(relay.state, { fault: 'slow', slowMs: 200 });
    const env = envOf({ REELKEEP_S3_ENDPOINT: relay.endpoint });
    const child = spawn(process.execPath, [script, '--to', 'bucket'], { env, stdio: 'ignore' });
    await eventually(async () => filesIn(join(s3.folder, 'media')).length > 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    relay.close();
    for (const env of [{}, s3.env]) {
      const { code, output } = await refusal(env);
      expect([code, output]).toEqual([78, expect.stringContaining('move-media --to bucket')]);
    }
    expect(move('folders').output).toMatch(/Complete it first/);
    const { status, output } = move('bucket');
    expect([status, output]).toEqual([0, expect.stringMatching(/Moved and verified: 2 videos, \d+ files/)]);
    expect(output).not.toMatch(/missing|attention/);
    expect(filesIn(media())).toEqual(['.reelkeep']);
    // The files of the trash have names of their own.
    expect(filesIn(join(s3.folder, 'media')).filter((name) => name.includes(ids[1]) && name.endsWith('.mp4'))).toHaveLength(2);
  });

  test('serves everything from the bucket, restores from the trash there, and refuses to start without it', async () => {
    await withServer(s3.env, async (client) => {
      expect(await seen(client)).toEqual(before);
      const { data: trash } = (await client.call('GET', '/api/trash/')).json as { data: { id: number }[] };
      expect(trash).toHaveLength(1);
      await client.call('DELETE', `/api/video/${ids[1]}/`);
      const restored = await client.call('POST', '/api/trash/', { action: 'restore', ids: [trash[0]!.id] });
      expect(restored.json).toMatchObject({ done: 1, refused: [] });
      expect((await seen(client))[1]![0]).toBe(before[1]![0]);
    });
    const { code, output } = await refusal({});
    expect([code, output]).toEqual([78, expect.stringContaining('Set the REELKEEP_S3 variables')]);
  });

  test('refuses the bucket of another archive', async () => {
    const marker = join(s3.folder, 'reelkeep.txt');
    renameSync(marker, `${marker}.kept`);
    writeFileSync(marker, 'of another archive\n');
    const { code, output } = await refusal(s3.env);
    expect([code, output]).toEqual([78, expect.stringContaining('belongs to another archive')]);
    renameSync(`${marker}.kept`, marker);
  });

  test('moves everything back, also the trash, and leaves nothing in the bucket', async () => {
    const damaged = filesIn(join(s3.folder, 'media')).find((name) => name.includes(ids[0]) && name.endsWith('.mp4'))!;
    const content = readFileSync(join(s3.folder, 'media', damaged));
    const { status, output } = move('folders');
    expect([status, output]).toEqual([0, expect.stringMatching(/Moved and verified/)]);
    expect(filesIn(s3.folder).filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(readFileSync(join(media(), damaged)).equals(content)).toBe(true);
    expect(filesIn(join(media(), '.trash')).some((name) => name.includes(ids[1]))).toBe(true);
    expect(await withServer({}, seen)).toEqual(before);
  });
});
