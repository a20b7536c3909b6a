import { expect, test } from 'vitest';
import type { AudioTrack } from '#contract/rendition.ts';
import { findAudioTrack, renditionFor } from './pick-audio-track.ts';

const track = (index: number, language: string | null, is_default = false): AudioTrack => ({
  index,
  language,
  title: null,
  kind: null,
  codec: 'aac',
  channels: 2,
  is_default,
});
const [english, german, brazilian] = [track(1, 'en', true), track(2, 'de'), track(3, 'pt-BR')];
const film = { streams: ['video', 'audio', 'audio', 'audio'].map((type, index) => ({ type, index, codec: 'x', bitrate: 0 })) };
const tracks = [english, german, brazilian];
const renditionOf = (preferences: Partial<Parameters<typeof renditionFor>[2]>, from = tracks, video = film) =>
  renditionFor(video as never, from, { isSoundOnly: false, audio: [], pickedTrack: null, ...preferences });

test('finds the track in the preferred language, else the default', () => {
  expect(findAudioTrack(tracks, { audio: ['de'], pickedTrack: null })).toBe(german);
  expect(findAudioTrack(tracks, { audio: ['pt'], pickedTrack: null })).toBe(brazilian);
  expect(findAudioTrack(tracks, { audio: ['fr'], pickedTrack: null })).toBeNull();
  expect(findAudioTrack(tracks, { audio: ['de'], pickedTrack: 3 })).toBe(brazilian);
  // French is preferred, else German.
  expect(findAudioTrack(tracks, { audio: ['fr', 'de', 'en'], pickedTrack: null })).toBe(german);
  const commentary = [track(1, 'en'), track(2, 'en', true)];
  expect(findAudioTrack(commentary, { audio: ['en'], pickedTrack: null })).toBe(commentary[1]);
  expect(findAudioTrack([], { audio: ['de'], pickedTrack: 1 })).toBeNull();
});

test('requests a rendition only where it is needed', () => {
  expect(renditionOf({})).toBeNull();
  expect(renditionOf({ audio: ['en'] })).toBeNull();
  expect(renditionOf({ audio: ['de'] })).toEqual({ picture: true, track: 2 });
  expect(renditionOf({ isSoundOnly: true })).toEqual({ picture: false });
  expect(renditionOf({ isSoundOnly: true, audio: ['de'] })).toEqual({ picture: false, track: 2 });
  // Browsers play the first audio track, regardless of the default flag in the file.
  const second = [track(1, 'en'), track(2, 'de', true)];
  expect(renditionOf({ audio: ['de'] }, second)).toEqual({ picture: true, track: 2 });
  // Audio-only files need no rendition.
  const audioOnly = { streams: film.streams.slice(1, 2) };
  expect(renditionOf({ isSoundOnly: true }, [english], audioOnly)).toBeNull();
});
