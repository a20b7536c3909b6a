import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { audioSource } from '../audio/audio-source.ts';
import { createStore } from '#web/ui/create-store.ts';

export interface PlaybackErrorState {
  kind: 'network' | 'gone' | 'format' | 'damaged' | null;
  /** Position of the error, seconds. */
  at: number;
}

/** Current playback error; kind is null without one. */
export const playbackError = createStore<PlaybackErrorState>({ kind: null, at: 0 });

// Network errors are retried with growing delays.
const retryDelaysMs = [2_000, 4_000, 8_000, 16_000, 30_000];

/** Classifies an error of the element; asks the server whether the file still exists. */
async function classifyError(element: HTMLVideoElement, address: string): Promise<PlaybackErrorState['kind']> {
  if (element.error?.code === MediaError.MEDIA_ERR_DECODE) return 'damaged';
  if (address.startsWith('blob:')) return 'format';
  try {
    // A redirect to a bucket cannot be followed by scripts. The server sends it only for files that exist.
    const { ok, status, type } = await fetch(address, { headers: { range: 'bytes=0-0' }, redirect: 'manual' });
    if (status === 404) return 'gone';
    if (!ok && type !== 'opaqueredirect') return 'network';
    return element.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'format';
  } catch {
    return 'network';
  }
}

let reload: (() => void) | null = null;

/** Retries now at the same position. */
export const retry = () => reload?.();

/** Watches playback for errors and resumes at the same position when the connection is back. Returns a cleanup function. */
export function watchPlayback(element: HTMLVideoElement, video: Video): () => void {
  let reached = { seconds: 0, wasPlaying: false };
  let tries = 0;
  /** The error, while another source is looked for. */
  let pending: PlaybackErrorState | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  playbackError.set({ kind: null, at: 0 });

  const recordPosition = () => {
    if (element.error || element.readyState < 2) return;
    reached = { seconds: element.currentTime, wasPlaying: !element.paused };
    tries = 0;
  };
  // The part that is sought may be the one that cannot be loaded.
  const recordTarget = () => {
    if (!element.error && element.readyState > 0) reached.seconds = element.currentTime;
  };
  const resume = () => {
    const { seconds, wasPlaying } = reached;
    element.currentTime = seconds;
    playbackError.set({ kind: null });
    if (wasPlaying) void element.play().catch(() => {});
  };
  const load = () => {
    if (playbackError.get().kind === null) return;
    clearTimeout(timer);
    element.addEventListener('loadedmetadata', resume, { once: true });
    element.load();
  };
  const onError = async () => {
    element.removeEventListener('loadedmetadata', resume);
    const kind = await classifyError(element, element.currentSrc || addressOf(video.media_url));
    if (!element.error) return;
    pending = { kind, at: reached.seconds };
    if (kind !== 'network') {
      const other = await import('../audio/play-other-source.ts').catch(() => null); // the server is away
      if (!element.error || other?.playOtherSource(element, video, { ...reached, isGone: kind === 'gone' })) return;
    }
    playbackError.set(pending);
    if (kind === 'network') timer = setTimeout(load, retryDelaysMs[Math.min(tries++, retryDelaysMs.length - 1)]);
  };
  const onErrorEvent = () => void onError();
  const onSource = () => {
    if (pending && element.error && audioSource.get().playback?.method === 'none') playbackError.set(pending);
  };
  const forgetError = () => {
    pending = null;
  };
  const stopListening = audioSource.subscribe(onSource);
  element.addEventListener('loadedmetadata', forgetError);
  reload = load;
  element.addEventListener('timeupdate', recordPosition);
  element.addEventListener('seeking', recordTarget);
  element.addEventListener('error', onErrorEvent);
  addEventListener('online', load);
  if (element.error) onErrorEvent();
  return () => {
    stopListening();
    element.removeEventListener('loadedmetadata', forgetError);
    reload = null;
    clearTimeout(timer);
    element.removeEventListener('loadedmetadata', resume);
    element.removeEventListener('timeupdate', recordPosition);
    element.removeEventListener('seeking', recordTarget);
    element.removeEventListener('error', onErrorEvent);
    removeEventListener('online', load);
  };
}
