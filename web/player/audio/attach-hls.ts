import { t } from '@lingui/core/macro';
import Hls, { type ErrorData, type HlsConfig } from 'hls.js';
import { sentenceCase, messageText } from '#web/i18n/message-text.ts';
import type { Message } from '#contract/messages.ts';
import type { TriedMethod } from '#contract/playback.ts';
import type * as source from './audio-source.ts';
import { playsHlsNatively } from '../compatibility/plays-hls.ts';

type AudioSource = typeof source.audioSource;

/** What plays now. */
interface Attached {
  hls: Hls;
  element: HTMLVideoElement;
  address: string;
  /** Some sound is in the buffer. */
  hasSound: boolean;
}
let attached: Attached | null = null;

const minutes = (count: number) => count * 60_000;
/** The server encodes what is requested, or lets it wait; it says how to help when it refuses. */
const patient: HlsConfig['fragLoadPolicy'] = {
  default: {
    maxTimeToFirstByteMs: minutes(2),
    maxLoadTimeMs: minutes(4),
    timeoutRetry: { maxNumRetry: 2, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 1000, retryDelayMs: 2000, maxRetryDelayMs: 5000 },
  },
};

const config: Partial<HlsConfig> = {
  // Fragmented MP4 goes to the browser as it is.
  enableWorker: false,
  fragLoadPolicy: patient,
  playlistLoadPolicy: patient,
  manifestLoadPolicy: patient,
  // Captions are elements of the page; nothing is encrypted.
  subtitleStreamController: undefined,
  subtitleTrackController: undefined,
  timelineController: undefined,
  emeController: undefined,
  cmcdController: undefined,
  contentSteeringController: undefined,
} as Partial<HlsConfig>;

const unreadableStatus = 422;
/** After as many parts one after the other that cannot be read, playback does not look for the next one. */
const maxHoles = 3;

/** How long it is said that a part was left out. */
const shownMs = 5000;
/** Errors of media that hls.js would ignore as often as those of the network. */
const mediaErrors: string[] = [Hls.ErrorDetails.FRAG_PARSING_ERROR, Hls.ErrorDetails.BUFFER_APPEND_ERROR];
const maxMediaErrors = 3;

/** An address that is refused is renewed as often in so long a time: each answer has another signature. */
const maxRenewals = 3;
const renewalsMs = minutes(10);
let renewals: number[] = [];

/** Returns whether the address may be renewed once more. Addresses expire after a day or later. */
function mayRenew(): boolean {
  const now = performance.now();
  renewals = renewals.filter((time) => now - time < renewalsMs);
  return renewals.push(now) <= maxRenewals;
}

/** Text of an error of the server in the language of the page. */
function textOf({ response, networkDetails }: ErrorData): string {
  if (!response?.code) return t`The server can’t be reached. Playback continues when it is back.`;
  try {
    const { response: sent } = networkDetails as XMLHttpRequest;
    const text = sent instanceof ArrayBuffer ? new TextDecoder().decode(sent) : String(sent);
    const { error, messages } = JSON.parse(text) as { error: string; messages?: Message[] };
    return sentenceCase(messageText(messages, error));
  } catch {
    const { code } = response;
    return t`The server returned status ${code}.`;
  }
}

/** Reports errors of hls.js, and jumps over parts that the server cannot read. Returns a cleanup function. */
function watchErrors(hls: Hls, element: HTMLVideoElement, audioSource: AudioSource): () => void {
  let shown: string | null = null;
  let hole: { start: number; end: number } | null = null;
  let holes = 0;
  let shownUntil = 0;
  let failures = 0;
  /** Lets another source play. */
  const giveUp = (why: { isRefused: true } | { failed: TriedMethod[] }) => {
    const reached = { seconds: element.currentTime, wasPlaying: !element.paused };
    hls.destroy();
    audioSource.set({ ...why, reached, attempt: audioSource.get().attempt + 1 });
  };
  const show = (error: string | null) => {
    if (error !== null || audioSource.get().error === shown) audioSource.set({ error });
    shown = error;
  };
  const jump = () => {
    if (!hole || element.currentTime < hole.start - 0.5 || element.currentTime >= hole.end) return;
    const { end } = hole;
    hole = null;
    shownUntil = performance.now() + shownMs;
    if (holes > maxHoles || end >= element.duration - 0.5) return element.pause();
    element.currentTime = end + 0.01;
    hls.startLoad(end + 0.01);
  };
  const onSeeking = () => {
    if (!hole || (element.currentTime >= hole.start && element.currentTime < hole.end)) return;
    hole = null;
    holes = 0;
    hls.startLoad(element.currentTime);
  };
  hls.on(Hls.Events.ERROR, (_, data) => {
    const status = data.response?.code;
    // hls.js reports an invalid playlist as a network error.
    if (data.type === Hls.ErrorTypes.NETWORK_ERROR && data.details !== Hls.ErrorDetails.MANIFEST_PARSING_ERROR) {
      // Requests that were cancelled have none.
      if (data.response) show(textOf(data));
      if (status === unreadableStatus && data.frag) {
        // hls.js would request it again and again.
        hls.stopLoad();
        const { start, duration } = data.frag;
        hole = { start, end: start + duration };
        holes++;
        jump();
      } else if (status === 403 || status === 404) {
        // The address has expired, or the file was replaced. hls.js would request a segment again and again.
        hls.stopLoad();
        if (!mayRenew()) return giveUp({ isRefused: true });
        // A new address may be the same: it is loaded again, not only its sound.
        attached = null;
        audioSource.set({ renditionUrl: '', attempt: audioSource.get().attempt + 1 });
      }
      return;
    }
    // The element reports its own errors (playback-error.ts).
    if (element.error || (!data.fatal && !(mediaErrors.includes(data.details) && ++failures >= maxMediaErrors))) return;
    giveUp({ failed: [...new Set([...(audioSource.get().failed ?? []), 'hls' as const])] });
  });
  hls.on(Hls.Events.FRAG_LOADED, (_, { frag }) => {
    if (frag.type === 'main' && typeof frag.sn === 'number' && !hole && performance.now() >= shownUntil) {
      holes = 0;
      show(null);
    }
  });
  element.addEventListener('waiting', jump);
  element.addEventListener('timeupdate', jump);
  element.addEventListener('seeking', onSeeking);
  return () => {
    element.removeEventListener('waiting', jump);
    element.removeEventListener('timeupdate', jump);
    element.removeEventListener('seeking', onSeeking);
    if (shown !== null) show(null);
  };
}

/** Lets an element play HLS from a position in seconds, until it gets another source. */
export function attachHls(element: HTMLVideoElement, address: string, at: number, audioSource: AudioSource): void {
  attached?.hls.destroy();
  attached = null;
  if (playsHlsNatively()) {
    element.src = address;
    return;
  }
  const hls = new Hls({ ...config, startPosition: at });
  const stopWatching = watchErrors(hls, element, audioSource);
  const own = { hls, element, address, hasSound: false };
  hls.on(Hls.Events.FRAG_BUFFERED, (_, { frag }) => (own.hasSound ||= frag.type === 'audio'));
  hls.loadSource(address);
  hls.attachMedia(element);
  const { src } = element;
  const onEmptied = () => {
    if (element.src === src) return;
    hls.destroy();
  };
  element.addEventListener('emptied', onEmptied);
  hls.once(Hls.Events.DESTROYING, () => {
    stopWatching();
    element.removeEventListener('emptied', onEmptied);
    if (attached === own) attached = null;
  });
  attached = own;
}

const soundOf = (address: string) => /^(.*\/main-\d+)-(\d+)\.m3u8$/.exec(address);

/** Switches to another sound track of what plays, without loading the picture again. Returns whether that was possible. */
export function switchSound(element: HTMLVideoElement, address: string): boolean {
  const [, video, track] = soundOf(address) ?? [];
  // hls.js does not load anything more if the track is changed before it has the first sound.
  if (attached?.element !== element || !attached.hasSound || !video || soundOf(attached.address)?.[1] !== video) return false;
  const found = attached.hls.audioTracks.findIndex(({ url }) => url.endsWith(`/sound-${track}.m3u8`));
  if (found < 0) return false;
  attached.hls.audioTrack = found;
  attached.address = address;
  return true;
}
