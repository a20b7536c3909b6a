import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '#server/archive/settings/store.ts';
import { YtdlpFailed } from '#server/platform/ytdlp/failure.ts';
import { fetchVideo } from '#server/platform/ytdlp/fetch-video.ts';
import { ytdlpSession } from '#server/archive/sites/ytdlp-session.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { createArchive, eventually, hasTools, testSiteEnv } from '../support/acquisition.ts';
import { createFakeYtdlp, type Behaviour } from '../support/fake-ytdlp.ts';
import { childrenIn, isDeadWithin, pidOf } from '../support/killing.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type ApiClient } from '../support/program.ts';

const channel = aChannel({ name: 'Bad Manners' });
const createVideo = (id: string) => aVideo({ id, channelId: channel.id, title: id, durationSeconds: 4 });
type Item = { youtube_id: string; failure?: string; message?: string; retry_at?: number };
const queueOf = async (visitor: ApiClient) =>
  ((await visitor.call('GET', '/api/download/?filter=pending')).json as { data: Item[] }).data;
const isArchived = async (visitor: ApiClient, id: string) => (await visitor.call('GET', `/api/video/${id}/`)).status === 200;
const hasNoActiveTask = async (visitor: ApiClient) =>
  ((await visitor.call('GET', '/api/notification/?filter=download')).json as { messages: string[] }[]).every(({ messages }) =>
    /^Task (completed|failed|stopped)/.test(messages[0] ?? ''),
  );
const kilobytes = (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Excludes lookups: the last lookup ends before the first download begins. */
const isDownloading = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--progress-template');

/** Creates a program with the fake yt-dlp; all its files and those of its children are in one folder. */
async function createProgram(testSite: TestSite, env: Record<string, string> = {}) {
  const folder = await createTempFolder();
  const fakeYtdlp = await createFakeYtdlp(join(folder.path, 'fakeYtdlp'), process.env.REELKEEP_YTDLP!);
  await mkdir(join(folder.path, 'tmp'));
  const data = join(folder.path, 'data');
  const startServer = async () => {
    const extraEnv = { REELKEEP_YTDLP: fakeYtdlp.path, TMPDIR: join(folder.path, 'tmp'), ...env };
    const program = await startProgram({ data, env: { ...testSiteEnv(testSite), ...extraEnv } });
    const visitor = await logInToProgram(await addressOf(program));
    await visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
    return { program, visitor, pid: await pidOf(program) };
  };
  return { folder, fakeYtdlp, startServer, childrenOf: () => childrenIn(folder.path) };
}

const add = (visitor: ApiClient, ...ids: string[]) =>
  visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: ids.join(' ') }] });

describe.runIf(hasTools && existsSync('/proc/self'))('a misbehaving yt-dlp', () => {
  const faultyCases: [when: 'look-up' | 'download', behaviour: Behaviour, failure: string, sentence: RegExp][] = [
    ['download', 'babbling', 'unknown', /^Unknown error/],
    ['download', 'wailing', 'unknown', /^yt-dlp reported: WARNING: nothing/],
    ['download', 'longWinded', 'ytdlp', /no metadata for the video/],
    ['download', 'half', 'ytdlp', /cannot be read/],
    ['download', 'notANumber', 'ytdlp', /cannot be read/],
    ['download', 'nobody', 'ytdlp', /cannot be read/],
    ['download', 'other', 'unknown', /returned another video/],
    ['download', 'crashing', 'unknown', /^yt-dlp was killed \(SIGSEGV\)/],
    ['download', 'killed', 'unknown', /^yt-dlp was killed \(SIGKILL\)/],
    ['download', 'mute', 'ytdlp', /no metadata for the video/],
    ['look-up', 'babbling', 'unknown', /^Unknown error/],
    ['look-up', 'longWinded', 'ytdlp', /cannot be read/],
    ['look-up', 'half', 'ytdlp', /cannot be read/],
    ['look-up', 'notANumber', 'ytdlp', /cannot be read/],
    ['look-up', 'killed', 'unknown', /^yt-dlp was killed \(SIGKILL\)/],
    ['look-up', 'mute', 'ytdlp', /cannot be read/],
  ];
  const idOf = (index: number) => `badManner${String(index).padStart(2, '0')}`;
  const warmUpIds = ['warmingUp01', 'warmingUp02', 'warmingUp03'];
  const goodId = 'goodManner1';
  let testSite: TestSite;
  let p: Awaited<ReturnType<typeof createProgram>>;
  let running: Awaited<ReturnType<typeof p.startServer>>;
  let items: Item[];
  let growthMib: number;
  beforeAll(async () => {
    const videos = [
      ...warmUpIds,
      ...faultyCases.map((_, index) => idOf(index)),
      goodId,
      'silentVid01',
      'deafVideo01',
      'nextVideo01',
    ].map(createVideo);
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos }) });
    p = await createProgram(testSite);
    running = await p.startServer();
    const { visitor, pid } = running;
    // Memory that every download needs is allocated before the measurement.
    for (const id of warmUpIds.slice(1)) await p.fakeYtdlp.setFault(id, 'download', 'mute');
    await add(visitor, ...warmUpIds);
    await eventually(async () => (await isArchived(visitor, warmUpIds[0]!)) && (await hasNoActiveTask(visitor)));
    const before = kilobytes(pid, 'VmRSS');
    for (const [index, [when, behaviour]] of faultyCases.entries()) await p.fakeYtdlp.setFault(idOf(index), when, behaviour);
    await add(visitor, ...faultyCases.map((_, index) => idOf(index)), goodId);
    await eventually(async () => (await isArchived(visitor, goodId)) && (await hasNoActiveTask(visitor)));
    growthMib = (kilobytes(pid, 'VmHWM') - before) / 1024;
    items = await Promise.all(
      faultyCases.map(async (_, index) => (await visitor.call('GET', `/api/download/${idOf(index)}/`)).json as Item),
    );
  });
  afterAll(async () => {
    running.program.child.kill('SIGKILL');
    await running.program.ended;
    for (const pid of p.childrenOf()) process.kill(pid, 'SIGKILL');
    await testSite.close();
    await p.folder.remove();
  });

  test.each(faultyCases.map((row, index) => [...row, index] as const))(
    'a %s by a %s yt-dlp fails the item with %s',
    (_when, _behaviour, failure, sentence, index) => {
      const item = items.find(({ youtube_id: id }) => id === idOf(index));
      expect(item).toMatchObject({ failure, message: expect.stringMatching(sentence), retry_at: expect.any(Number) });
      expect(item!.message).not.toMatch(/[{}[\]]|\bat \w+ \(/); // neither JSON nor a stack trace
    },
  );

  test('blocks no other item, leaves no child process, and does not exhaust memory', async () => {
    expect(await isArchived(running.visitor, goodId)).toBe(true);
    await eventually(async () => p.childrenOf().length === 0);
    console.log(`memory growth after ${faultyCases.length} faulty runs: at most ${growthMib.toFixed(0)} MB`);
    // The faulty runs print up to 200 MB. Libraries loaded on demand and delayed garbage collection account for 10 to 50 MB.
    expect(growthMib).toBeLessThan(100);
  });

  test('is killed on request though it ignores SIGTERM, and the next item is downloaded', async () => {
    const { visitor } = running;
    await p.fakeYtdlp.setFault('deafVideo01', 'download', 'deaf');
    await add(visitor, 'deafVideo01');
    const children = () => p.childrenOf().filter(isDownloading);
    await eventually(async () => children().length > 0);
    await wait(300); // until the script ignores SIGTERM
    expect((await visitor.call('DELETE', '/api/download/deafVideo01/')).status).toBe(204);
    await eventually(async () => p.childrenOf().length === 0);
    await add(visitor, 'nextVideo01');
    await eventually(() => isArchived(visitor, 'nextVideo01'));
  });

  test('is killed at the next start when it outlived the server', async () => {
    await p.fakeYtdlp.setFault('silentVid01', 'download', 'deaf');
    await add(running.visitor, 'silentVid01');
    const children = () => p.childrenOf().filter(isDownloading);
    await eventually(async () => children().length > 0);
    const orphans = children();
    process.kill(running.pid, 'SIGKILL');
    await running.program.ended;
    await rm(join(p.folder.path, 'fakeYtdlp/faults/silentVid01.download'));
    running = await p.startServer();
    for (const pid of orphans) expect(await isDeadWithin(pid, 10_000)).toBe(true);
    await eventually(() => isArchived(running.visitor, 'silentVid01'));
  });
});

test.runIf(hasTools)('kills a yt-dlp without output and its children', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-moody-'));
  const fakeYtdlp = await createFakeYtdlp(folder, process.env.REELKEEP_YTDLP!);
  await fakeYtdlp.setFault('silentVid02', 'download', 'silent');
  const t = await createArchive(aCatalogue(), { env: { REELKEEP_YTDLP: fakeYtdlp.path } });
  try {
    const fetching = fetchVideo(await ytdlpSession(t.app), {
      url: 'https://www.youtube.com/watch?v=silentVid02',
      folder,
      settings: (await readSettings(t.app.db)).downloads,
      choice: { format: null, audioOnly: false },
      signal: new AbortController().signal,
      onProgress: () => {},
      onStage: () => {},
      stallMs: 500,
    });
    const error = (await fetching.catch((error: unknown) => error)) as YtdlpFailed;
    expect(error.failure).toMatchObject({
      kind: 'network',
      message: { id: 'failure.stalled' },
    });
    expect(childrenIn(folder)).toEqual([]);
  } finally {
    await t.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test.runIf(hasTools)('starts without ffmpeg, and the queue waits until ffmpeg is available', async () => {
  const video = createVideo('waitVideo01');
  const testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos: [video] }) });
  const folder = await createTempFolder();
  const bin = join(folder.path, 'bin'); // contains only Python, which yt-dlp needs
  await mkdir(bin);
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  await symlink(python, join(bin, 'python3'));
  const startServer = async (env: Record<string, string>) => {
    const program = await startProgram({ data: join(folder.path, 'data'), env: { ...testSiteEnv(testSite), ...env } });
    return { program, visitor: await logInToProgram(await addressOf(program)) };
  };
  const first = await startServer({ REELKEEP_FFMPEG: '/nowhere/ffmpeg', PATH: bin });
  let second: typeof first | undefined;
  try {
    await add(first.visitor, video.id);
    await eventually(async () => (await queueOf(first.visitor)).length === 1);
    const notices = async () => (await first.visitor.call('GET', '/api/notification/')).json as { messages: string[] }[];
    await eventually(async () =>
      (await notices()).some(({ messages }) => /ffmpeg is not installed.*queue waits/.test(messages[0]!)),
    );
    expect(first.program.output.text).toMatch(/ffmpeg could not be installed\. Install it/);
    const [item] = await queueOf(first.visitor);
    expect(item).not.toHaveProperty('failure');
    const checks = (await first.visitor.call('GET', '/api/health/checks/')).json;
    expect(JSON.stringify(checks)).toContain('ffmpeg is not installed, so downloads cannot be merged or verified.');
    first.program.child.kill('SIGTERM');
    await first.program.ended;
    second = await startServer({});
    await eventually(() => isArchived(second!.visitor, video.id));
  } finally {
    for (const { program } of [first, ...(second ? [second] : [])]) {
      program.child.kill('SIGKILL');
      await program.ended;
    }
    await testSite.close();
    await folder.remove();
  }
});
