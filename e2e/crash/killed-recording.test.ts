import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { eventually, hasTools, testSiteEnv } from '../support/acquisition.ts';
import { childrenIn, isDeadWithin, pidOf } from '../support/killing.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram } from '../support/program.ts';

// More than a task survives. With REELKEEP_TEST_KILLS=30 it takes some minutes.
const kills = Number(process.env.REELKEEP_TEST_KILLS ?? 5);
const fragmentsEach = 3;
const fragments = (kills + 1) * fragmentsEach;
// As the test site encodes.
const [picturesASecond, soundsASecond] = [12, 43];

const channel = aChannel({ name: 'Storm Watch' });
const stream = () =>
  aVideo({
    id: 'stormStream',
    channelId: channel.id,
    kind: 'stream',
    live: 'now',
    durationSeconds: fragments,
    startsAt: new Date('2026-11-29T12:00:00Z'),
    stream: { fragments: fragmentsEach },
    chat: { messages: [] },
  });
const { id } = stream();

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let testSite: TestSite;
let pids: number[];
beforeEach(async () => {
  folder = await createTempFolder();
  testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos: [stream()] }) });
  pids = [];
});
afterEach(async () => {
  for (const pid of [...pids, ...childrenIn(folder.path)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // already ended
    }
  }
  await testSite.close();
  await folder.remove();
});

async function start() {
  const program = await startProgram({ data: folder.path, env: testSiteEnv(testSite) });
  const pid = await pidOf(program);
  pids.push(pid);
  return { pid, logIn: async () => logInToProgram(await addressOf(program)) };
}

/** Whether picture and sound of a fragment were requested. */
const requested = (fragment: number) => () => {
  const itags = testSite.requests.flatMap(({ host, path }) => {
    const { searchParams: query } = new URL(path, `https://${host}`);
    return query.get('sq') === String(fragment) ? [query.get('itag')] : [];
  });
  return new Set(itags).size === 2;
};

/** What the calls of yt-dlp have written of the chat. */
const collectedChat = () =>
  globSync(join(folder.path, 'media/.incoming/*/chat-*/chat.live_chat.json*'))
    .map((path) => readFileSync(path, 'utf8'))
    .join();

/** Returns the times of the packets of a stream of a file, in seconds. */
function packetTimes(path: string, which: 'v' | 'a', ffprobe: string): number[] {
  const args = ['-v', 'error', '-select_streams', `${which}:0`, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path];
  return execFileSync(ffprobe, args, { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.split(',')[0]!)
    .filter(Boolean)
    .map(Number);
}

describe.runIf(hasTools)('a server that is killed while it records', () => {
  test(
    `has all of the stream and of its chat, or says what is missing, after ${kills} kills`,
    async () => {
      const video = testSite.catalogue.videos[0]!;
      for (let round = 0; round < kills; round++) {
        const { pid, logIn } = await start();
        if (round === 0) {
          const visitor = await logIn();
          await visitor.call('POST', '/api/appsettings/config/', { downloads: { live: 'record', live_chat: true } });
          await visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: id }] });
        } else video.stream!.fragments += fragmentsEach;
        await eventually(async () => requested(video.stream!.fragments - fragmentsEach)());
        const [atSeconds, text] = [video.stream!.fragments - fragmentsEach, `Lightning ${round}.`];
        video.chat!.messages.push({ id: `message${round}`, atSeconds, author: 'Ann', text });
        await eventually(async () => collectedChat().includes(text));
        // At any moment of the transfer of the next fragments.
        await wait(Math.random() * 300);
        process.kill(pid, 'SIGKILL');
        await isDeadWithin(pid, 5000);
        // Who joins later is not sent the earlier messages.
        video.chat!.messages = [];
      }
      const { logIn } = await start();
      const visitor = await logIn();
      video.stream!.fragments = fragments;
      await eventually(async () => requested(fragments - 1)());
      Object.assign(video, { live: undefined, stream: undefined, chat: { messages: [], hasReplay: false } });
      const archived = await eventually(async () => {
        const { status, json } = await visitor.call('GET', `/api/video/${id}/`);
        return status === 200 ? (json as { recording: { gaps: { seconds: number }[] } }) : null;
      });
      await eventually(async () => readdirSync(join(folder.path, 'media/.incoming')).length === 0);
      const { json: found } = await visitor.call('GET', `/api/video/${id}/chat/search/?query=lightning`);
      const texts = (found as { matches: { text: string }[] }).matches.map(({ text }) => text);
      expect(texts).toEqual(Array.from({ length: kills }, (_, round) => `Lightning ${round}.`));
      const path = join(folder.path, 'media', channel.id, `${id}.mp4`);
      const { ffprobe } = (await findFfmpeg(process.env.REELKEEP_FFMPEG))!;
      const missing = archived.recording.gaps.reduce((sum, { seconds }) => sum + seconds, 0);
      const times = packetTimes(path, 'v', ffprobe);
      expect(new Set(times).size).toBe(times.length);
      expect(times.length).toBeGreaterThanOrEqual((fragments - missing) * picturesASecond);
      expect(Math.max(...times)).toBeGreaterThan(fragments - 1);
      const sound = packetTimes(path, 'a', ffprobe);
      expect(sound.length).toBeGreaterThanOrEqual((fragments - missing - 1) * soundsASecond);
    },
    (kills + 2) * 60_000,
  );
});
