import { expect, test } from 'vitest';
import type { AudioTrack } from '#contract/rendition.ts';
import { trackFor, wantedOf } from './sound-wish.ts';

const track = (index: number, language: string | null, is_default = false): AudioTrack => ({
  index,
  language,
  title: null,
  codec: 'aac',
  channels: 2,
  is_default,
});
const [english, german, brazilian] = [track(1, 'en', true), track(2, 'de'), track(3, 'pt-BR')];
const film = { streams: ['video', 'audio', 'audio', 'audio'].map((type, index) => ({ type, index, codec: 'x', bitrate: 0 })) };
const tracks = [english, german, brazilian];
const wanted = (liked: Partial<Parameters<typeof wantedOf>[2]>, from = tracks, video = film) =>
  wantedOf(video as never, from, { isSoundOnly: false, audio: null, picked: null, ...liked });

test('the language that is liked is heard where a file has it; else what the file plays by itself', () => {
  expect(trackFor(tracks, { audio: 'de', picked: null })).toBe(german);
  expect(trackFor(tracks, { audio: 'pt', picked: null })).toBe(brazilian);
  expect(trackFor(tracks, { audio: 'fr', picked: null })).toBeNull();
  expect(trackFor(tracks, { audio: 'de', picked: 3 })).toBe(brazilian);
  const commentary = [track(1, 'en'), track(2, 'en', true)];
  expect(trackFor(commentary, { audio: 'en', picked: null })).toBe(commentary[1]);
  expect(trackFor([], { audio: 'de', picked: 1 })).toBeNull();
});

test('something else than the file is asked for only where it is needed', () => {
  expect(wanted({})).toBeNull();
  expect(wanted({ audio: 'en' })).toBeNull();
  expect(wanted({ audio: 'de' })).toEqual({ picture: true, track: 2 });
  expect(wanted({ isSoundOnly: true })).toEqual({ picture: false });
  expect(wanted({ isSoundOnly: true, audio: 'de' })).toEqual({ picture: false, track: 2 });
  // Browsers play the first sound, whatever the file calls its default.
  const second = [track(1, 'en'), track(2, 'de', true)];
  expect(wanted({ audio: 'de' }, second)).toEqual({ picture: true, track: 2 });
  // What is only sound plays as it is.
  const only = { streams: film.streams.slice(1, 2) };
  expect(wanted({ isSoundOnly: true }, [english], only)).toBeNull();
});
