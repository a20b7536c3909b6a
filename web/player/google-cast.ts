import { makeStore } from './store.ts';

// Google's sender finds televisions (Google Cast) and talks to them. It comes from Google, so it is loaded only where casting is
// on, and when a video is shown. What is used of it: https://developers.google.com/cast/docs/reference/web_sender

const origin = 'https://www.gstatic.com';
const address = `${origin}/cv/js/sender/v1/cast_sender.js?loadCastFramework=1`;

const patienceMs = 15_000;

type Made<T, From extends unknown[] = []> = new (...from: From) => T;

interface Track {
  trackContentId: string;
  trackContentType: string;
  subtype: string;
  name: string;
  language: string;
}
interface MediaInfo {
  contentId: string;
  streamType: string;
  metadata: { title: string; subtitle: string; images: { url: string }[] };
  tracks: Track[];
}
interface LoadRequest {
  currentTime: number;
  autoplay: boolean;
  activeTrackIds: number[];
}
interface Playing {
  idleReason: string | null;
  editTracksInfo(request: object, done: () => void, failed: () => void): void;
}
interface Session {
  getCastDevice(): { friendlyName: string };
  loadMedia(request: LoadRequest): Promise<string | undefined>;
  getMediaSession(): Playing | null;
}
interface Context {
  setOptions(options: object): void;
  addEventListener(type: string, listener: () => void): void;
  getCastState(): string;
  getCurrentSession(): Session | null;
  requestSession(): Promise<string | undefined>;
  endCurrentSession(stopsIt: boolean): void;
}
/** What a television plays, as it last told; times in seconds. */
export interface RemotePlayer {
  isConnected: boolean;
  isMediaLoaded: boolean;
  isPaused: boolean;
  isMuted: boolean;
  currentTime: number;
  volumeLevel: number;
  playerState: string | null;
  mediaInfo: { contentId: string } | null;
}
interface RemoteController {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
  playOrPause(): void;
  seek(): void;
  setVolumeLevel(): void;
  muteOrUnmute(): void;
}

/** The sender, as it puts itself into the page. */
export interface Sender {
  framework: {
    CastContext: { getInstance(): Context };
    RemotePlayer: Made<RemotePlayer>;
    RemotePlayerController: Made<RemoteController, [RemotePlayer]>;
  };
  cast: {
    AutoJoinPolicy: { ORIGIN_SCOPED: string };
    Image: Made<{ url: string }, [string]>;
    media: {
      DEFAULT_MEDIA_RECEIVER_APP_ID: string;
      StreamType: { BUFFERED: string };
      TrackType: { TEXT: string };
      TextTrackType: { SUBTITLES: string };
      GenericMediaMetadata: Made<MediaInfo['metadata']>;
      MediaInfo: Made<MediaInfo, [string, string]>;
      Track: Made<Track, [number, string]>;
      LoadRequest: Made<LoadRequest, [MediaInfo]>;
      EditTracksInfoRequest: Made<object, [number[]]>;
    };
  };
}

interface CastWindow {
  __onGCastApiAvailable?(isAvailable: boolean): void;
  cast?: Pick<Sender, 'framework'>;
  chrome?: Pick<Sender, 'cast'>;
  trustedTypes?: { createPolicy(name: string, rules: object): unknown };
}

/** Whether there are televisions, and the name of the one that plays; null while none does. */
export const television = makeStore<{ isThere: boolean; name: string | null }>({ isThere: false, name: null });

let sender: Sender | null = null;

const load = () =>
  new Promise<Sender | null>((resolve) => {
    // Only Chromium can reach televisions this way, and only from a page that came safely.
    if (!window.isSecureContext || !('userAgentData' in navigator)) return resolve(null);
    const here = window as CastWindow;
    here.__onGCastApiAvailable = (isAvailable) =>
      resolve(isAvailable && here.cast && here.chrome ? { framework: here.cast.framework, cast: here.chrome.cast } : null);
    // The sender writes addresses of further scripts into the page, without https: before them. Those of its own place pass, and
    // nothing else.
    here.trustedTypes?.createPolicy('default', {
      createScriptURL(url: string) {
        const { host, pathname, search } = new URL(url, address);
        return host === new URL(address).host ? `${origin}${pathname}${search}` : null;
      },
    });
    const script = document.createElement('script');
    // Without internet, on a page from before casting was on, or where it says nothing, it is as if there were none.
    script.addEventListener('error', () => resolve(null));
    setTimeout(() => resolve(null), patienceMs);
    script.src = address;
    document.head.append(script);
  });

async function start(): Promise<Sender | null> {
  sender = await load();
  if (!sender) return null;
  const { framework, cast } = sender;
  const context = framework.CastContext.getInstance();
  context.setOptions({
    receiverApplicationId: cast.media.DEFAULT_MEDIA_RECEIVER_APP_ID,
    autoJoinPolicy: cast.AutoJoinPolicy.ORIGIN_SCOPED,
  });
  const look = () => {
    const state = context.getCastState();
    television.set({
      isThere: state !== 'NO_DEVICES_AVAILABLE',
      name: state === 'CONNECTED' ? (context.getCurrentSession()?.getCastDevice().friendlyName ?? null) : null,
    });
  };
  context.addEventListener('caststatechanged', look);
  look();
  return sender;
}

let asked: Promise<Sender | null> | undefined;
/** Has Google's sender look for televisions, once. Answers whether it can be had here. */
export const lookForTelevisions = async (): Promise<boolean> => (await (asked ??= start())) !== null;

/** The sender, once it has been loaded. */
export const loadedSender = (): Sender | null => sender;

/** Asks the person for a television. What is being shown goes there (use-television.ts). */
export async function chooseTelevision(): Promise<void> {
  try {
    await sender?.framework.CastContext.getInstance().requestSession();
  } catch (code) {
    if (code !== 'cancel') throw new Error(String(code), { cause: code });
  }
}

/** Nothing plays on the television any more. */
export const leaveTelevision = () => sender?.framework.CastContext.getInstance().endCurrentSession(true);
