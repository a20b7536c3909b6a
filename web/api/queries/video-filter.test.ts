import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VideoFilter } from '#contract/video.ts';
import { parseFilter, filterKeys, parseStoredFilter, serializeFilter, filterToParams, type Filter } from './video-filter.ts';

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
    incompatible: fc.constantFrom('remux', 'redownload'),
    tag: words(200),
    subtitles: words(35),
    codec: words(50),
    min_size: bytes,
    max_size: bytes,
    transcript: fc.boolean(),
    damaged: fc.boolean(),
    limited: fc.boolean(),
    sort: fc.constantFrom('published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height'),
    order: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
);

test('round-trips any filter through the URL, in a form the server accepts', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const parameters = new URLSearchParams(
        Object.entries(filterToParams(filter)).filter((entry): entry is [string, string] => entry[1] !== null),
      );
      expect(parseFilter(new URLSearchParams(parameters.toString()))).toEqual(filter);
      const parsed = VideoFilter.omit({ page: true }).strict().safeParse(filter);
      expect(parsed.error).toBeUndefined();
    }),
  );
});

test('round-trips any stored filter', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(parseStoredFilter(JSON.parse(JSON.stringify(serializeFilter(filter))) as Record<string, string>)).toEqual(filter);
    }),
  );
});

test('has a URL parameter for every filter of the API', () => {
  expect(filterKeys.toSorted()).toEqual(Object.keys(VideoFilter.omit({ page: true }).shape).toSorted());
});

test('ignores invalid URL parameters', () => {
  const invalid = 'height=1e3&min=-1&max=abc&from=yesterday&transcript=perhaps&tag=%20&kind=books&watch=no&sort=&min_size=0x1';
  expect(parseFilter(new URLSearchParams(invalid))).toEqual({});
});
