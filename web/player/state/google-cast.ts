import { createStore } from '#web/ui/create-store.ts';

// Google Cast sender. Its script comes from Google, so it is loaded only if casting is enabled and a video is open. API:
// https://developers.google.com/cast/docs/reference/web_sender

const origin = 'https://www.gstatic.com';
const address = `${origin}/cv/js/sender/v1/cast_sender.js?loadCastFramework=1`;
// Folders of further scripts that it loads; the CSP allows only these (server/platform/http/server/security-headers.ts).
const folders = ['/cv/js/sender/', '/cast/sdk/libs/sender/', '/eureka/clank/'];

const loadTimeoutMs = 15_000;

type Constructor<T, From extends unknown[] = []> = new (...from: From) => T;

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
interface CastMediaSession {
  idleReason: string | null;
  editTracksInfo(request: object, done: () => void, failed: () => void): void;
}
interface Session {
  getCastDevice(): { friendlyName: string };
  loadMedia(request: LoadRequest): Promise<string | undefined>;
  getMediaSession(): CastMediaSession | null;
}
interface Context {
  setOptions(options: object): void;
  addEventListener(type: string, listener: () => void): void;
  getCastState(): string;
  getCurrentSession(): Session | null;
  requestSession(): Promise<string | undefined>;
  endCurrentSession(stopsIt: boolean): void;
}
/** State of the TV as last reported; times in seconds. */
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

/** Sender API, as its script defines it on the window. */
export interface Sender {
  framework: {
    CastContext: { getInstance(): Context };
    RemotePlayer: Constructor<RemotePlayer>;
    RemotePlayerController: Constructor<RemoteController, [RemotePlayer]>;
  };
  cast: {
    AutoJoinPolicy: { ORIGIN_SCOPED: string };
    Image: Constructor<{ url: string }, [string]>;
    media: {
      DEFAULT_MEDIA_RECEIVER_APP_ID: string;
      StreamType: { BUFFERED: string };
      TrackType: { TEXT: string };
      TextTrackType: { SUBTITLES: string };
      GenericMediaMetadata: Constructor<MediaInfo['metadata']>;
      MediaInfo: Constructor<MediaInfo, [string, string]>;
      Track: Constructor<Track, [number, string]>;
      LoadRequest: Constructor<LoadRequest, [MediaInfo]>;
      EditTracksInfoRequest: Constructor<object, [number[]]>;
    };
  };
}

interface CastWindow {
  __onGCastApiAvailable?(isAvailable: boolean): void;
  cast?: Pick<Sender, 'framework'>;
  chrome?: Pick<Sender, 'cast'>;
  trustedTypes?: { createPolicy(name: string, rules: object): unknown };
}

/** Whether devices are available, and the name of the connected one; null if none is. */
export const castState = createStore<{ isThere: boolean; name: string | null }>({ isThere: false, name: null });

let sender: Sender | null = null;

const load = () =>
  new Promise<Sender | null>((resolve) => {
    // Only Chromium supports this, and only in secure contexts.
    if (!window.isSecureContext || !('userAgentData' in navigator)) return resolve(null);
    const castWindow = window as CastWindow;
    castWindow.__onGCastApiAvailable = (isAvailable) =>
      resolve(
        isAvailable && castWindow.cast && castWindow.chrome
          ? { framework: castWindow.cast.framework, cast: castWindow.chrome.cast }
          : null,
      );
    // The sender adds script URLs without a scheme. The Trusted Types policy allows its own folders only.
    castWindow.trustedTypes?.createPolicy('default', {
      createScriptURL(url: string) {
        const { host, pathname, search } = new URL(url, address);
        const isSender = host === new URL(address).host && folders.some((folder) => pathname.startsWith(folder));
        return isSender ? `${origin}${pathname}${search}` : null;
      },
    });
    const script = document.createElement('script');
    // Without internet, on a page loaded before casting was enabled, or without an answer, casting is unavailable.
    script.addEventListener('error', () => resolve(null));
    setTimeout(() => resolve(null), loadTimeoutMs);
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
  const updateState = () => {
    const state = context.getCastState();
    castState.set({
      isThere: state !== 'NO_DEVICES_AVAILABLE',
      name: state === 'CONNECTED' ? (context.getCurrentSession()?.getCastDevice().friendlyName ?? null) : null,
    });
  };
  context.addEventListener('caststatechanged', updateState);
  updateState();
  return sender;
}

let initialized: Promise<Sender | null> | undefined;
/** Loads the sender once. Resolves to whether casting is available. */
export const initCasting = async (): Promise<boolean> => (await (initialized ??= start())) !== null;

/** Returns the sender once it is loaded. */
export const getSender = (): Sender | null => sender;

/** Opens the device picker. The current video moves to the selected device (use-casting.ts). */
export async function startCasting(): Promise<void> {
  try {
    await sender?.framework.CastContext.getInstance().requestSession();
  } catch (code) {
    if (code !== 'cancel') throw new Error(String(code), { cause: code });
  }
}

/** Stops casting. */
export const stopCasting = () => sender?.framework.CastContext.getInstance().endCurrentSession(true);
