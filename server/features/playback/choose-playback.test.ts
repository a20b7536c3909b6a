import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Capabilities, MediaContainer, TriedMethod } from '#contract/playback.ts';
import { choosePlayback, type MediaFormat, type SmallCopy } from './choose-playback.ts';

type Picture = [codec: string, profile: string, bitDepth: number, codecString: string];
// Codecs with their profiles in ffprobe, and the codec string of a browser that decodes them.
const pictures: Picture[] = [
  ['h264', 'High', 8, 'avc1.640028'],
  ['h264', 'Constrained Baseline', 8, 'avc1.640028'],
  ['h264', 'High 10', 10, 'avc1.6E0033'],
  ['h264', 'High 4:2:2', 10, 'avc1.7A0033'],
  ['h264', 'High 4:4:4 Predictive', 8, 'avc1.F40033'],
  ['hevc', 'Main', 8, 'hvc1.1.6.L150.B0'],
  ['hevc', 'Main 10', 10, 'hvc1.2.4.L150.B0'],
  ['hevc', 'Rext', 12, 'hvc1.4.10.L150.B0'],
  ['av1', 'Main', 8, 'av01.0.12M.08'],
  ['av1', 'Main', 10, 'av01.0.12M.10'],
  ['av1', 'High', 8, 'av01.1.12M.08'],
  ['vp9', 'Profile 0', 8, 'vp09.00.50.08'],
  ['vp9', 'Profile 2', 10, 'vp09.02.50.10'],
  ['vp8', '', 8, 'vp8'],
  ['mpeg4', 'Simple Profile', 8, 'none'],
];
const sounds: [codec: string, codecString: string][] = [
  ['aac', 'mp4a.40.2'],
  ['mp3', 'mp4a.6B'],
  ['opus', 'opus'],
  ['vorbis', 'vorbis'],
  ['flac', 'flac'],
  ['ac3', 'ac-3'],
  ['eac3', 'ec-3'],
  ['dts', 'dtsc'],
  ['pcm_s16le', 'none'],
];
const endings: [ending: string, container: MediaContainer | null][] = [
  ['.mp4', 'mp4'],
  ['.mov', 'mp4'],
  ['.webm', 'webm'],
  ['.mkv', 'x-matroska'],
  ['.avi', null],
];
const containerOf: Record<string, MediaContainer | null> = { ...Object.fromEntries(endings), '.m4a': 'mp4' };

const film = (ending: string, [codec, profile, bitDepth]: Picture, ...audio: string[]): MediaFormat => ({
  ending,
  video: { codec, width: 1920, height: 1080, format: { profile, bitDepth, dynamicRange: 'sdr' } },
  audio: audio.map((name, place) => ({ index: place + 1, codec: name })),
});
const entry = (codec: string, ...containers: MediaContainer[]) => ({ codec, containers });
const pictureNamed = (codecString: string) => pictures.find((one) => one[3] === codecString)!;

const safari: Capabilities = {
  video: [entry('avc1.640028', 'mp4'), entry('hvc1.1.6.L150.B0', 'mp4'), entry('vp09.00.50.08', 'webm')],
  audio: [entry('mp4a.40.2', 'mp4'), entry('opus', 'webm')],
  hdr: true,
  hls: false,
};
const firefox: Capabilities = {
  video: [entry('avc1.640028', 'mp4'), entry('av01.0.12M.08', 'mp4', 'webm'), entry('vp09.00.50.08', 'webm', 'mp4')],
  audio: [entry('mp4a.40.2', 'mp4'), entry('opus', 'webm', 'mp4', 'ogg'), entry('mp3', 'mpeg')],
  hdr: false,
  hls: false,
};
const ids = (choice: { reasons: { id: string }[] }) => choice.reasons.map(({ id }) => id);
const [h264, high10, hevc, av1, vp9] = ['avc1.640028', 'avc1.6E0033', 'hvc1.1.6.L150.B0', 'av01.0.12M.08', 'vp09.00.50.08'].map(
  pictureNamed,
) as [Picture, Picture, Picture, Picture, Picture];

test.each([
  ['H.264 and AAC in MP4', film('.mp4', h264, 'aac'), firefox, 'direct'],
  ['VP9 and Opus in WebM', film('.webm', vp9, 'opus'), safari, 'direct'],
  ['a silent video', film('.mp4', h264), safari, 'direct'],
  ['a second sound that it cannot play', film('.mp4', h264, 'aac', 'ac3'), firefox, 'direct'],
  ['H.264 and AAC in MKV', film('.mkv', h264, 'aac'), firefox, 'repack .mp4'],
  ['a silent MKV', film('.mkv', h264), firefox, 'repack .mp4'],
  ['VP9 and Opus in MKV', film('.mkv', vp9, 'opus'), safari, 'repack .webm'],
  ['AC-3 in MP4', film('.mp4', h264, 'ac3'), firefox, 'convert_sound .mp4'],
  ['Opus in MP4', film('.mp4', h264, 'opus'), safari, 'convert_sound .mp4'],
  ['DTS in MKV', film('.mkv', av1, 'dts'), firefox, 'convert_sound .mp4'],
  ['HEVC', film('.mp4', hevc, 'aac'), firefox, 'none'],
  ['AV1 without a decoder', film('.mp4', av1, 'aac'), safari, 'none'],
  ['H.264 of 10 bit', film('.mkv', high10, 'aac'), firefox, 'none'],
  ['MPEG-4 in AVI', film('.avi', pictures.at(-1)!, 'mp3'), firefox, 'none'],
  ['an MP3 file', { ending: '.mp3', video: null, audio: [{ index: 0, codec: 'mp3' }] }, firefox, 'direct'],
  ['Opus in Ogg', { ending: '.opus', video: null, audio: [{ index: 0, codec: 'opus' }] }, safari, 'convert_sound .m4a'],
  ['a file that was never read', { ending: '.mp4', video: null, audio: [] }, safari, 'direct'],
])('%s', (_, file, can, expected) => {
  const choice = choosePlayback(file, can);
  expect('copy' in choice ? `${choice.method} ${choice.copy.ending}` : choice.method).toBe(expected);
});

test('names the profile, the size and the container that a browser does not play, and what helps', () => {
  expect(choosePlayback(film('.mp4', high10, 'aac'), firefox).reasons).toEqual([
    { id: 'playback.video', params: { codec: 'H.264 (High 10, 10 bit)' } },
    { id: 'playback.nothing-left' },
  ]);
  const small = { ...safari, video: [{ ...entry('avc1.640028', 'mp4'), max_height: 720 }] };
  expect(choosePlayback(film('.mp4', h264, 'aac'), small).reasons[0]).toEqual({
    id: 'playback.size',
    params: { codec: 'H.264', most: 720, height: 1080 },
  });
  expect(choosePlayback(film('.mkv', h264, 'aac'), safari).reasons).toEqual([
    { id: 'playback.codec-in-container', params: { codec: 'H.264', name: 'MKV' } },
    { id: 'playback.repacked', params: { name: 'MP4' } },
  ]);
});

test('another sound track plays from a copy, and a portrait counts by its width', () => {
  const two = film('.mp4', h264, 'aac', 'ac3');
  expect(choosePlayback(two, firefox, { track: 2 })).toMatchObject({ method: 'convert_sound', copy: { track: 2 } });
  expect(choosePlayback(film('.mp4', h264, 'aac', 'aac'), firefox, { track: 2 })).toMatchObject({
    method: 'repack',
    copy: { track: 2 },
  });
  const portrait = { ...two, video: { ...two.video!, width: 1080, height: 1920 } };
  const upTo1080 = { ...firefox, video: [{ ...entry('avc1.640028', 'mp4'), max_height: 1080 }] };
  expect(choosePlayback(portrait, upTo1080).method).toBe('direct');
});

test('HDR plays on every screen, with a note where the screen is not HDR', () => {
  const file = film('.mp4', h264, 'aac');
  file.video!.format!.dynamicRange = 'pq';
  expect(choosePlayback(file, safari)).toEqual({ method: 'direct', reasons: [] });
  expect(choosePlayback(file, firefox)).toEqual({ method: 'direct', reasons: [{ id: 'playback.hdr' }] });
});

test('after a failure the next method is chosen, and then none', () => {
  const file = film('.webm', vp9, 'opus');
  const after = (...failed: TriedMethod[]) => choosePlayback(file, firefox, { failed });
  expect(after('direct')).toMatchObject({ method: 'repack', copy: { ending: '.mp4' } });
  expect(after('direct', 'repack')).toMatchObject({ method: 'convert_sound' });
  expect(ids(after('direct', 'repack', 'convert_sound'))).toEqual([
    'playback.file-failed',
    'playback.repack-failed',
    'playback.convert-failed',
    'playback.nothing-left',
  ]);
});

const subset = <T>(all: T[]) => fc.subarray(all);
const anyFile = fc
  .record({
    ending: fc.constantFrom(...endings.map(([ending]) => ending)),
    picture: fc.option(fc.constantFrom(...pictures)),
    height: fc.constantFrom(144, 1080, 2160, 4320),
    audio: fc.array(fc.constantFrom(...sounds), { maxLength: 3 }),
    dynamicRange: fc.constantFrom('sdr', 'pq', 'hlg'),
  })
  .filter(({ picture, audio }) => picture !== null || audio.length > 0)
  .map(({ ending, picture, height, audio, dynamicRange }) => ({
    ending,
    picture,
    height,
    sounds: audio,
    file: {
      ending,
      video: picture && {
        codec: picture[0],
        width: 8000,
        height,
        format: { profile: picture[1], bitDepth: picture[2], dynamicRange },
      },
      audio: audio.map(([codec], place) => ({ index: place + 1, codec })),
    } as MediaFormat,
  }));
const containers = subset<MediaContainer>(['mp4', 'webm', 'x-matroska', 'ogg', 'mpeg']);
const anyBrowser: fc.Arbitrary<Capabilities> = fc.record({
  video: fc.array(
    fc.record(
      { codec: fc.constantFrom(...pictures.map((one) => one[3])), containers, max_height: fc.constantFrom(480, 1080, 2160) },
      { requiredKeys: ['codec', 'containers'] },
    ),
    { maxLength: 12 },
  ),
  audio: fc.array(fc.record({ codec: fc.constantFrom(...sounds.map((one) => one[1])), containers }), { maxLength: 8 }),
  hdr: fc.boolean(),
  hls: fc.boolean(),
});
const anyFailed = subset<TriedMethod>(['direct', 'repack', 'convert_sound']);

test('never chooses what the browser denies or what failed, and gives a reason for everything but the file itself', () => {
  fc.assert(
    fc.property(anyFile, anyBrowser, anyFailed, fc.integer({ min: 0, max: 3 }), (known, can, failed, pick) => {
      const track = pick > 0 && pick <= known.sounds.length ? pick : undefined;
      const choice = choosePlayback(known.file, can, { track, failed });
      if (choice.method !== 'direct') expect(choice.reasons.length).toBeGreaterThan(0);
      if (choice.method === 'none') return;
      expect(failed).not.toContain(choice.method);
      if (choice.method === 'direct') expect(track ?? 1).toBe(1);
      const sound = known.sounds[(track ?? 1) - 1];
      const container = containerOf['copy' in choice ? choice.copy.ending : known.ending];
      const plays = (all: Capabilities['video'], codec: string, height = 0) =>
        all.some(
          (one) =>
            one.codec === codec && one.containers.includes(container as MediaContainer) && (one.max_height ?? Infinity) >= height,
        );
      expect(container).not.toBeNull();
      if (known.picture) expect(plays(can.video, known.picture[3], known.height)).toBe(true);
      const audio = choice.method === 'convert_sound' ? 'mp4a.40.2' : sound?.[1];
      if (audio) expect(plays(can.audio, audio)).toBe(true);
      if ('copy' in choice) expect(choice.copy.track).toBe(sound ? (track ?? 1) : null);
    }),
    { numRuns: 5000 },
  );
});

test('a browser that can play more plays at least as directly', () => {
  const rank = ['direct', 'repack', 'convert_sound', 'none'];
  fc.assert(
    fc.property(anyFile, anyBrowser, anyBrowser, (known, can, more) => {
      const both = { ...can, video: [...can.video, ...more.video], audio: [...can.audio, ...more.audio] };
      const of = (browser: Capabilities) => rank.indexOf(choosePlayback(known.file, browser).method);
      expect(of(both)).toBeLessThanOrEqual(of(can));
    }),
  );
});

const copy: SmallCopy = { width: 854, height: 480 };

test.each<[string, MediaFormat, Capabilities, Parameters<typeof choosePlayback>[2], string]>([
  ['AV1 without a decoder', film('.mp4', av1, 'aac'), safari, {}, 'small'],
  ['H.264 of 10 bit without sound', film('.mkv', high10), firefox, {}, 'small'],
  ['a file that plays', film('.mp4', h264, 'aac'), safari, {}, 'direct'],
  ['a file whose streams play in another container', film('.mkv', h264, 'aac'), safari, {}, 'repack'],
  ['a file whose picture plays with another sound', film('.mp4', h264, 'ac3'), safari, {}, 'convert_sound'],
  ['the same where the server cannot make copies', film('.mp4', h264, 'ac3'), safari, { impossible: ['convert_sound'] }, 'small'],
  ['a file that failed, and its copies', film('.mp4', h264, 'aac'), safari, { failed: ['direct', 'convert_sound'] }, 'small'],
  ['a browser without AAC', film('.mp4', av1, 'aac'), { ...safari, audio: [] }, {}, 'none'],
  ['a browser without AAC, of a silent video', film('.mp4', av1), { ...safari, audio: [] }, {}, 'small'],
  [
    'a browser of few pixels',
    film('.mp4', av1),
    { ...safari, video: [{ ...entry(h264[3], 'mp4'), max_height: 360 }] },
    {},
    'none',
  ],
  ['another sound than the first', film('.mp4', av1, 'aac', 'aac'), safari, { track: 2 }, 'none'],
  ['a copy that failed', film('.mp4', av1, 'aac'), safari, { failed: ['small'] }, 'none'],
])('with a compatible copy: %s', (_, file, can, options, expected) => {
  expect(choosePlayback(file, can, { ...options, small: copy }).method).toBe(expected);
});

test('says why the compatible copy plays, with the shorter side of its picture, or that it failed', () => {
  const file = film('.mp4', av1, 'aac');
  const why = { id: 'playback.video', params: { codec: 'AV1' } };
  for (const small of [copy, { width: 480, height: 854 }])
    expect(choosePlayback(file, safari, { small }).reasons).toEqual([why, { id: 'playback.small', params: { height: 480 } }]);
  expect(ids(choosePlayback(file, safari, { small: copy, failed: ['small'] }))).toEqual([
    'playback.video',
    'playback.small-failed',
    'playback.nothing-left',
  ]);
});

test('a compatible copy changes only what would not play, and plays where the browser says that it can', () => {
  const anyCopy = fc.record({ width: fc.constantFrom(320, 640, 1280), height: fc.constantFrom(360, 720, 1280) });
  const anyFailures = subset<TriedMethod>(['direct', 'repack', 'convert_sound', 'small']);
  fc.assert(
    fc.property(anyFile, anyBrowser, anyFailures, anyCopy, fc.integer({ min: 0, max: 3 }), (known, can, failed, small, pick) => {
      const track = pick > 0 && pick <= known.sounds.length ? pick : undefined;
      const without = choosePlayback(known.file, can, { track, failed });
      const choice = choosePlayback(known.file, can, { track, failed, small });
      const plays = (all: Capabilities['video'], codec: string, height = 0) =>
        all.some((one) => one.codec === codec && one.containers.includes('mp4') && (one.max_height ?? Infinity) >= height);
      const isPossible =
        (track ?? 1) === 1 &&
        !failed.includes('small') &&
        plays(can.video, 'avc1.640028', Math.min(small.width, small.height)) &&
        (known.sounds.length === 0 || plays(can.audio, 'mp4a.40.2'));
      if (without.method !== 'none' || !isPossible) {
        expect(choice).toEqual(without);
        return;
      }
      expect(choice.method).toBe('small');
      expect(ids(choice).at(-1)).toBe('playback.small');
    }),
    { numRuns: 5000 },
  );
});

const heights = [720, 480, 360];
const withHls = (can: Capabilities) => ({ ...can, hls: true });

test.each<[string, MediaFormat, Capabilities, Parameters<typeof choosePlayback>[2], string]>([
  ['AV1 without a decoder', film('.mp4', av1, 'aac'), withHls(safari), {}, 'hls'],
  ['MPEG-4 in AVI', film('.avi', pictures.at(-1)!, 'mp3'), withHls(firefox), {}, 'hls'],
  ['another sound than the first', film('.mp4', av1, 'aac', 'aac'), withHls(safari), { track: 2, small: copy }, 'hls'],
  ['a file that plays', film('.mp4', h264, 'aac'), withHls(safari), {}, 'direct'],
  ['a file with a copy', film('.mkv', h264, 'aac'), withHls(safari), {}, 'repack'],
  ['a compatible copy', film('.mp4', av1, 'aac'), withHls(safari), { small: copy }, 'small'],
  ['a compatible copy that failed', film('.mp4', av1, 'aac'), withHls(safari), { small: copy, failed: ['small'] }, 'hls'],
  [
    'a file and a copy that failed',
    film('.webm', vp9, 'opus'),
    withHls(firefox),
    { failed: ['direct', 'repack', 'convert_sound'] },
    'hls',
  ],
  ['a browser without HLS', film('.mp4', av1, 'aac'), safari, {}, 'none'],
  ['a server that cannot encode it', film('.mp4', av1, 'aac'), withHls(safari), { heights: [] }, 'none'],
  ['a conversion that failed', film('.mp4', av1, 'aac'), withHls(safari), { failed: ['hls'] }, 'none'],
  ['a conversion that is impossible', film('.mp4', av1, 'aac'), withHls(safari), { impossible: ['hls'] }, 'none'],
])('encoding while watching: %s', (_, file, can, options, expected) => {
  expect(choosePlayback(file, can, { heights, ...options }).method).toBe(expected);
});

test('encodes in the largest height, or the wanted one, and says so', () => {
  const file = film('.mp4', av1, 'aac');
  expect(choosePlayback(file, withHls(safari), { heights })).toEqual({
    method: 'hls',
    height: 720,
    track: 1,
    reasons: [
      { id: 'playback.video', params: { codec: 'AV1' } },
      { id: 'playback.hls', params: { height: 720 } },
    ],
  });
  const plain = film('.mp4', h264, 'aac');
  const wanting = (height: number, more = {}) => choosePlayback(plain, withHls(firefox), { heights, height, ...more });
  for (const [wanted, height] of [
    [480, 480],
    [500, 480],
    [100, 360],
    [2160, 720],
  ])
    expect(wanting(wanted!)).toEqual({
      method: 'hls',
      height,
      track: 1,
      reasons: [
        { id: 'playback.height', params: { height: wanted } },
        { id: 'playback.hls', params: { height } },
      ],
    });
  // The compatible copy costs no encoding, if it is no worse than what was wanted.
  expect(wanting(480, { small: copy }).method).toBe('small');
  expect(wanting(720, { small: copy }).method).toBe('hls');
  expect(wanting(360, { small: copy }).method).toBe('hls');
  expect(choosePlayback(plain, firefox, { heights, height: 480 })).toEqual({ method: 'direct', reasons: [] });
});

test('encoding changes only what would not play, unless a height was chosen', () => {
  const anyHeights = fc.subarray(heights);
  const anyFailures = subset<TriedMethod>(['direct', 'repack', 'convert_sound', 'small', 'hls']);
  const anyWish = fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined });
  fc.assert(
    fc.property(anyFile, anyBrowser, anyFailures, anyHeights, anyWish, (known, can, failed, offered, height) => {
      const without = choosePlayback(known.file, can, { failed });
      const choice = choosePlayback(known.file, can, { failed, heights: offered, height });
      const isPossible = can.hls && known.picture !== null && offered.length > 0 && !failed.includes('hls');
      if (!isPossible || (without.method !== 'none' && height === undefined)) {
        expect(choice).toEqual(without);
        return;
      }
      expect(choice).toMatchObject({ method: 'hls', track: known.sounds.length > 0 ? 1 : null });
      const chosen = (choice as { height: number }).height;
      expect(offered).toContain(chosen);
      if (height !== undefined && offered.some((one) => one <= height)) expect(chosen).toBeLessThanOrEqual(height);
    }),
    { numRuns: 5000 },
  );
});
