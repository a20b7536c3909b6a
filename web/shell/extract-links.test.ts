import { expect, test } from 'vitest';
import { extractLinks, isLinkOrHandle } from './extract-links.ts';

test.each([
  ['https://youtu.be/abcdefghijk', ['https://youtu.be/abcdefghijk']],
  [
    'Look at (https://clips.example/a?b=c), and https://clips.example/d.',
    ['https://clips.example/a?b=c', 'https://clips.example/d'],
  ],
  ['https://a.example https://a.example', ['https://a.example']],
  ['just words, javascript:alert(1), file:///etc/passwd', []],
])('extracts the links of %s: %j', (text, links) => expect(extractLinks(text)).toEqual(links));

test.each(['https://youtu.be/abcdefghijk', 'www.youtube.com/@trains', 'youtu.be/abcdefghijk', ' @night.trains '])(
  'recognizes %j as a link or @handle',
  (text) => expect(isLinkOrHandle(text)).toBe(true),
);
test.each(['trains', '@', '@a b', 'see https://youtu.be/abcdefghijk', 'javascript:alert(1)', 'a@b.example'])(
  'recognizes %j as a search',
  (text) => expect(isLinkOrHandle(text)).toBe(false),
);
