import { t } from '@lingui/core/macro';
import { decimalText } from '#web/format/numbers.ts';
import { captionSizes, choices, choose } from './choices.ts';
import { say } from './said.ts';
import { makeStore } from './store.ts';

/** How much later than written captions are shown, in tenths of a second; for this video, until it is left. */
export const captionOffset = makeStore({ tenths: 0 });

export const captionTracks = (video: HTMLVideoElement) =>
  [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions');

const shownTrack = (video: HTMLVideoElement) => captionTracks(video).find(({ mode }) => mode === 'showing');

/** Shows captions in a language, or none. */
function showCaptions(video: HTMLVideoElement, track: TextTrack | null) {
  for (const one of captionTracks(video)) one.mode = one === track ? 'showing' : 'disabled';
}

/** Shows them as the person last had them, where this video has the language. */
function showKeptCaptions(video: HTMLVideoElement) {
  const wanted = choices().captions;
  showCaptions(video, wanted === null ? null : (captionTracks(video).find(({ language }) => language === wanted) ?? null));
}

/** Shows captions, or none, and remembers which. */
export function chooseCaptions(video: HTMLVideoElement, track: TextTrack | null) {
  showCaptions(video, track);
  choose({ captions: track?.language ?? null });
  say(track ? t`Captions: ${track.label}` : t`Captions off`);
}

/** The next language, after the last one none; with −1 the other way round. The person's own language comes first. */
export function cycleCaptions(video: HTMLVideoElement, step: 1 | -1) {
  const tracks = captionTracks(video);
  if (tracks.length === 0) return say(t`This video has no captions`);
  const isMine = ({ language }: TextTrack) => navigator.language.startsWith(language);
  const ways = [null, ...tracks.toSorted((a, b) => Number(isMine(b)) - Number(isMine(a)))];
  const at = ways.indexOf(shownTrack(video) ?? null);
  chooseCaptions(video, ways[(at + step + ways.length) % ways.length] ?? null);
}

export function resizeCaptions(step: 1 | -1) {
  const at = captionSizes.indexOf(choices().captionSize as (typeof captionSizes)[number]) + step;
  const size = captionSizes[Math.max(0, Math.min(at, captionSizes.length - 1))]!;
  choose({ captionSize: size });
  say(t`Captions: ${size} %`);
}

// When each cue was written to be shown, before anything was moved.
const written = new WeakMap<TextTrackCue, { start: number; end: number }>();

function place(track: TextTrack, tenths: number) {
  for (const cue of track.cues ?? []) {
    const at = written.get(cue) ?? { start: cue.startTime, end: cue.endTime };
    written.set(cue, at);
    cue.startTime = Math.max(0, at.start + tenths / 10);
    cue.endTime = Math.max(0, at.end + tenths / 10);
  }
}

/** Shows captions a tenth of a second earlier or later. */
export function moveCaptions(video: HTMLVideoElement, step: 1 | -1) {
  const tenths = captionOffset.get().tenths + step;
  captionOffset.set({ tenths });
  for (const track of captionTracks(video)) place(track, tenths);
  const seconds = decimalText(Math.abs(tenths) / 10, 1);
  say(tenths === 0 ? t`Captions on time` : tenths > 0 ? t`Captions ${seconds} s later` : t`Captions ${seconds} s earlier`);
}

/** Shows captions as they were shown last, on time again. Answers what ends that. */
export function beginCaptions(video: HTMLVideoElement, _id: string): () => void {
  captionOffset.set({ tenths: 0 });
  const showKept = () => showKeptCaptions(video);
  showKept();
  // Safari's engine chooses by itself, as a rule none, when it begins to load a file.
  video.addEventListener('loadedmetadata', showKept);
  // A track whose lines have just been read is moved as the others were.
  const onLoad = ({ target }: Event) => {
    const { tenths } = captionOffset.get();
    if (target instanceof HTMLTrackElement && tenths !== 0) place(target.track, tenths);
  };
  video.addEventListener('load', onLoad, { capture: true });
  return () => {
    video.removeEventListener('loadedmetadata', showKept);
    video.removeEventListener('load', onLoad, { capture: true });
  };
}

// Where styles reach the box that captions are drawn in, Frame.module.css lifts it; Firefox has none.
const isLiftedByStyle = () => CSS.supports('selector(video::-webkit-media-text-track-container)');
const linesOfControls = 4;

/** Draws captions above the controls while these are there. Answers what ends that. */
export function liftCaptions(video: HTMLVideoElement): () => void {
  if (isLiftedByStyle()) return () => {};
  const tracks = captionTracks(video);
  const draw = (line: number | 'auto') => () => {
    for (const track of tracks) for (const cue of track.activeCues ?? []) (cue as VTTCue).line = line;
  };
  const lift = draw(-linesOfControls);
  lift();
  for (const track of tracks) track.addEventListener('cuechange', lift);
  return () => {
    for (const track of tracks) track.removeEventListener('cuechange', lift);
    draw('auto')();
  };
}

/** Makes captions look so, by a rule of its own in the page. Answers what takes it away. */
export function styleCaptions({ size, colour, ground }: { size: number; colour: string; ground: string }): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`[data-player] video::cue { font-size: ${size}%; color: ${colour}; background-color: ${ground}; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => void (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet));
}
