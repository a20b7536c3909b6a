/**
 * `npm run bench -- feeds`: measures podcast feeds of 1,000 episodes and M3U lists of 2,000 videos with the large library over HTTP,
 * one request after the other. Feeds of a channel are measured with the largest one.
 */
import { createClient, headersOf, logIn, timesOf } from './http-client.ts';
import { largeLibrary, ms, table } from './large.ts';
import { channelId, playlistId } from './library.ts';
import { stop, timedStart, waitUntilIdle } from './program.ts';

const goalMs = 50;
// Together fewer than the limit of a feed per minute.
const warmUps = 15;
const measured = 40;

const library = await largeLibrary();
const { program, address } = await timedStart(library.data, library.env);
await waitUntilIdle(program);
const cookies = await logIn(address, 'demo');
const client = createClient(address, cookies);

async function createFeed(body: object): Promise<string> {
  const response = await fetch(`${address}/api/podcast/`, {
    method: 'POST',
    headers: headersOf(cookies),
    body: JSON.stringify(body),
  });
  return new URL(((await response.json()) as { url: string }).url).pathname;
}

async function measure(timeOne: () => Promise<number>) {
  for (let n = 0; n < warmUps; n++) await timeOne();
  const times: number[] = [];
  for (let n = 0; n < measured; n++) times.push(await timeOne());
  return timesOf(times);
}

const sizeOf = async (path: string) => {
  const text = await (await fetch(address + path, { headers: { cookie: cookies.join('; ') } })).text();
  return { bytes: text.length, entries: text.split(path.includes('m3u') ? '#EXTINF' : '<item>').length - 1 };
};

const paths = {
  'feed of a channel, video': await createFeed({ type: 'channel', id: channelId(0), media: 'video' }),
  'feed of a channel, audio': await createFeed({ type: 'channel', id: channelId(0), media: 'audio' }),
  'feed of the playlist of 5,000, audio': await createFeed({ type: 'playlist', id: playlistId(0), media: 'audio' }),
  'feed of everything new, audio': await createFeed({ type: 'new', media: 'audio' }),
  'M3U of a channel': `/api/channel/${channelId(0)}/m3u/`,
  'M3U of the playlist of 5,000': `/api/playlist/${playlistId(0)}/m3u/`,
};
const rows: string[][] = [];
for (const [name, path] of Object.entries(paths)) {
  const { bytes, entries } = await sizeOf(path);
  const { p50, p95, max } = await measure(() => client.time(path));
  const goal = name.startsWith('feed') ? `< ${goalMs}` : '–';
  const kilobytes = `${Math.round(bytes / 1000)} kB`;
  rows.push([name, String(entries), kilobytes, ms(p50), ms(p95), ms(max), goal, goal !== '–' && p95 >= goalMs ? 'missed' : '']);
}
client.close();
await stop(program);
await library.forget();
table(['request', 'entries', 'size', 'median', '95 %', 'longest', 'goal (95 %)', ''], rows);
