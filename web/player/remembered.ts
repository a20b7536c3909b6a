import { television } from './google-cast.ts';
import { fieldsOf, keep, parseKept, readKept } from '#web/ui/kept.ts';

const kept = 'reelkeep.player';

interface Remembered {
  volume: number;
  isMuted: boolean;
  rate: number;
}

/** Volume and speed as they were left; anything strange counts as nothing kept. */
export function rememberedOf(found: unknown): Remembered {
  const { volume, isMuted, rate } = fieldsOf(found);
  return {
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : 1,
    isMuted: isMuted === true,
    rate: typeof rate === 'number' && rate >= 0.25 && rate <= 3 ? rate : 1,
  };
}

/** Sets a player as it was left, and keeps what is changed. Answers what ends that. */
export function remember(video: HTMLVideoElement): () => void {
  const { volume, isMuted, rate } = parseKept(readKept(kept), rememberedOf);
  video.volume = volume;
  video.muted = isMuted;
  video.defaultPlaybackRate = rate;
  video.playbackRate = rate;
  // A new file begins at this speed as well.
  const keepNow = () => {
    if (television.get().name !== null) return; // that is the television's
    const now: Remembered = { volume: video.volume, isMuted: video.muted, rate: video.playbackRate };
    keep(kept, JSON.stringify(now));
  };
  const keepRate = () => {
    video.defaultPlaybackRate = video.playbackRate;
    keepNow();
  };
  video.addEventListener('volumechange', keepNow);
  video.addEventListener('ratechange', keepRate);
  return () => {
    video.removeEventListener('volumechange', keepNow);
    video.removeEventListener('ratechange', keepRate);
  };
}
