import { t } from '@lingui/core/macro';
import type { Video } from '#contract/video.ts';
import { audioSource, originalFile, readyRenditions, switchSource } from './audio-source.ts';

/** Renditions that the server deletes at once, because its disk is full, are not requested forever. */
const mostAttempts = 20;

/**
 * The source cannot be played: falls back from a rendition that the user asked for to the file, else lets the server choose another
 * source. Returns false if there is none. `isGone`: the server has deleted the file; a rendition it may create again.
 */
export function playOtherSource(
  element: HTMLVideoElement,
  video: Video,
  { isGone, ...reached }: { seconds: number; wasPlaying: boolean; isGone: boolean },
): boolean {
  audioSource.set({ reached });
  const { renditionUrl, isAudioOnly, attempt, playback } = audioSource.get();
  if (renditionUrl === null && isGone) return false;
  if (renditionUrl !== null && (isGone || isAudioOnly || !playback)) {
    for (const [key, address] of readyRenditions) if (address === renditionUrl) readyRenditions.delete(key);
    switchSource(element, video, originalFile);
    if (isGone && attempt < mostAttempts) audioSource.set({ attempt: attempt + 1 });
    else audioSource.set({ error: t`This browser can’t play the converted file. Playing the original instead.` });
    return true;
  }
  const method = renditionUrl === null ? 'direct' : playback!.method;
  const failed = audioSource.get().failed ?? [];
  if (method === 'none' || failed.includes(method)) return false;
  audioSource.set({ failed: [...failed, method], attempt: attempt + 1 });
  return true;
}
