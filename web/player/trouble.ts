import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { backToFile } from './sound.ts';
import { makeStore } from './store.ts';

export interface TroubleState {
  kind: 'network' | 'gone' | 'format' | 'damaged' | null;
  /** Where it was when it happened, seconds. */
  at: number;
}

/** What is wrong with the playback; nothing, most of the time. */
export const trouble = makeStore<TroubleState>({ kind: null, at: 0 });

// It mends itself when the network is back: tried again ever more seldom.
const pausesMs = [2_000, 4_000, 8_000, 16_000, 30_000];

/** Why an element plays no more: the server is asked whether it still has the file. */
async function kindOf(element: HTMLVideoElement, address: string): Promise<TroubleState['kind']> {
  if (element.error?.code === MediaError.MEDIA_ERR_DECODE) return 'damaged';
  try {
    const { ok, status } = await fetch(address, { headers: { range: 'bytes=0-0' } });
    if (status === 404) return 'gone';
    if (!ok) return 'network';
    return element.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'format';
  } catch {
    return 'network';
  }
}

let again: (() => void) | null = null;

/** Tries it again now, at the same second. */
export const retry = () => again?.();

/** Watches a video play, and goes on at the same second when the way to the server is back. Answers what ends that. */
export function watchPlayback(element: HTMLVideoElement, video: Video): () => void {
  let reached = { seconds: 0, wasPlaying: false };
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  trouble.set({ kind: null, at: 0 });

  const note = () => {
    if (element.error || element.readyState < 2) return;
    reached = { seconds: element.currentTime, wasPlaying: !element.paused };
    tries = 0;
  };
  const goOn = () => {
    const { seconds, wasPlaying } = reached;
    element.currentTime = seconds;
    trouble.set({ kind: null });
    if (wasPlaying) void element.play().catch(() => {});
  };
  const load = () => {
    if (trouble.get().kind === null) return;
    clearTimeout(timer);
    element.addEventListener('loadedmetadata', goOn, { once: true });
    element.load();
  };
  const onError = async () => {
    element.removeEventListener('loadedmetadata', goOn);
    const kind = await kindOf(element, element.currentSrc || addressOf(video.media_url));
    if (!element.error) return;
    if (kind !== 'network' && backToFile(element, video, { isGone: kind === 'gone' })) return;
    trouble.set({ kind, at: reached.seconds });
    if (kind === 'network') timer = setTimeout(load, pausesMs[Math.min(tries++, pausesMs.length - 1)]);
  };
  const failed = () => void onError();
  again = load;
  element.addEventListener('timeupdate', note);
  element.addEventListener('error', failed);
  addEventListener('online', load);
  if (element.error) failed();
  return () => {
    again = null;
    clearTimeout(timer);
    element.removeEventListener('loadedmetadata', goOn);
    element.removeEventListener('timeupdate', note);
    element.removeEventListener('error', failed);
    removeEventListener('online', load);
  };
}
