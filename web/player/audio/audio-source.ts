import { t } from '@lingui/core/macro';
import type { Playback, TriedMethod } from '#contract/playback.ts';
import type { AudioTrack } from '#contract/rendition.ts';
import type { Video } from '#contract/video.ts';
import { addressOf, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { videoQuery } from '#web/api/queries/video.ts';
import { preferences, setPreferences } from '../state/player-preferences.ts';
import { castState } from '../state/google-cast.ts';
import { showStatus } from '../state/status-message.ts';
import { isExpectedToPlay } from '../compatibility/can-play.ts';
import { hasMultipleAudioTracks, audioTracksQuery, renditionFor } from './pick-audio-track.ts';
import { createStore } from '#web/ui/create-store.ts';

// The element plays the original file or a rendition of the server: audio only, which phones continue to play in the background,
// or the video with another audio track. Switching keeps the position.

interface AudioSource {
  /** Media URL of the rendition; null: the original file. */
  renditionUrl: string | null;
  /** The rendition has no video. */
  isAudioOnly: boolean;
  /** The server is still creating the requested rendition. */
  isPreparing: boolean;
  /** Error message of the failed request. */
  error: string | null;
  /** Index of the track that the user picked for this file. */
  pickedTrack: number | null;
  /** Incremented to apply the preference again. */
  attempt: number;
  /** Methods of playback that failed for this file; null while the file itself plays, and the server is not asked. */
  failed: TriedMethod[] | null;
  /** The server refuses its conversion, which unlike failures of the browser is not remembered. */
  isRefused: boolean;
  /** Where playback was before the last error. */
  reached: { seconds: number; wasPlaying: boolean };
  /** How the server says that this browser plays the file; null if it was not asked. */
  playback: Playback | null;
  /** Height that the user has chosen for this file; null: its own. */
  height: number | null;
}

export const originalFile = { renditionUrl: null, isAudioOnly: false };
export const audioSource = createStore<AudioSource>({
  ...originalFile,
  isPreparing: false,
  error: null,
  pickedTrack: null,
  attempt: 0,
  failed: null,
  isRefused: false,
  reached: { seconds: 0, wasPlaying: false },
  playback: null,
  height: null,
});

type RenditionRequest = NonNullable<ReturnType<typeof renditionFor>>;
// Renditions that are ready, so that the next video can start with them.
export const readyRenditions = new Map<string, string>();
const keyOf = ({ media_url: file }: Video, { picture, track }: RenditionRequest) => `${file} ${picture} ${track ?? ''}`;

const currentPreference = (pickedTrack: number | null) => ({ ...preferences(), pickedTrack });

/** Requests a rendition once. */
async function requestRendition(video: Video, request: RenditionRequest, signal?: AbortSignal) {
  const answer = await call('POST /api/video/:id/rendition/', {
    params: { id: video.youtube_id },
    body: request,
    ...(signal && { signal }),
  });
  if (answer.media_url) readyRenditions.set(keyOf(video, request), answer.media_url);
  return answer;
}

/** Audio tracks of the file; loaded only if a preference depends on them. */
const loadTracks = async (video: Video): Promise<AudioTrack[]> =>
  hasMultipleAudioTracks(video) && (preferences().audio.length > 0 || audioSource.get().pickedTrack !== null)
    ? queryClient.fetchQuery(audioTracksQuery(video))
    : [];

/** Prepares the rendition of the video that is likely to play next. Errors are reported when it plays. */
export async function prepareAudio(id: string): Promise<void> {
  if (!preferences().isSoundOnly) return;
  try {
    const video = await queryClient.fetchQuery({ ...videoQuery(id), staleTime: 60_000 });
    const request = renditionFor(video, await loadTracks(video), currentPreference(null));
    if (request && !readyRenditions.has(keyOf(video, request))) await requestRendition(video, request);
  } catch {
    // requested again when it plays
  }
}

/** Loads a video: a rendition that is ready, else its file. */
export function loadSource(element: HTMLVideoElement, video: Video): void {
  const known = queryClient.getQueryData(audioTracksQuery(video).queryKey) ?? [];
  const request = renditionFor(video, known, currentPreference(null));
  const instead = (request && readyRenditions.get(keyOf(video, request))) ?? null;
  audioSource.set({
    renditionUrl: instead,
    isAudioOnly: instead !== null && !request!.picture,
    isPreparing: false,
    error: null,
    pickedTrack: null,
    attempt: 0,
    failed: isExpectedToPlay(video) ? null : [],
    isRefused: false,
    playback: null,
    height: null,
  });
  const address = addressOf(instead ?? video.media_url);
  if (element.getAttribute('src') !== address) element.src = address;
}

/** Switches to another source at the same position. `attach` sets it, by default as the address of the element. */
export function switchSource(
  element: HTMLVideoElement,
  video: Video,
  to: Pick<AudioSource, 'renditionUrl' | 'isAudioOnly'>,
  attach: (address: string, at: number) => void = (address) => {
    element.src = address;
  },
): void {
  if (audioSource.get().renditionUrl === to.renditionUrl) return;
  // An error may have reset and paused the element.
  const reached = (element.error || element.networkState === element.NETWORK_EMPTY) && audioSource.get().reached;
  const at = element.currentTime || (reached && reached.seconds) || 0;
  const wasPaused = element.paused && !(reached && reached.wasPlaying);
  audioSource.set(to);
  attach(addressOf(to.renditionUrl ?? video.media_url), at);
  element.currentTime = at;
  const restorePosition = () => {
    if (Math.abs(element.currentTime - at) > 1) element.currentTime = at; // some browsers reset the position
  };
  element.addEventListener('loadedmetadata', restorePosition, { once: true });
  element.addEventListener('emptied', () => element.removeEventListener('loadedmetadata', restorePosition), { once: true });
  if (!wasPaused) void element.play().catch(() => {}); // the element reports playback errors itself
}

const waitForEvent = (element: HTMLVideoElement, event: string, signal: AbortSignal) =>
  new Promise<void>((resolve) => element.addEventListener(event, () => resolve(), { once: true, signal }));
export const delay = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });

/** Safari can select audio tracks natively. Returns whether this browser did. */
async function selectNatively(element: HTMLVideoElement, tracks: AudioTrack[], track: number, signal: AbortSignal) {
  const { audioTracks: own } = element as { audioTracks?: ArrayLike<{ enabled: boolean }> };
  if (!own) return false;
  if (element.readyState === 0) await waitForEvent(element, 'loadedmetadata', signal);
  if (own.length !== tracks.length) return false;
  const entries = tracks.map(({ index }, at) => ({ entry: own[at]!, isSelected: index === track }));
  for (const { entry } of entries.filter(({ isSelected }) => isSelected)) entry.enabled = true;
  for (const { entry } of entries.filter(({ isSelected }) => !isSelected)) entry.enabled = false;
  return true;
}

type RemoteVideo = HTMLVideoElement & { webkitCurrentPlaybackTargetIsWireless?: boolean };
const playsRemotely = (element: RemoteVideo) =>
  element.remote?.state === 'connected' ||
  element.webkitCurrentPlaybackTargetIsWireless === true ||
  castState.get().name !== null;

export const pollMs: number = 700;
const maxLanguages = 5;

/** Switches to the preferred rendition. The current source plays until it is ready. */
export async function applyAudioPreference(element: HTMLVideoElement, video: Video, signal: AbortSignal): Promise<void> {
  if (playsRemotely(element)) return; // a TV loads the file itself
  audioSource.set({ isPreparing: false, error: null });
  try {
    const tracks = await loadTracks(video);
    if (signal.aborted) return;
    const request = renditionFor(video, tracks, currentPreference(audioSource.get().pickedTrack));
    if (audioSource.get().failed && request?.picture !== false) {
      const { playAsServerSays } = await import('./play-as-server-says.ts');
      const source = { audioSource, delay, originalFile, pollMs, switchSource };
      return await playAsServerSays(element, video, request?.track, signal, source);
    }
    const track = request?.track ?? tracks.find((one) => one.is_default)?.index;
    if ('audioTracks' in element && track !== undefined && request?.picture !== false) {
      switchSource(element, video, originalFile);
      if ((await selectNatively(element, tracks, track, signal)) || signal.aborted) return;
    }
    if (!request) return switchSource(element, video, originalFile);
    for (let answer = await requestRendition(video, request, signal); ; answer = await requestRendition(video, request, signal)) {
      audioSource.set({ isPreparing: answer.state === 'making' });
      if (answer.media_url)
        return switchSource(element, video, { renditionUrl: answer.media_url, isAudioOnly: !request.picture });
      if (answer.state === 'file') return switchSource(element, video, originalFile);
      if (answer.why !== null) return audioSource.set({ error: messageText(answer.why_messages, answer.why) });
      await delay(pollMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) audioSource.set({ isPreparing: false, error: (error as Error).message });
  }
}

/** Another module sets the element to the file. */
export const resetToFile = () => audioSource.set({ ...originalFile, isPreparing: false });

export function toggleAudioOnly() {
  const isSoundOnly = !preferences().isSoundOnly;
  setPreferences({ isSoundOnly });
  if (!isSoundOnly) showStatus(t`Video on`);
}

/** Plays another track of the current file, and prefers its language for other videos. */
export function pickTrack({ index, language }: AudioTrack) {
  audioSource.set({ pickedTrack: index });
  if (language !== null) setPreferences({ audio: [...new Set([language, ...preferences().audio])].slice(0, maxLanguages) });
}
