import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentSettings } from '#server/settings/read.ts';
import { YtdlpFailed } from '#server/ytdlp/failure.ts';
import { fetchVideo } from '#server/ytdlp/fetch-video.ts';
import { ytdlpOf } from '#server/ytdlp-of.ts';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { startStandin, type Standin } from '#standin/site.ts';
import { anArchiveWith, eventually, hasTools, throughStandin } from './acquiring.ts';
import { aMoodyYtdlp, type Manner } from './bad-manners.ts';
import { childrenIn, isDeadWithin, pidOf } from './killing.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Visitor } from './program.ts';

const channel = aChannel({ name: 'Bad Manners' });
const videoCalled = (id: string) => aVideo({ id, channelId: channel.id, title: id, durationSeconds: 4 });
type Item = { youtube_id: string; failure?: string; message?: string; retry_at?: number };
const queueOf = async (visitor: Visitor) =>
  ((await visitor.call('GET', '/api/download/?filter=pending')).json as { data: Item[] }).data;
const isArchived = async (visitor: Visitor, id: string) => (await visitor.call('GET', `/api/video/${id}/`)).status === 200;
const isSettled = async (visitor: Visitor) =>
  ((await visitor.call('GET', '/api/notification/?filter=download')).json as { messages: string[] }[]).every(({ messages }) =>
    /^Task (completed|failed|stopped)/.test(messages[0] ?? ''),
  );
const kilobytes = (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Not only looked up: the last is over before the first begins. */
const isDownloading = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--progress-template');

/** A program that works with a moody yt-dlp, in a folder in which everything of it and its children is. */
async function aProgram(standin: Standin, env: Record<string, string> = {}) {
  const folder = await aFolder();
  const moody = await aMoodyYtdlp(join(folder.path, 'moody'), process.env.REELKEEP_YTDLP!);
  await mkdir(join(folder.path, 'tmp'));
  const data = join(folder.path, 'data');
  const begin = async () => {
    const more = { REELKEEP_YTDLP: moody.path, TMPDIR: join(folder.path, 'tmp'), ...env };
    const program = await startProgram({ data, env: { ...throughStandin(standin), ...more } });
    const visitor = await aVisitor(await addressOf(program));
    await visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
    return { program, visitor, pid: await pidOf(program) };
  };
  return { folder, moody, begin, childrenOf: () => childrenIn(folder.path) };
}

const add = (visitor: Visitor, ...ids: string[]) =>
  visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: ids.join(' ') }] });

describe.runIf(hasTools && existsSync('/proc/self'))('a yt-dlp with bad manners', () => {
  const bad: [when: 'look-up' | 'download', manner: Manner, failure: string, sentence: RegExp][] = [
    ['download', 'babbling', 'unknown', /nothing says why/],
    ['download', 'wailing', 'unknown', /^yt-dlp says: WARNING: nothing/],
    ['download', 'longWinded', 'ytdlp', /without saying anything of the video/],
    ['download', 'half', 'ytdlp', /cannot be read/],
    ['download', 'notANumber', 'ytdlp', /cannot be read/],
    ['download', 'nobody', 'ytdlp', /cannot be read/],
    ['download', 'other', 'unknown', /answered with another video/],
    ['download', 'crashing', 'unknown', /^yt-dlp died \(SIGSEGV\)/],
    ['download', 'killed', 'unknown', /^yt-dlp died \(SIGKILL\)/],
    ['download', 'mute', 'ytdlp', /without saying anything of the video/],
    ['look-up', 'babbling', 'unknown', /nothing says why/],
    ['look-up', 'longWinded', 'ytdlp', /cannot be read/],
    ['look-up', 'half', 'ytdlp', /cannot be read/],
    ['look-up', 'notANumber', 'ytdlp', /cannot be read/],
    ['look-up', 'killed', 'unknown', /^yt-dlp died \(SIGKILL\)/],
    ['look-up', 'mute', 'ytdlp', /cannot be read/],
  ];
  const idOf = (place: number) => `badManner${String(place).padStart(2, '0')}`;
  const warm = ['warmingUp01', 'warmingUp02', 'warmingUp03'];
  const good = 'goodManner1';
  let standin: Standin;
  let p: Awaited<ReturnType<typeof aProgram>>;
  let running: Awaited<ReturnType<typeof p.begin>>;
  let items: Item[];
  let grownBy: number;
  beforeAll(async () => {
    const videos = [...warm, ...bad.map((_, place) => idOf(place)), good, 'silentVid01', 'deafVideo01', 'nextVideo01'].map(
      videoCalled,
    );
    standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos }) });
    p = await aProgram(standin);
    running = await p.begin();
    const { visitor, pid } = running;
    // What every download needs is not what is asked about here.
    for (const id of warm.slice(1)) await p.moody.tell(id, 'download', 'mute');
    await add(visitor, ...warm);
    await eventually(async () => (await isArchived(visitor, warm[0]!)) && (await isSettled(visitor)));
    const before = kilobytes(pid, 'VmRSS');
    for (const [place, [when, manner]] of bad.entries()) await p.moody.tell(idOf(place), when, manner);
    await add(visitor, ...bad.map((_, place) => idOf(place)), good);
    await eventually(async () => (await isArchived(visitor, good)) && (await isSettled(visitor)));
    grownBy = (kilobytes(pid, 'VmHWM') - before) / 1024;
    items = await Promise.all(
      bad.map(async (_, place) => (await visitor.call('GET', `/api/download/${idOf(place)}/`)).json as Item),
    );
  });
  afterAll(async () => {
    running.program.child.kill('SIGKILL');
    await running.program.ended;
    for (const pid of p.childrenOf()) process.kill(pid, 'SIGKILL');
    await standin.close();
    await p.folder.remove();
  });

  test.each(bad.map((row, place) => [...row, place] as const))(
    'when it should %s and is %s, the item says so as %s',
    (_when, _manner, failure, sentence, place) => {
      const item = items.find(({ youtube_id: id }) => id === idOf(place));
      expect(item).toMatchObject({ failure, message: expect.stringMatching(sentence), retry_at: expect.any(Number) });
      expect(item!.message).not.toMatch(/[{}[\]]|\bat \w+ \(/); // nobody wants to read JSON, or a stack
    },
  );

  test('keeps no other item from coming, leaves no child, and does not fill the memory', async () => {
    expect(await isArchived(running.visitor, good)).toBe(true);
    await eventually(async () => p.childrenOf().length === 0);
    console.log(`after ${bad.length} bad manners the memory had grown by ${grownBy.toFixed(0)} MB at most`);
    expect(grownBy).toBeLessThan(40);
  });

  test('is stopped by a person though it ignores the gentle signal, and the next item comes', async () => {
    const { visitor } = running;
    await p.moody.tell('deafVideo01', 'download', 'deaf');
    await add(visitor, 'deafVideo01');
    const children = () => p.childrenOf().filter(isDownloading);
    await eventually(async () => children().length > 0);
    await wait(300); // until it has gone deaf
    expect((await visitor.call('DELETE', '/api/download/deafVideo01/')).status).toBe(204);
    await eventually(async () => p.childrenOf().length === 0);
    await add(visitor, 'nextVideo01');
    await eventually(() => isArchived(visitor, 'nextVideo01'));
  });

  test('does not live on beside the one that takes its place, when the program was killed', async () => {
    await p.moody.tell('silentVid01', 'download', 'deaf');
    await add(running.visitor, 'silentVid01');
    const children = () => p.childrenOf().filter(isDownloading);
    await eventually(async () => children().length > 0);
    const left = children();
    process.kill(running.pid, 'SIGKILL');
    await running.program.ended;
    await rm(join(p.folder.path, 'moody/told/silentVid01.download'));
    running = await p.begin();
    for (const pid of left) expect(await isDeadWithin(pid, 10_000)).toBe(true);
    await eventually(() => isArchived(running.visitor, 'silentVid01'));
  });
});

test.runIf(hasTools)('a yt-dlp that says nothing is ended after a while, and so is all that it started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-moody-'));
  const moody = await aMoodyYtdlp(folder, process.env.REELKEEP_YTDLP!);
  await moody.tell('silentVid02', 'download', 'silent');
  const t = await anArchiveWith(aCatalogue(), { env: { REELKEEP_YTDLP: moody.path } });
  try {
    const fetching = fetchVideo(await ytdlpOf(t.archive), {
      url: 'https://www.youtube.com/watch?v=silentVid02',
      folder,
      settings: (await currentSettings(t.archive)).downloads,
      choice: { format: null, audioOnly: false },
      signal: new AbortController().signal,
      onProgress: () => {},
      onStage: () => {},
      silenceMs: 500,
    });
    const problem = (await fetching.catch((error: unknown) => error)) as YtdlpFailed;
    expect(problem.failure).toMatchObject({ kind: 'network', message: expect.stringMatching(/^Nothing came for ten minutes/) });
    expect(childrenIn(folder)).toEqual([]);
  } finally {
    await t.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test.runIf(hasTools)('without ffmpeg it starts, says so, and the queue waits unharmed until ffmpeg is there', async () => {
  const video = videoCalled('waitVideo01');
  const standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos: [video] }) });
  const folder = await aFolder();
  const bin = join(folder.path, 'bin'); // Python, for yt-dlp, and nothing else
  await mkdir(bin);
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  await symlink(python, join(bin, 'python3'));
  const begin = async (env: Record<string, string>) => {
    const program = await startProgram({ data: join(folder.path, 'data'), env: { ...throughStandin(standin), ...env } });
    return { program, visitor: await aVisitor(await addressOf(program)) };
  };
  const first = await begin({ REELKEEP_FFMPEG: '/nowhere/ffmpeg', PATH: bin });
  let second: typeof first | undefined;
  try {
    await add(first.visitor, video.id);
    await eventually(async () => (await queueOf(first.visitor)).length === 1);
    const notices = async () => (await first.visitor.call('GET', '/api/notification/')).json as { messages: string[] }[];
    await eventually(async () =>
      (await notices()).some(({ messages }) => /ffmpeg is not there.*The queue waits/.test(messages[0]!)),
    );
    expect(first.program.words.text).toMatch(/ffmpeg could not be had\. Install it/);
    const [item] = await queueOf(first.visitor);
    expect(item).not.toHaveProperty('failure');
    const checks = (await first.visitor.call('GET', '/api/doctor/')).json;
    expect(JSON.stringify(checks)).toContain('ffmpeg is not there, so nothing can be checked or put together.');
    first.program.child.kill('SIGTERM');
    await first.program.ended;
    second = await begin({});
    await eventually(() => isArchived(second!.visitor, video.id));
  } finally {
    for (const { program } of [first, ...(second ? [second] : [])]) {
      program.child.kill('SIGKILL');
      await program.ended;
    }
    await standin.close();
    await folder.remove();
  }
});
