import { t } from '@lingui/core/macro';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { durationText } from '#web/format/numbers.ts';
import { copyText } from '#web/ui/copy.ts';
import { pathOfVideo } from '#web/video/paths.ts';
import { middleOfNext } from './frame-rate.ts';
import { television } from './google-cast.ts';
import { nextRate } from './rates.ts';
import { say } from './said.ts';
import { saveScreenshot } from './screenshot.ts';
import { setInCorner, stage } from './stage.ts';

// What can be done to what plays; each says in a word what it did.

const clamp = (seconds: number, video: HTMLVideoElement) => Math.max(0, Math.min(seconds, video.duration || 0));

export function togglePaused(video: HTMLVideoElement) {
  if (video.paused) {
    void video.play().catch(() => {}); // what hinders it is told by the element itself
    say(t`Play`);
  } else {
    video.pause();
    say(t`Pause`);
  }
}

export function goTo(video: HTMLVideoElement, seconds: number) {
  video.currentTime = clamp(seconds, video);
  say(durationText(video.currentTime));
}

export function goBy(video: HTMLVideoElement, seconds: number) {
  video.currentTime = clamp(video.currentTime + seconds, video);
  const distance = Math.abs(seconds);
  say(seconds < 0 ? t`${distance} s back` : t`${distance} s on`);
}

/** The picture after this one, or before it: to the middle of it, so that no rounding shows this one again. */
export async function stepFrame(video: HTMLVideoElement, step: 1 | -1) {
  if (!video.paused) return;
  const middle = await middleOfNext(video, step);
  if (middle === null) return;
  video.currentTime = clamp(middle, video);
  say(step === 1 ? t`Next picture` : t`Picture before`);
}

export function setRate(video: HTMLVideoElement, rate: number) {
  video.playbackRate = rate;
  if (video.playbackRate === rate) say(t`Speed ${rate}×`);
}
export const changeRate = (video: HTMLVideoElement, step: 1 | -1) => setRate(video, nextRate(video.playbackRate, step));

export function changeVolume(video: HTMLVideoElement, step: 1 | -1) {
  video.volume = Math.max(0, Math.min(1, Math.round(video.volume * 20 + step) / 20));
  if (step === 1) video.muted = false;
  const percent = Math.round(video.volume * 100);
  say(t`Volume ${percent} %`);
}

export function toggleMuted(video: HTMLVideoElement) {
  video.muted = !video.muted;
  say(video.muted ? t`Sound off` : t`Sound on`);
}

/** To the chapter after this one, or back: to its beginning first, then to the one before. */
export function goToChapter(video: HTMLVideoElement, { chapters }: Video, step: 1 | -1) {
  const now = video.currentTime;
  const chapter =
    step === 1 ? chapters.find(({ start }) => start > now + 0.1) : chapters.findLast(({ start }) => start < now - 2);
  if (!chapter) return;
  video.currentTime = chapter.start;
  say(chapter.title);
}

export function toggleTheatre() {
  const isTheatre = !stage.get().isTheatre;
  stage.set({ isTheatre });
  say(isTheatre ? t`Theatre` : t`Theatre off`);
}

export function toggleCorner() {
  const { isInCorner, hasPlace } = stage.get();
  if (isInCorner && !hasPlace) return;
  setInCorner(!isInCorner);
  say(isInCorner ? t`Back on the page` : t`In the corner`);
}

type IosVideo = HTMLVideoElement & { webkitEnterFullscreen?(): void };

/** The whole screen, and back. `fail` says why it was not to be had. */
export async function toggleFullscreen(video: HTMLVideoElement, frame: HTMLElement, fail: (sentence: string) => void) {
  if (document.fullscreenElement) {
    await document.exitFullscreen().catch(() => fail(t`Unable to exit fullscreen`));
    return;
  }
  try {
    // An iPhone knows no full screen but that of its own player.
    if ('requestFullscreen' in frame) await frame.requestFullscreen();
    else (video as IosVideo).webkitEnterFullscreen!();
  } catch {
    fail(t`Unable to enter fullscreen`);
  }
}

export async function togglePictureInPicture(video: HTMLVideoElement) {
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture();
    else await video.requestPictureInPicture();
  } catch {
    say(t`The browser does not show it in a window of its own`);
  }
}

/** The address of a second of a video, as others may open it. */
export const linkAt = (video: Pick<Video, 'youtube_id'>, seconds: number) =>
  addressOf(`${pathOfVideo(video)}?t=${Math.floor(seconds)}`);

export async function copyLink(shown: Video, { currentTime: seconds }: HTMLVideoElement) {
  const text = linkAt(shown, seconds);
  const isCopied = await copyText(text);
  say(isCopied ? t`Link copied: ${durationText(seconds)}` : t`The browser did not let it be copied: ${text}`);
}

export const takeScreenshot = (shown: Video, video: HTMLVideoElement) =>
  television.get().name !== null
    ? say(t`The picture is on the television`)
    : saveScreenshot(video, `${shown.youtube_id} ${durationText(video.currentTime).replaceAll(':', '.')}.png`);

/** To a second, without a word. */
export const jump = (video: HTMLVideoElement, seconds: number) => void (video.currentTime = seconds);
