// Volume and speed belong to the device somebody sits at, so they are kept in the browser and not on the server.

const key = 'reelkeep.player';

interface Remembered {
  volume: number;
  isMuted: boolean;
  rate: number;
}

/** Reads what was kept; anything strange counts as nothing kept. */
export function readRemembered(text: string | null): Remembered {
  const initial: Remembered = { volume: 1, isMuted: false, rate: 1 };
  try {
    const { volume, isMuted, rate } = JSON.parse(text ?? '{}') as Partial<Remembered>;
    return {
      volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : initial.volume,
      isMuted: isMuted === true,
      rate: typeof rate === 'number' && rate >= 0.25 && rate <= 3 ? rate : initial.rate,
    };
  } catch {
    return initial;
  }
}

/** Sets a player as it was left, and keeps what is changed. Answers what ends that. */
export function remember(video: HTMLVideoElement): () => void {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    // storage may be forbidden: every video then begins as the first one did
  }
  const { volume, isMuted, rate } = readRemembered(kept);
  video.volume = volume;
  video.muted = isMuted;
  video.defaultPlaybackRate = rate;
  video.playbackRate = rate;
  const keep = () => {
    const now: Remembered = { volume: video.volume, isMuted: video.muted, rate: video.playbackRate };
    try {
      localStorage.setItem(key, JSON.stringify(now));
    } catch {
      // the same
    }
  };
  video.addEventListener('volumechange', keep);
  video.addEventListener('ratechange', keep);
  return () => {
    video.removeEventListener('volumechange', keep);
    video.removeEventListener('ratechange', keep);
  };
}
