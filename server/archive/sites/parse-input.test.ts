import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInput, parseLines } from './parse-input.ts';

const channel = 'UCabcdefghijklmnopqrstuv';
const list = 'PLabcdefghijklmnopqrstuvwxyz012345';

test.each([
  ['dQw4w9WgXcQ', { what: 'video', id: 'dQw4w9WgXcQ' }],
  ['-begins-wit', { what: 'video', id: '-begins-wit', url: 'https://www.youtube.com/watch?v=-begins-wit' }],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', { what: 'video', id: 'dQw4w9WgXcQ' }],
  [`https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=${list}`, { what: 'video', id: 'dQw4w9WgXcQ' }],
  ['https://youtu.be/dQw4w9WgXcQ?si=x', { what: 'video', id: 'dQw4w9WgXcQ' }],
  ['youtu.be/dQw4w9WgXcQ', { what: 'video', id: 'dQw4w9WgXcQ' }],
  ['https://m.youtube.com/shorts/dQw4w9WgXcQ', { what: 'video', kind: 'shorts' }],
  ['https://www.youtube.com/live/dQw4w9WgXcQ', { what: 'video' }],
  [channel, { what: 'channel', id: channel }],
  [`https://www.youtube.com/channel/${channel}/streams`, { what: 'channel', id: channel, kind: 'streams' }],
  ['@somebody', { what: 'channel', url: 'https://www.youtube.com/@somebody' }],
  ['@somebody/shorts', { what: 'channel', kind: 'shorts' }],
  ['https://www.youtube.com/@somebody/featured', { what: 'channel' }],
  ['https://www.youtube.com/c/Some%20Body', { what: 'channel' }],
  ['https://www.youtube.com/slowbread', { what: 'channel', url: 'https://www.youtube.com/slowbread' }],
  ['https://www.youtube.com/slowbread/shorts', { what: 'channel', kind: 'shorts' }],
  ['https://www.youtube.com/clip/UgkxAbc', { what: 'page', url: 'https://www.youtube.com/clip/UgkxAbc' }],
  ['https://www.youtube.com/user/somebody/videos', { what: 'channel', kind: 'videos' }],
  [list, { what: 'playlist', id: list }],
  [`https://www.youtube.com/playlist?list=${list}`, { what: 'playlist', id: list }],
  ['WL', { what: 'playlist', id: 'WL' }],
  ['https://vimeo.com/76979871?share=copy', { what: 'video', id: 'vimeo.76979871', site: 'vimeo', siteId: '76979871' }],
  ['https://soundcloud.com/a/b?si=1', { what: 'video', site: 'soundcloud', url: 'https://soundcloud.com/a/b' }],
  ['https://www.instagram.com/reel/CWqAgUZgCku/', { what: 'page', id: 'instagram.CWqAgUZgCku' }],
  ['https://clips.example/watch/1?a=b', { what: 'page', url: 'https://clips.example/watch/1?a=b' }],
])('parses %s', (word, expected) => {
  expect(parseInput(word)).toMatchObject(expected);
});

test.each([
  'nonsense',
  'file:///etc/passwd',
  'gopher://example.org/',
  'javascript:alert(1)',
  '--exec=touch x',
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/',
  'https://www.youtube.com/feed',
  'https://www.youtube.com/watch',
  'https://youtu.be/',
  '@',
  '$(reboot)',
])('rejects %s', (word) => {
  expect(parseInput(word)).toBeNull();
});

test('reads one item per line, skips blank lines and duplicates, and reports an invalid line as a whole', () => {
  const { items, invalidLines } = parseLines(['\n\n dQw4w9WgXcQ  \r\nnot a channel!!\n', 'dQw4w9WgXcQ', ' @somebody']);
  expect(items.map((item) => item.what)).toEqual(['video', 'channel']);
  expect(invalidLines).toEqual(['not a channel!!']);
});

test('two addresses of a video of another site are one item', () => {
  const { items } = parseLines([
    'https://vimeo.com/1 https://player.vimeo.com/video/1',
    'https://m.soundcloud.com/a/b https://soundcloud.com/a/b#t=1',
  ]);
  expect(items.map(({ url }) => url)).toEqual(['https://player.vimeo.com/video/1', 'https://soundcloud.com/a/b']);
});

test('a Bilibili video and one of its parts are two items', () => {
  const video = 'https://www.bilibili.com/video/BV1bK411W797/';
  expect(parseLines([video, `${video}?p=1`]).items).toHaveLength(2);
});

test('reads several ids of one line', () => {
  const { items, invalidLines } = parseLines(['dQw4w9WgXcQ @somebody']);
  expect(items.map((item) => item.what)).toEqual(['video', 'channel']);
  expect(invalidLines).toEqual([]);
});

test('extracts the URL from a line with a title', () => {
  const { items, invalidLines } = parseLines(['Electronics explained: https://youtu.be/dQw4w9WgXcQ electronics']);
  expect(items).toMatchObject([{ what: 'video', id: 'dQw4w9WgXcQ' }]);
  expect(invalidLines).toEqual([]);
});

test('never passes anything but an http URL to yt-dlp', () => {
  const schemes = fc.constantFrom('', 'https://', 'http:', 'HTTPS://', 'file:///', 'javascript:', 'ytsearch:', '-', '--exec ');
  const hosts = fc.constantFrom(
    '',
    'youtu.be/',
    'www.youtube.com/watch?v=',
    'clips.example/',
    'vimeo.com/1',
    'www.tiktok.com/@',
    'odysee.com/',
    '/etc/passwd',
    '@',
  );
  let urls = 0;
  fc.assert(
    fc.property(schemes, hosts, fc.string(), (scheme, host, text) => {
      for (const { url } of parseLines([`${scheme}${host}${text}`]).items) {
        expect(url).toMatch(/^https?:\/\//);
        urls++;
      }
    }),
    { numRuns: 500 },
  );
  expect(urls).toBeGreaterThan(20);
});
