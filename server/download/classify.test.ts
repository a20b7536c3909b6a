import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classify, readBox } from './classify.ts';

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
  ['https://clips.example/watch/1?a=b', { what: 'page', url: 'https://clips.example/watch/1?a=b' }],
])('%s is understood', (word, what) => {
  expect(classify(word)).toMatchObject(what);
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
])('%s is not', (word) => {
  expect(classify(word)).toBeNull();
});

test('a box is read word by word: blank lines count for nothing, doubles once, and nonsense is named', () => {
  const { wanted, strange } = readBox(['\n\n dQw4w9WgXcQ  nonsense\n', 'dQw4w9WgXcQ', ' @somebody']);
  expect(wanted.map((one) => one.what)).toEqual(['video', 'channel']);
  expect(strange).toEqual(['nonsense']);
});

test('whatever is typed, what goes out is an http address, never an option', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const { url } of readBox([text]).wanted) expect(url).toMatch(/^https?:\/\//);
    }),
  );
});
