import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VideoFilter } from '#contract/video.ts';
import { filterIn, filterKeys, filterOf, keptOf, wordsOf, type Filter } from './filter-address.ts';

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const words = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', maxLength })
    .map((text) => text.replaceAll('\0', '').slice(0, maxLength).toWellFormed().trim())
    .filter((text) => text !== '' && !/\p{Cc}/u.test(text));
const seconds = fc.nat(1_000_000_000);
const bytes = fc.maxSafeNat();
const filters: fc.Arbitrary<Filter> = fc.record(
  {
    channel: words(200),
    playlist: words(200),
    type: fc.constantFrom('videos', 'streams', 'shorts'),
    watch: fc.constantFrom('watched', 'unwatched', 'continue'),
    height: fc.nat(100_000),
    from: day,
    to: day,
    min_duration: seconds,
    max_duration: seconds,
    downloaded_from: day,
    downloaded_to: day,
    awkward: fc.constantFrom('pack', 'fetch'),
    tag: words(200),
    subtitles: words(35),
    codec: words(50),
    min_size: bytes,
    max_size: bytes,
    transcript: fc.boolean(),
    damaged: fc.boolean(),
    sort: fc.constantFrom('published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height'),
    order: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
);

test('any filter is the same after it stood in an address, and the server knows it', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const put = new URLSearchParams(Object.entries(wordsOf(filter)).filter((one): one is [string, string] => one[1] !== null));
      expect(filterIn(new URLSearchParams(put.toString()))).toEqual(filter);
      const said = VideoFilter.omit({ page: true }).strict().safeParse(filter);
      expect(said.error).toBeUndefined();
    }),
  );
});

test('any filter is the same after it was kept', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(filterOf(JSON.parse(JSON.stringify(keptOf(filter))) as Record<string, string>)).toEqual(filter);
    }),
  );
});

test('an address names everything that a list can be filtered by', () => {
  expect(filterKeys.toSorted()).toEqual(Object.keys(VideoFilter.omit({ page: true }).shape).toSorted());
});

test('what makes no sense in an address is left out', () => {
  const strange = 'height=1e3&min=-1&max=abc&from=yesterday&transcript=perhaps&tag=%20&kind=books&watch=no&sort=&min_size=0x1';
  expect(filterIn(new URLSearchParams(strange))).toEqual({});
});
