import { t } from '@lingui/core/macro';
import type { AudioTrack } from '#contract/rendition.ts';
import type { Video } from '#contract/video.ts';
import { addressOf, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { told } from '#web/api/told.ts';
import { videoQuery } from '#web/video/queries.ts';
import { choices, choose } from './choices.ts';
import { television } from './google-cast.ts';
import { say } from './said.ts';
import { hasSeveralSounds, tracksQuery, wantedOf } from './sound-wish.ts';
import { makeStore } from './store.ts';

// The element plays a video's file, or something that the server made of it: its sound alone, which phones go on playing
// when nobody looks, or its picture with another sound. Whichever it is, it goes on at the same second.

interface Sound {
  /** What plays instead of the file, as the server calls it; null: the file. */
  instead: string | null;
  /** That is the sound alone. */
  isAlone: boolean;
  /** What is wanted is being made. */
  isWaiting: boolean;
  /** Why what is wanted cannot be had, for people. */
  why: string | null;
  /** A sound of this file that was chosen itself. */
  picked: number | null;
  /** Counts, so that it is looked at again. */
  turn: number;
}

const ofFile = { instead: null, isAlone: false };
export const sound = makeStore<Sound>({ ...ofFile, isWaiting: false, why: null, picked: null, turn: 0 });

type Wanted = NonNullable<ReturnType<typeof wantedOf>>;
// What is there already, so that the next video need not begin with its picture.
const made = new Map<string, string>();
const keyOf = ({ media_url: file }: Video, { picture, track }: Wanted) => `${file} ${picture} ${track ?? ''}`;

const likedNow = (picked: number | null) => ({ ...choices(), picked });

/** Asks for what is wanted, once. */
async function askFor(video: Video, wanted: Wanted, signal?: AbortSignal) {
  const answer = await call('POST /api/video/:id/rendition/', {
    params: { id: video.youtube_id },
    body: wanted,
    ...(signal && { signal }),
  });
  if (answer.media_url) made.set(keyOf(video, wanted), answer.media_url);
  return answer;
}

/** What is there of the sounds of a file; they are fetched where that matters. */
const tracksOf = async (video: Video): Promise<AudioTrack[]> =>
  hasSeveralSounds(video) && (choices().audio !== null || sound.get().picked !== null)
    ? queryClient.fetchQuery(tracksQuery(video))
    : [];

/** Has the sound of a video made ready that is likely to be played next. What hinders it is told when it is. */
export async function askAhead(id: string): Promise<void> {
  if (!choices().isSoundOnly) return;
  try {
    const video = await queryClient.fetchQuery({ ...videoQuery(id), staleTime: 60_000 });
    const wanted = wantedOf(video, await tracksOf(video), likedNow(null));
    if (wanted && !made.has(keyOf(video, wanted))) await askFor(video, wanted);
  } catch {
    // it is asked for again when it plays
  }
}

/** Begins a video: with its file, or with what was made of it already. */
export function load(element: HTMLVideoElement, video: Video): void {
  const known = queryClient.getQueryData(tracksQuery(video).queryKey) ?? [];
  const wanted = wantedOf(video, known, likedNow(null));
  const instead = (wanted && made.get(keyOf(video, wanted))) ?? null;
  sound.set({ instead, isAlone: instead !== null && !wanted!.picture, isWaiting: false, why: null, picked: null });
  const address = addressOf(instead ?? video.media_url);
  if (element.getAttribute('src') !== address) element.src = address;
}

/** The element goes on with something else at the same second. */
function change(element: HTMLVideoElement, video: Video, to: Pick<Sound, 'instead' | 'isAlone'>): void {
  if (sound.get().instead === to.instead) return;
  const { currentTime: at, paused: wasPaused } = element;
  sound.set(to);
  element.src = addressOf(to.instead ?? video.media_url);
  element.currentTime = at;
  const stay = () => {
    if (Math.abs(element.currentTime - at) > 1) element.currentTime = at; // who did not keep it
  };
  element.addEventListener('loadedmetadata', stay, { once: true });
  element.addEventListener('emptied', () => element.removeEventListener('loadedmetadata', stay), { once: true });
  if (!wasPaused) void element.play().catch(() => {}); // what hinders it is told by the element itself
}

const until = (element: HTMLVideoElement, event: string, signal: AbortSignal) =>
  new Promise<void>((resolve) => element.addEventListener(event, () => resolve(), { once: true, signal }));
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });

/** Safari lets a page choose among the sounds of a file itself. Answers whether this browser did. */
async function chooseNatively(element: HTMLVideoElement, tracks: AudioTrack[], track: number, signal: AbortSignal) {
  const { audioTracks: own } = element as { audioTracks?: ArrayLike<{ enabled: boolean }> };
  if (!own) return false;
  if (element.readyState === 0) await until(element, 'loadedmetadata', signal);
  if (own.length !== tracks.length) return false;
  const places = tracks.map(({ index }, place) => ({ one: own[place]!, isIt: index === track }));
  for (const { one } of places.filter(({ isIt }) => isIt)) one.enabled = true;
  for (const { one } of places.filter(({ isIt }) => !isIt)) one.enabled = false;
  return true;
}

type Elsewhere = HTMLVideoElement & { webkitCurrentPlaybackTargetIsWireless?: boolean };
const isElsewhere = (element: Elsewhere) =>
  element.remote?.state === 'connected' ||
  element.webkitCurrentPlaybackTargetIsWireless === true ||
  television.get().name !== null;

const askAgainMs = 700;

/** Has the element play what is wanted now; what plays goes on until that is there. */
export async function settle(element: HTMLVideoElement, video: Video, signal: AbortSignal): Promise<void> {
  if (isElsewhere(element)) return; // a television fetches the file by itself
  sound.set({ isWaiting: false, why: null });
  try {
    const tracks = await tracksOf(video);
    if (signal.aborted) return;
    const wanted = wantedOf(video, tracks, likedNow(sound.get().picked));
    const track = wanted?.track ?? tracks.find((one) => one.is_default)?.index;
    if ('audioTracks' in element && track !== undefined && wanted?.picture !== false) {
      change(element, video, ofFile);
      if ((await chooseNatively(element, tracks, track, signal)) || signal.aborted) return;
    }
    if (!wanted) return change(element, video, ofFile);
    for (let answer = await askFor(video, wanted, signal); ; answer = await askFor(video, wanted, signal)) {
      sound.set({ isWaiting: answer.state === 'making' });
      if (answer.media_url) return change(element, video, { instead: answer.media_url, isAlone: !wanted.picture });
      if (answer.state === 'file') return change(element, video, ofFile);
      if (answer.why !== null) return sound.set({ why: told(answer.why, answer.said) });
      await pause(askAgainMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) sound.set({ isWaiting: false, why: (error as Error).message });
  }
}

/** Something else makes the element play the file. */
export const leaveToFile = () => sound.set({ ...ofFile, isWaiting: false });

/**
 * What was made of a file does not play: it goes on with the file. Answers false when it is the file itself that does not.
 * `isGone`: the server has it no longer, and may make it again.
 */
export function backToFile(element: HTMLVideoElement, video: Video, { isGone }: { isGone: boolean }): boolean {
  const { instead, turn } = sound.get();
  if (instead === null) return false;
  for (const [key, address] of made) if (address === instead) made.delete(key);
  change(element, video, ofFile);
  if (isGone) sound.set({ turn: turn + 1 });
  else sound.set({ why: t`This browser cannot play what was made of the file, so the file itself plays.` });
  return true;
}

/** The sound alone, or with its picture again. */
export function toggleSoundOnly() {
  const isSoundOnly = !choices().isSoundOnly;
  choose({ isSoundOnly });
  if (!isSoundOnly) say(t`With the picture`);
}

/** Hears one of the sounds of the file that plays; its language is taken for other videos as well. */
export function pick({ index, language }: AudioTrack) {
  sound.set({ picked: index });
  if (language !== null) choose({ audio: language });
}
