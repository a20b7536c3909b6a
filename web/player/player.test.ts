import { expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { helpsToRemux, whatCannotPlay } from './can-play.ts';
import { choicesOf } from './choices.ts';
import { keyName } from './key-name.ts';
import { segmentAt, segmentsOf, type Segment } from './segments.ts';
import { nextRate, rates } from './rates.ts';
import { rememberedOf } from './remembered.ts';
import { secondsOf } from './time-stamp.ts';

test('speeds go from step to step, and stop at the ends', () => {
  expect(nextRate(1, 1)).toBe(1.25);
  expect(nextRate(1, -1)).toBe(0.75);
  expect(nextRate(3, 1)).toBe(3);
  expect(nextRate(0.25, -1)).toBe(0.25);
  expect(rates).toHaveLength(12);
});

test.each(['', null, [], { volume: 7, rate: 99, isMuted: 'yes' }, 'not an object'])('strange memories (%j) are none', (found) =>
  expect(rememberedOf(found)).toEqual({ volume: 1, isMuted: false, rate: 1 }),
);

test.each([
  ['90', 90],
  ['1:30', 90],
  ['1:01:05', 3665],
  ['1h2m3s', 3723],
  ['45s', 45],
  ['', null],
  ['soon', null],
  ['-4', null],
])('the time %j in an address means %s s', (text, seconds) => expect(secondsOf(text)).toBe(seconds));

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  keyName({ key, code: '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });

test('keys are known by what they write, and by their place where that is another script', () => {
  expect(press('k')).toBe('k');
  expect(press('K')).toBe('k'); // caps lock
  expect(press('N', { shiftKey: true })).toBe('Shift+n');
  expect(press('<', { shiftKey: true })).toBe('<');
  expect(press('л', { code: 'KeyK' })).toBe('k');
  expect(press('Ю', { code: 'Period', shiftKey: true })).toBe('>');
  expect(press('٣', { code: 'Digit3' })).toBe('3');
  expect(press('c', { ctrlKey: true })).toBeNull();
  expect(press('k', { metaKey: true })).toBeNull();
  expect(press('ArrowRight', { ctrlKey: true })).toBe('Chapter+ArrowRight');
});

test('which parts are left out is the person’s choice, whatever the server says of those of other kinds', () => {
  const part = (category: string, actionType: string, from: number) => ({
    UUID: `${category}${from}`,
    category,
    actionType,
    segment: [from, from + 5],
    videoDuration: 60,
    votes: 1,
    locked: 0,
  });
  const segments = [part('intro', 'none', 20), part('sponsor', 'skip', 10), part('outro', 'none', 30)];
  const video = { player: { duration: 60 }, sponsorblock: { is_enabled: true, last_refresh: 1, segments } } as never;
  expect(segmentsOf(video, { outro: 'off' }).map(({ id }) => id)).toEqual(['sponsor10', 'intro20']);
});

const segment: Segment = { id: 's', category: 'sponsor', start: 10, end: 20 };
test.each([
  ['comes to its start', 9.9, 10.1, true],
  ['comes to it fast', 9.5, 10.7, true],
  ['jumps to its start', 50, 10.2, true],
  ['jumps into its middle', 50, 15, false],
  ['plays on in its middle', 15, 15.1, false],
  ['has left it', 19.9, 20, false],
])('who %s (%d → %d) leaves a part out: %s', (_, before, now, isLeft) =>
  expect(segmentAt([segment], before, now) !== null).toBe(isLeft),
);

const film = (name: string, ...codecs: [string, string][]) =>
  ({
    media_url: `/youtube/c/${name}`,
    streams: codecs.map(([type, codec], index) => ({ type, codec, index, bitrate: 0 })),
  }) as Video;
const plays =
  (...known: string[]) =>
  (type: string) =>
    known.some((one) => (type.split('codecs=')[1] ?? type).includes(one));

test('what a browser cannot play is named, and packing anew is offered only where it helps', () => {
  const odd = film('a.mkv', ['video', 'h264'], ['audio', 'aac']);
  const usual = plays('avc1', 'mp4a', 'video/mp4');
  expect(whatCannotPlay(film('a.mp4', ['video', 'h264'], ['audio', 'aac']), usual)).toBeNull();
  expect(whatCannotPlay(odd, usual)).toEqual({ what: 'container', name: 'mkv' });
  expect(helpsToRemux(odd, usual)).toBe(true);
  const hevc = film('a.mkv', ['video', 'hevc'], ['audio', 'aac']);
  expect(whatCannotPlay(hevc, usual)).toEqual({ what: 'codec', name: 'hevc' });
  expect(helpsToRemux(hevc, usual)).toBe(false);
  expect(whatCannotPlay(film('a.webm', ['video', 'ffv1']), usual)).toEqual({ what: 'codec', name: 'ffv1' });
});

test('choices that are none become what they are without one', () => {
  expect(choicesOf({ keys: 'sometimes', skips: { intro: 'ask', sponsor: 'never' }, captionSize: 7, autoplay: 4 })).toMatchObject({
    keys: 'everywhere',
    skips: { intro: 'ask' },
    captionSize: 100,
    autoplay: null,
  });
});
