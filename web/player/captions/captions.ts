import { t } from '@lingui/core/macro';
import { decimalText, percentText } from '#web/format/numbers.ts';
import { captionSizes, preferences, setPreferences } from '../state/player-preferences.ts';
import { showStatus } from '../state/status-message.ts';
import { createStore } from '#web/ui/create-store.ts';

/** Delay of the captions in tenths of a second. Applies to the current video only. */
export const captionOffset = createStore({ tenths: 0 });

export const captionTracks = (video: HTMLVideoElement) =>
  [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions');

const visibleTrack = (video: HTMLVideoElement) => captionTracks(video).find(({ mode }) => mode === 'showing');

/** Shows one captions track, or none. */
function showCaptions(video: HTMLVideoElement, track: TextTrack | null) {
  for (const one of captionTracks(video)) one.mode = one === track ? 'showing' : 'disabled';
}

/** Shows captions in the language last used, if the video has it. */
function showPreferredCaptions(video: HTMLVideoElement) {
  const language = preferences().captions;
  showCaptions(video, language === null ? null : (captionTracks(video).find(({ language }) => language === language) ?? null));
}

/** Shows captions or none, and stores the choice. */
export function selectCaptions(video: HTMLVideoElement, track: TextTrack | null) {
  showCaptions(video, track);
  setPreferences({ captions: track?.language ?? null });
  showStatus(track ? t`Captions: ${track.label}` : t`Captions off`);
}

/** Cycles through the languages and off; −1 reverses the order. The language of the browser comes first. */
export function cycleCaptions(video: HTMLVideoElement, step: 1 | -1) {
  const tracks = captionTracks(video);
  if (tracks.length === 0) return showStatus(t`This video has no captions`);
  const isMine = ({ language }: TextTrack) => navigator.language.startsWith(language);
  const options = [null, ...tracks.toSorted((a, b) => Number(isMine(b)) - Number(isMine(a)))];
  const at = options.indexOf(visibleTrack(video) ?? null);
  selectCaptions(video, options[(at + step + options.length) % options.length] ?? null);
}

export function resizeCaptions(step: 1 | -1) {
  const at = captionSizes.indexOf(preferences().captionSize as (typeof captionSizes)[number]) + step;
  const size = captionSizes[Math.max(0, Math.min(at, captionSizes.length - 1))]!;
  setPreferences({ captionSize: size });
  showStatus(t`Captions: ${percentText(size / 100)}`);
}

// Times of each cue before they were shifted.
const originalTimes = new WeakMap<TextTrackCue, { start: number; end: number }>();

function shiftCues(track: TextTrack, tenths: number) {
  for (const cue of track.cues ?? []) {
    const at = originalTimes.get(cue) ?? { start: cue.startTime, end: cue.endTime };
    originalTimes.set(cue, at);
    cue.startTime = Math.max(0, at.start + tenths / 10);
    cue.endTime = Math.max(0, at.end + tenths / 10);
  }
}

/** Shifts captions by a tenth of a second. */
export function shiftCaptions(video: HTMLVideoElement, step: 1 | -1) {
  const tenths = captionOffset.get().tenths + step;
  captionOffset.set({ tenths });
  for (const track of captionTracks(video)) shiftCues(track, tenths);
  const seconds = decimalText(Math.abs(tenths) / 10, 1);
  showStatus(tenths === 0 ? t`Captions in sync` : tenths > 0 ? t`Captions ${seconds} s later` : t`Captions ${seconds} s earlier`);
}

/** Shows captions as last used, without delay. Returns a cleanup function. */
export function startCaptions(video: HTMLVideoElement, _id: string): () => void {
  captionOffset.set({ tenths: 0 });
  const showPreferred = () => showPreferredCaptions(video);
  showPreferred();
  // WebKit resets the tracks when it starts to load a file.
  video.addEventListener('loadedmetadata', showPreferred);
  // Cues that load later get the same delay.
  const onLoad = ({ target }: Event) => {
    const { tenths } = captionOffset.get();
    if (target instanceof HTMLTrackElement && tenths !== 0) shiftCues(target.track, tenths);
  };
  video.addEventListener('load', onLoad, { capture: true });
  return () => {
    video.removeEventListener('loadedmetadata', showPreferred);
    video.removeEventListener('load', onLoad, { capture: true });
  };
}

// PlayerView.module.css lifts captions where styles reach their container; Firefox has no such container.
const isLiftedByStyle = () => CSS.supports('selector(video::-webkit-media-text-track-container)');
const controlsLines = 4;

/** Lifts captions above the visible controls. Returns a cleanup function. */
export function liftCaptions(video: HTMLVideoElement): () => void {
  if (isLiftedByStyle()) return () => {};
  const tracks = captionTracks(video);
  const draw = (line: number | 'auto') => () => {
    for (const track of tracks) for (const cue of track.activeCues ?? []) (cue as VTTCue).line = line;
  };
  const lift = draw(-controlsLines);
  lift();
  for (const track of tracks) track.addEventListener('cuechange', lift);
  return () => {
    for (const track of tracks) track.removeEventListener('cuechange', lift);
    draw('auto')();
  };
}

/** Styles captions with a constructed style sheet. Returns a cleanup function. */
export function styleCaptions({ size, colour, ground }: { size: number; colour: string; ground: string }): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`[data-player] video::cue { font-size: ${size}%; color: ${colour}; background-color: ${ground}; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => void (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet));
}
