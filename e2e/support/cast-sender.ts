import type { Page } from 'playwright-core';

// Mocks the Cast sender of https://developers.google.com/cast/docs/reference/web_sender, as far as the app uses it, and a TV that
// fetches its media without a login. Tests have neither a TV nor access to Google.

// Adds a second script to the page, like the real loader.
const loader = `
  const script = document.createElement('script');
  script.src = '//www.gstatic.com/cast/sdk/libs/sender/1.0/cast_framework.js';
  document.head.appendChild(script);
`;

const framework = `(() => {
  const tv = globalThis.tv = { loads: [], seeks: [], state: null, at: 0, level: 0.5, muted: false, idle: null, info: null, tracks: [], ended: 0 };
  const listeners = { context: [], player: {} };
  const notify = (...names) => {
    Object.assign(player, {
      isConnected: session !== null,
      isMediaLoaded: tv.info !== null && tv.state !== 'IDLE',
      isPaused: tv.state === 'PAUSED',
      isMuted: tv.muted,
      currentTime: tv.at,
      volumeLevel: tv.level,
      playerState: tv.state,
      mediaInfo: tv.info,
    });
    for (const name of names) for (const listener of listeners.player[name] ?? []) listener();
  };
  const player = {};
  let session = null;
  let state = 'NOT_CONNECTED';
  const become = (next) => {
    state = next;
    for (const listener of listeners.context) listener();
  };
  const media = {
    get idleReason() { return tv.idle; },
    editTracksInfo: ({ activeTrackIds }, done) => { tv.tracks = activeTrackIds; done(); },
  };
  const begin = () => ({
    getCastDevice: () => ({ friendlyName: 'Living room' }),
    getMediaSession: () => (tv.info ? media : null),
    async loadMedia({ media: info, currentTime, autoplay, activeTrackIds }) {
      const get = (url, range) => fetch(url, { credentials: 'omit', headers: range });
      const response = await get(info.contentId, { range: 'bytes=0-99' });
      const texts = await Promise.all(info.tracks.map(async ({ trackContentId }) => (await get(trackContentId)).text()));
      const picture = await get(info.metadata.images[0].url);
      tv.loads.push({
        status: response.status, picture: picture.status, texts, type: info.contentType, path: new URL(info.contentId).pathname,
        title: info.metadata.title, languages: info.tracks.map(({ language }) => language), currentTime, autoplay, activeTrackIds,
      });
      if (globalThis.tvRefuses) throw 'load_media_failed';
      Object.assign(tv, { info, at: currentTime, state: autoplay ? 'PLAYING' : 'PAUSED', idle: null, tracks: activeTrackIds });
      notify('playerStateChanged', 'isPausedChanged', 'currentTimeChanged');
    },
  });
  tv.connect = () => { session = begin(); notify('isConnectedChanged'); become('CONNECTED'); };
  tv.finish = () => { Object.assign(tv, { state: 'IDLE', idle: 'FINISHED', at: 0 }); notify('currentTimeChanged', 'playerStateChanged'); };
  tv.fail = () => { Object.assign(tv, { state: 'IDLE', idle: 'ERROR' }); notify('playerStateChanged'); };
  tv.turn = (level) => { tv.level = level; notify('volumeLevelChanged'); };
  setInterval(() => {
    if (tv.state !== 'PLAYING') return;
    tv.at += 0.5;
    notify('currentTimeChanged');
  }, 500);
  const context = {
    setOptions: (options) => { tv.options = options; },
    addEventListener: (type, listener) => type === 'caststatechanged' && listeners.context.push(listener),
    getCastState: () => state,
    getCurrentSession: () => session,
    async requestSession() {
      if (globalThis.tvAnswer) throw globalThis.tvAnswer;
      tv.connect();
    },
    endCurrentSession: (stops) => {
      tv.ended += Number(stops);
      Object.assign(tv, { info: null, state: null, at: 0 });
      session = null;
      notify('currentTimeChanged', 'isPausedChanged');
      become('NOT_CONNECTED');
    },
  };
  class Controller {
    addEventListener(type, listener) { (listeners.player[type] ??= []).push(listener); }
    removeEventListener(type, listener) { listeners.player[type] = (listeners.player[type] ?? []).filter((one) => one !== listener); }
    playOrPause() { tv.state = tv.state === 'PLAYING' ? 'PAUSED' : 'PLAYING'; notify('isPausedChanged', 'playerStateChanged'); }
    seek() { tv.at = player.currentTime; tv.seeks.push(tv.at); notify('currentTimeChanged'); }
    setVolumeLevel() { tv.level = player.volumeLevel; notify('volumeLevelChanged'); }
    muteOrUnmute() { tv.muted = !tv.muted; notify('isMutedChanged'); }
  }
  globalThis.cast = { framework: {
    CastContext: { getInstance: () => context },
    RemotePlayer: function () { notify(); return player; },
    RemotePlayerController: Controller,
  } };
  const plain = (...names) => class { constructor(...values) { names.forEach((name, at) => (this[name] = values[at])); } };
  (globalThis.chrome ??= {}).cast = {
    AutoJoinPolicy: { ORIGIN_SCOPED: 'origin_scoped' },
    Image: plain('url'),
    media: {
      DEFAULT_MEDIA_RECEIVER_APP_ID: 'CC1AD845',
      StreamType: { BUFFERED: 'BUFFERED' }, TrackType: { TEXT: 'TEXT' }, TextTrackType: { SUBTITLES: 'SUBTITLES' },
      GenericMediaMetadata: plain(), MediaInfo: plain('contentId', 'contentType'), Track: plain('trackId', 'type'),
      LoadRequest: plain('media'), EditTracksInfoRequest: plain('activeTrackIds'),
    },
  };
  globalThis.__onGCastApiAvailable(true);
})();`;

/** Mocks Google's Cast scripts. Returns the requested Google URLs. */
export async function mockGoogleCast(page: Page): Promise<string[]> {
  const requestedUrls: string[] = [];
  await page.route('https://www.gstatic.com/**', (route) => {
    const url = route.request().url();
    requestedUrls.push(url);
    const body = url.includes('cast_sender.js') ? loader : framework;
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  return requestedUrls;
}
