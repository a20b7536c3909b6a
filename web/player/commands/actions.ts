import { t } from '@lingui/core/macro';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { durationText, percentText } from '#web/format/numbers.ts';
import { copyText } from '#web/ui/copy-text.ts';
import { pathOfVideo } from '#web/api/paths.ts';
import { middleOfAdjacentFrame } from './frame-rate.ts';
import { castState } from '../state/google-cast.ts';
import { nextRate } from './rates.ts';
import { showStatus } from '../state/status-message.ts';
import { saveScreenshot } from './screenshot.ts';
import { setMiniPlayer, playerStore } from '../state/player-store.ts';

// Player commands. Each one shows a short status message.

// The duration is NaN until the metadata is loaded; until then `currentTime` is where playback will start.
const clamp = (seconds: number, video: HTMLVideoElement) => Math.max(0, Math.min(seconds, video.duration || Infinity));

export function togglePaused(video: HTMLVideoElement) {
  if (video.paused) {
    void video.play().catch(() => {}); // the element reports playback errors itself
    showStatus(t`Play`);
  } else {
    video.pause();
    showStatus(t`Pause`);
  }
}

export function seekToTime(video: HTMLVideoElement, seconds: number) {
  video.currentTime = clamp(seconds, video);
  showStatus(durationText(video.currentTime));
}

export function seekBy(video: HTMLVideoElement, seconds: number) {
  video.currentTime = clamp(video.currentTime + seconds, video);
  const distance = Math.abs(seconds);
  showStatus(seconds < 0 ? t`−${distance} s` : t`+${distance} s`);
}

/** Steps to the middle of the adjacent frame, so that rounding cannot show the current one again. */
export async function stepFrame(video: HTMLVideoElement, step: 1 | -1) {
  if (!video.paused) return;
  const middle = await middleOfAdjacentFrame(video, step);
  if (middle === null) return;
  video.currentTime = clamp(middle, video);
  showStatus(step === 1 ? t`Next frame` : t`Previous frame`);
}

export function setRate(video: HTMLVideoElement, rate: number) {
  video.playbackRate = rate;
  if (video.playbackRate === rate) showStatus(t`Speed ${rate}×`);
}
export const changeRate = (video: HTMLVideoElement, step: 1 | -1) => setRate(video, nextRate(video.playbackRate, step));

export function changeVolume(video: HTMLVideoElement, step: 1 | -1) {
  video.volume = Math.max(0, Math.min(1, Math.round(video.volume * 20 + step) / 20));
  if (step === 1) video.muted = false;
  showStatus(t`Volume ${percentText(video.volume)}`);
}

export function toggleMuted(video: HTMLVideoElement) {
  video.muted = !video.muted;
  showStatus(video.muted ? t`Muted` : t`Unmuted`);
}

/** Next chapter, or back: to the start of the current chapter if more than 3 s of it have played, else to the previous one. Returns whether there is one. */
export function goToChapter(video: HTMLVideoElement, { chapters }: Video, step: 1 | -1): boolean {
  const now = video.currentTime;
  const chapter =
    step === 1 ? chapters.find(({ start }) => start > now + 0.1) : chapters.findLast(({ start }) => start < now - 3);
  if (!chapter) return false;
  video.currentTime = chapter.start;
  showStatus(chapter.title);
  return true;
}

export function toggleTheater() {
  const isTheater = !playerStore.get().isTheater;
  playerStore.set({ isTheater });
  showStatus(isTheater ? t`Theater mode` : t`Theater mode off`);
}

export function toggleMiniPlayer() {
  const { isMini, hasSlot } = playerStore.get();
  if (isMini && !hasSlot) return;
  setMiniPlayer(!isMini);
  showStatus(isMini ? t`Mini player off` : t`Mini player on`);
}

type IosVideo = HTMLVideoElement & { webkitEnterFullscreen?(): void };

/** Toggles full screen. `onError` receives the error message. */
export async function toggleFullscreen(video: HTMLVideoElement, frame: HTMLElement, onError: (sentence: string) => void) {
  if (document.fullscreenElement) {
    await document.exitFullscreen().catch(() => onError(t`Unable to exit fullscreen`));
    return;
  }
  try {
    // iPhones support full screen only in their native player.
    if ('requestFullscreen' in frame) await frame.requestFullscreen();
    else (video as IosVideo).webkitEnterFullscreen!();
  } catch {
    onError(t`Unable to enter fullscreen`);
  }
}

export async function togglePictureInPicture(video: HTMLVideoElement) {
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture();
    else await video.requestPictureInPicture();
  } catch {
    showStatus(t`Picture-in-picture is not available in this browser`);
  }
}

/** URL of the video at a second, up to another one. */
export const linkAt = (video: Pick<Video, 'youtube_id'>, seconds: number, end?: number) =>
  addressOf(`${pathOfVideo(video)}?t=${Math.floor(seconds)}${end === undefined ? '' : `&end=${Math.ceil(end)}`}`);

export async function copyLink(item: Video, { currentTime: seconds }: HTMLVideoElement) {
  const text = linkAt(item, seconds);
  const isCopied = await copyText(text);
  showStatus(isCopied ? t`Link copied: ${durationText(seconds)}` : t`The browser blocked copying: ${text}`);
}

export const takeScreenshot = (item: Video, video: HTMLVideoElement) =>
  castState.get().name !== null
    ? showStatus(t`Not available while casting`)
    : saveScreenshot(video, `${item.youtube_id} ${durationText(video.currentTime).replaceAll(':', '.')}.png`);

/** Seeks without a status message. */
export const seekSilently = (video: HTMLVideoElement, seconds: number) => void (video.currentTime = seconds);
