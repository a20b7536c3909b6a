import { channelId, playlistId, sizes, videoId } from './library.ts';
import { makeWords, randomFrom } from './random-words.ts';

/** A kind of request with varying parameters that are the same in every run. */
export interface RequestKind {
  kind: string;
  /** Target of the 95th percentile, milliseconds. */
  goal: number;
  /** Relative frequency in the mix. */
  weight: number;
  path(n: number): string;
}

/** Returns a function that picks kinds of requests at random by weight. */
export function createChooser(from: RequestKind[], random: () => number): () => RequestKind {
  const totalWeight = from.reduce((sum, { weight }) => sum + weight, 0);
  return () => {
    let rest = random() * totalWeight;
    return from.find(({ weight }) => (rest -= weight) < 0) ?? from[0]!;
  };
}

/** Returns whether a request needs the staff role. */
export const isForStaff = (path: string): boolean => /^\/api\/(download|appsettings|notification|stats)/.test(path);

const random = randomFrom(7);
const randomBelow = (count: number) => Math.floor(random() * count);
const words = makeWords(2); // the vocabulary of the library
const big = channelId(0);
const sorts = ['downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height'];

const list = (kind: string, weight: number, path: (n: number) => string): RequestKind => ({ kind, goal: 10, weight, path });
const search = (kind: string, goal: number, weight: number, query: () => string, address = '/api/search/'): RequestKind => ({
  kind,
  goal,
  weight,
  path: () => `${address}?query=${encodeURIComponent(query())}`,
});
const moments = (kind: string, weight: number, query: () => string) =>
  search(`moments: ${kind}`, 50, weight, query, '/api/search/moments/');

/** All requests of users who browse, play and manage the library. */
export const requestKinds: RequestKind[] = [
  list('videos, first page', 20, () => '/api/video/'),
  list('videos, pages 2 to 100', 6, () => `/api/video/?page=${1 + randomBelow(100)}`),
  list('videos, any page', 2, () => `/api/video/?page=${1 + randomBelow(Math.floor(sizes.videos / 12))}`),
  list(
    'videos in another order, any page',
    3,
    (n) => `/api/video/?sort=${sorts[n % sorts.length]}&page=${1 + randomBelow(sizes.videos / 50)}`,
  ),
  list(
    'videos by kind and height',
    2,
    (n) => `/api/video/?type=${['videos', 'shorts'][n % 2]}&height=${[720, 1080][n % 2]}&page=${1 + randomBelow(100)}`,
  ),
  list(
    'videos by date or length, first pages',
    2,
    (n) =>
      `/api/video/?${[`from=20${17 + (n % 9)}-03-01`, 'min_duration=600&max_duration=1200', 'min_duration=6000&sort=views'][n % 3]}&page=${1 + randomBelow(20)}`,
  ),
  list('unwatched, first pages', 6, () => `/api/video/?watch=unwatched&page=${1 + randomBelow(20)}`),
  list('unwatched, any page', 0.5, () => `/api/video/?watch=unwatched&page=${1 + randomBelow(sizes.videos / 125)}`),
  list('watched, first pages', 2, () => `/api/video/?watch=watched&page=${1 + randomBelow(10)}`),
  list('continue watching', 8, () => '/api/video/?watch=continue'),
  list('videos of a channel', 8, () => `/api/video/?channel=${channelId(randomBelow(sizes.channels))}`),
  list(
    'videos of the largest channel by views, any page',
    1,
    () => `/api/video/?channel=${big}&sort=views&page=${1 + randomBelow(400)}`,
  ),
  list(
    'videos of the playlist of 5,000, any page',
    1,
    () => `/api/video/?playlist=${playlistId(0)}&page=${1 + randomBelow(400)}`,
  ),
  list('videos of a playlist', 3, () => `/api/video/?playlist=${playlistId(1 + randomBelow(sizes.playlists - 1))}`),
  list('one video', 15, () => `/api/video/${videoId(randomBelow(sizes.videos))}/`),
  list('comments of a video', 6, () => `/api/video/${videoId(randomBelow(sizes.videos))}/comment/`),
  list('previous and next of a video', 6, () => `/api/video/${videoId(randomBelow(sizes.videos))}/nav/`),
  list('similar videos', 6, () => `/api/video/${videoId(randomBelow(sizes.videos))}/similar/`),
  list('channels', 4, () => `/api/channel/?page=${1 + randomBelow(sizes.channels * 0.08)}`),
  list('one channel', 3, () => `/api/channel/${channelId(randomBelow(sizes.channels))}/`),
  list('counts of a channel', 3, (n) => `/api/channel/${channelId(randomBelow(sizes.channels))}/${n % 2 ? 'aggs' : 'nav'}/`),
  list(
    'playlists, any page without the longest',
    3,
    () => `/api/playlist/?page=${2 + randomBelow(Math.floor(sizes.playlists / 13))}`,
  ),
  list('one playlist', 2, () => `/api/playlist/${playlistId(1 + randomBelow(sizes.playlists - 1))}/`),
  list('the playlist of 5,000', 0.3, () => `/api/playlist/${playlistId(0)}/`),
  list('queue, any page', 2, () => `/api/download/?filter=pending&page=${1 + randomBelow((sizes.queue * 3) / 50)}`),
  list(
    'queue by channel, failure, words',
    1,
    (n) =>
      `/api/download/?${[`channel=${channelId(randomBelow(100))}`, 'error=true', `q=${encodeURIComponent(words.rare())}`][n % 3]}`,
  ),
  list('channels of the queue', 1, () => '/api/download/aggs/?filter=pending'),
  list(
    'statistics',
    4,
    (n) =>
      `/api/stats/${['video', 'channel', 'playlist', 'download', 'watch', 'downloadhist', 'biggestchannels', 'growth', 'quality', 'incompatible', 'health', 'events', 'hours'][n % 13]}/`,
  ),
  list(
    'ping, account, settings',
    6,
    (n) => `/api/${['ping', 'user/account', 'user/me', 'appsettings/config', 'notification'][n % 5]}/`,
  ),
  // Known slow cases, measured alone but not in the mix.
  list(
    'unwatched by views, any page',
    0,
    () => `/api/video/?watch=unwatched&sort=views&page=${1 + randomBelow(Math.floor(sizes.videos / 24))}`,
  ),
  list('videos by title, any page', 0, () => `/api/video/?sort=title&page=${1 + randomBelow(Math.floor(sizes.videos / 12))}`),
  search('search titles and names', 20, 3, () => `${words.rare()} ${words.rare().slice(0, 3)}`),
  search('search with filters', 20, 1, () => `video: ${words.word()} ${words.rare().slice(0, 4)} channel:ka`),
  search('search with a typo', 50, 1, () => words.rare().replace(/^(.)(.)/, '$2$1')),
  search('transcripts: rare words', 50, 2, () => `full: ${words.rare()} ${words.rare()}`),
  search('transcripts: common words', 50, 1, () => `full: ${words.word()} ${words.word()} ${words.word()}`),
  search('transcripts: the most common word', 50, 0.3, () => 'full: the'),
  moments('a rare word', 2, () => words.rare()),
  moments('a rare and a common word', 2, () => `${words.rare()} ${words.word()}`),
  moments('common words', 1, () => `${words.word()} ${words.word()} ${words.word()}`),
  moments('the most common word', 0.3, () => 'the'),
  moments('unwatched since 2024', 0.5, () => `${words.word()} is:unwatched after:2024`),
  moments('comments of an author', 0.5, () => `by:${words.word()} ${words.word()}`),
];
