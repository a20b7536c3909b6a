import { channelId, playlistId, sizes, videoId } from './library.ts';
import { makeWords, randomFrom } from './words.ts';

/** Questions of one kind: each time another one, the same in every run. */
export interface Question {
  kind: string;
  /** Milliseconds at the 95th percentile that it should take. */
  goal: number;
  /** How often it is asked in the mix. */
  weight: number;
  path(n: number): string;
}

/** Chooses among questions, the frequent ones more often. */
export function choosing(from: Question[], random: () => number): () => Question {
  const whole = from.reduce((sum, { weight }) => sum + weight, 0);
  return () => {
    let left = random() * whole;
    return from.find(({ weight }) => (left -= weight) < 0) ?? from[0]!;
  };
}

/** Whether only staff may ask this. */
export const isForStaff = (path: string): boolean => /^\/api\/(download|appsettings|notification|stats)/.test(path);

const random = randomFrom(7);
const some = (count: number) => Math.floor(random() * count);
const words = makeWords(2); // the same vocabulary as the library's
const big = channelId(0);
const sorts = ['downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height'];

const list = (kind: string, weight: number, path: (n: number) => string): Question => ({ kind, goal: 10, weight, path });
const search = (kind: string, goal: number, weight: number, query: () => string): Question => ({
  kind,
  goal,
  weight,
  path: () => `/api/search/?query=${encodeURIComponent(query())}`,
});

/** Everything that people ask for while they browse, watch and look after things. */
export const questions: Question[] = [
  list('videos, first page', 20, () => '/api/video/'),
  list('videos, another page of the first hundred', 6, () => `/api/video/?page=${1 + some(100)}`),
  list('videos, any page', 2, () => `/api/video/?page=${1 + some(8333)}`),
  list('videos in another order, any page', 3, (n) => `/api/video/?sort=${sorts[n % sorts.length]}&page=${1 + some(2000)}`),
  list(
    'videos of a kind and height',
    2,
    (n) => `/api/video/?type=${['videos', 'shorts'][n % 2]}&height=${[720, 1080][n % 2]}&page=${1 + some(100)}`,
  ),
  list(
    'videos of some days or lengths, first pages',
    2,
    (n) =>
      `/api/video/?${[`from=20${17 + (n % 9)}-03-01`, 'min_duration=600&max_duration=1200', 'min_duration=6000&sort=views'][n % 3]}&page=${1 + some(20)}`,
  ),
  list('not watched yet, first pages', 6, () => `/api/video/?watch=unwatched&page=${1 + some(20)}`),
  list('not watched yet, any page', 0.5, () => `/api/video/?watch=unwatched&page=${1 + some(800)}`),
  list('watched, first pages', 2, () => `/api/video/?watch=watched&page=${1 + some(10)}`),
  list('to continue', 8, () => '/api/video/?watch=continue'),
  list('videos of a channel', 8, () => `/api/video/?channel=${channelId(some(sizes.channels))}`),
  list(
    'videos of the largest channel by views, any page',
    1,
    () => `/api/video/?channel=${big}&sort=views&page=${1 + some(400)}`,
  ),
  list('videos of the playlist of 5,000, any page', 1, () => `/api/video/?playlist=${playlistId(0)}&page=${1 + some(400)}`),
  list('videos of a playlist', 3, () => `/api/video/?playlist=${playlistId(1 + some(499))}`),
  list('one video', 15, () => `/api/video/${videoId(some(sizes.videos))}/`),
  list('its comments', 6, () => `/api/video/${videoId(some(sizes.videos))}/comment/`),
  list('its neighbours', 6, () => `/api/video/${videoId(some(sizes.videos))}/nav/`),
  list('similar ones', 6, () => `/api/video/${videoId(some(sizes.videos))}/similar/`),
  list('channels', 4, () => `/api/channel/?page=${1 + some(80)}`),
  list('one channel', 3, () => `/api/channel/${channelId(some(sizes.channels))}/`),
  list('what it holds', 3, (n) => `/api/channel/${channelId(some(sizes.channels))}/${n % 2 ? 'aggs' : 'nav'}/`),
  list('playlists, any page but that with the longest', 3, () => `/api/playlist/?page=${2 + some(38)}`),
  list('one playlist', 2, () => `/api/playlist/${playlistId(1 + some(499))}/`),
  list('the playlist of 5,000', 0.3, () => `/api/playlist/${playlistId(0)}/`),
  list('queue, any page', 2, () => `/api/download/?filter=pending&page=${1 + some(3000)}`),
  list(
    'queue of a channel, failed, by words',
    1,
    (n) => `/api/download/?${[`channel=${channelId(some(100))}`, 'error=true', `q=${encodeURIComponent(words.rare())}`][n % 3]}`,
  ),
  list('channels of the queue', 1, () => '/api/download/aggs/?filter=pending'),
  list(
    'statistics',
    4,
    (n) =>
      `/api/stats/${['video', 'channel', 'playlist', 'download', 'watch', 'downloadhist', 'biggestchannels', 'growth', 'quality', 'awkward', 'health', 'events', 'hours'][n % 13]}/`,
  ),
  list(
    'ping, account, settings',
    6,
    (n) => `/api/${['ping', 'user/account', 'user/me', 'appsettings/config', 'notification'][n % 5]}/`,
  ),
  search('search by titles and names', 20, 3, () => `${words.rare()} ${words.rare().slice(0, 3)}`),
  search('search for videos with keys', 20, 1, () => `video: ${words.word()} ${words.rare().slice(0, 4)} channel:ka`),
  search('search with a slip', 50, 1, () => words.rare().replace(/^(.)(.)/, '$2$1')),
  search('spoken: rare words', 50, 2, () => `full: ${words.rare()} ${words.rare()}`),
  search('spoken: common words', 50, 1, () => `full: ${words.word()} ${words.word()} ${words.word()}`),
  search('spoken: the commonest word', 50, 0.3, () => 'full: the'),
];
