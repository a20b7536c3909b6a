import { castState } from '../state/google-cast.ts';
import { asRecord, setStored, parseStored, getStored } from '#web/ui/use-local-storage.ts';

const storageKey = 'reelkeep.player';

interface VolumeAndSpeed {
  volume: number;
  isMuted: boolean;
  rate: number;
}

/** Parses stored volume and speed; invalid values become the defaults. */
export function parseVolumeAndSpeed(found: unknown): VolumeAndSpeed {
  const { volume, isMuted, rate } = asRecord(found);
  return {
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : 1,
    isMuted: isMuted === true,
    rate: typeof rate === 'number' && rate >= 0.25 && rate <= 3 ? rate : 1,
  };
}

/** Restores volume and speed, and stores changes. Returns a cleanup function. */
export function restoreVolumeAndSpeed(video: HTMLVideoElement): () => void {
  const { volume, isMuted, rate } = parseStored(getStored(storageKey), parseVolumeAndSpeed);
  video.volume = volume;
  video.muted = isMuted;
  video.defaultPlaybackRate = rate;
  video.playbackRate = rate;
  // The default rate applies to the next file.
  const save = () => {
    if (castState.get().name !== null) return; // belongs to the TV
    const now: VolumeAndSpeed = { volume: video.volume, isMuted: video.muted, rate: video.playbackRate };
    setStored(storageKey, JSON.stringify(now));
  };
  const saveRate = () => {
    video.defaultPlaybackRate = video.playbackRate;
    save();
  };
  video.addEventListener('volumechange', save);
  video.addEventListener('ratechange', saveRate);
  return () => {
    video.removeEventListener('volumechange', save);
    video.removeEventListener('ratechange', saveRate);
  };
}
