import { t } from '@lingui/core/macro';
import type { Video, VideoLink } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { containerOf } from '../compatibility/can-play.ts';
import { captionTracks } from '../captions/captions.ts';
import type { Sender } from '../state/google-cast.ts';
import { showStatus } from '../state/status-message.ts';

/** Media element that controls a TV. */
export interface CastProxy {
  /** Announces the next video: changes of the element apply to it from now on. */
  expectNext(): void;
  /** Loads a video on the TV at the element's position. Rejects if the TV refuses. */
  load(video: Video, links: VideoLink): Promise<void>;
  /** Releases the element at the position of the TV. */
  end(): void;
}

const playbackEvents = ['currentTimeChanged', 'isPausedChanged', 'playerStateChanged'];
const volumeEvents = ['volumeLevelChanged', 'isMutedChanged'];

function mediaInfoFor({ cast }: Sender, video: Video, { media_url, vid_thumb_url, subtitles }: VideoLink) {
  const { media } = cast;
  const info = new media.MediaInfo(addressOf(media_url), `video/${containerOf(video) ?? 'mp4'}`);
  info.streamType = media.StreamType.BUFFERED;
  info.metadata = Object.assign(new media.GenericMediaMetadata(), {
    title: video.title,
    subtitle: video.channel.channel_name,
    images: [new cast.Image(addressOf(vid_thumb_url))],
  });
  info.tracks = subtitles.map(({ lang, name, media_url: link }, at) =>
    Object.assign(new media.Track(at + 1, media.TrackType.TEXT), {
      trackContentId: addressOf(link),
      trackContentType: 'text/vtt',
      subtype: media.TextTrackType.SUBTITLES,
      name,
      language: lang,
    }),
  );
  return info;
}

// Track IDs match mediaInfoFor: both use the order of the video's subtitles.
const activeTrackIds = (element: HTMLVideoElement) =>
  captionTracks(element).flatMap(({ mode }, at) => (mode === 'showing' ? [at + 1] : []));

/**
 * Makes a media element control a TV: position, pause state and volume are read from the TV, and changes are sent to it.
 * Everything that uses the element (time bar, keys, transcript, SponsorBlock, progress, autoplay) therefore works with the TV.
 * The local video is paused latest. `onError` is called if the TV cannot play the video.
 */
export function createCastProxy(element: HTMLVideoElement, sender: Sender, onError: () => void): CastProxy {
  const { framework, cast } = sender;
  const player = new framework.RemotePlayer();
  const control = new framework.RemotePlayerController(player);
  const session = () => framework.CastContext.getInstance().getCurrentSession();
  // State that the TV takes over once it has loaded the file.
  let pending: { at: number; plays: boolean } | null = { at: element.currentTime, plays: !element.paused };
  let at = pending.at;
  let hasEnded = false;
  // The TV has finished or was stopped, so playing requires loading the file again.
  let isIdle = false;
  let wasPaused = !pending.plays;
  let generation = 0;
  let reload: (() => Promise<void>) | null = null;
  element.pause();

  const fire = (...names: string[]) => names.forEach((name) => element.dispatchEvent(new Event(name)));
  const isPaused = () => (pending ? !pending.plays : isIdle || player.isPaused);
  const dispatchPauseChange = () => {
    if (isPaused() === wasPaused) return;
    wasPaused = !wasPaused;
    fire(...(wasPaused ? ['pause'] : ['play', 'playing']));
  };
  const setPlaying = (plays: boolean) => {
    if (isIdle && plays) {
      pending = { at: hasEnded ? 0 : (pending?.at ?? at), plays };
      reload?.().catch(onError);
    } else if (pending) pending.plays = plays;
    else if (!isIdle && player.isPaused === plays) control.playOrPause();
    dispatchPauseChange();
  };
  const seek = (seconds: number) => {
    fire('seeking');
    at = seconds;
    if (pending) pending.at = seconds;
    else if (!isIdle) {
      player.currentTime = seconds;
      control.seek();
    }
    hasEnded = false;
    fire('seeked', 'timeupdate');
  };
  const setVolume = (level: number) => {
    player.volumeLevel = level;
    control.setVolumeLevel();
  };
  const overrides = {
    currentTime: { get: () => pending?.at ?? at, set: seek },
    paused: { get: isPaused },
    ended: { get: () => hasEnded },
    volume: { get: () => player.volumeLevel, set: setVolume },
    muted: { get: () => player.isMuted, set: (is: boolean) => is !== player.isMuted && control.muteOrUnmute() },
    playbackRate: { get: () => 1, set: (rate: number) => rate !== 1 && showStatus(t`The TV can’t change the playback speed`) },
    play: { value: async () => setPlaying(true) },
    pause: { value: () => setPlaying(false) },
  };
  for (const [name, property] of Object.entries(overrides))
    Object.defineProperty(element, name, { configurable: true, ...property });

  const onPlaybackChange = () => {
    if (pending || isIdle || !player.isConnected) return;
    const { playerState } = player;
    const idleReason = session()?.getMediaSession()?.idleReason;
    if (playerState === 'IDLE' && idleReason) {
      isIdle = true;
      dispatchPauseChange();
      if (idleReason === 'ERROR') onError();
      if (idleReason !== 'FINISHED') return;
      [hasEnded, at] = [true, element.duration];
      return fire('timeupdate', 'ended');
    }
    if (player.isMediaLoaded && player.currentTime !== at) {
      at = player.currentTime;
      fire('timeupdate');
    }
    dispatchPauseChange();
    if (playerState === 'BUFFERING') fire('waiting');
  };
  const onVolumeChange = () => fire('volumechange');
  for (const change of playbackEvents) control.addEventListener(change, onPlaybackChange);
  for (const change of volumeEvents) control.addEventListener(change, onVolumeChange);
  const changeCaptions = () =>
    session()
      ?.getMediaSession()
      ?.editTracksInfo(
        new cast.media.EditTracksInfoRequest(activeTrackIds(element)),
        () => {},
        () => showStatus(t`The TV couldn’t change the captions`),
      );
  element.textTracks.addEventListener('change', changeCaptions);
  onVolumeChange();

  const proxy: CastProxy = {
    expectNext() {
      generation++;
      [pending, hasEnded, isIdle, at] = [{ at: 0, plays: false }, false, false, 0];
    },
    async load(video, links) {
      const ownGeneration = ++generation;
      reload = () => proxy.load(video, links);
      pending ??= { at, plays: !isPaused() };
      [hasEnded, isIdle] = [false, false];
      const info = mediaInfoFor(sender, video, links);
      const pathOf = (url = '') => url.replace(/[?#].*/, '');
      const isLoaded =
        player.isMediaLoaded && player.playerState !== 'IDLE' && pathOf(player.mediaInfo?.contentId) === pathOf(info.contentId);
      const requested = { ...pending };
      if (!isLoaded) {
        const request = new cast.media.LoadRequest(info);
        [request.currentTime, request.autoplay, request.activeTrackIds] = [
          requested.at,
          requested.plays,
          activeTrackIds(element),
        ];
        const problem = await session()?.loadMedia(request);
        if (problem) throw new Error(problem);
        if (ownGeneration !== generation) return;
        at = requested.at;
      }
      const latest = pending;
      pending = null;
      if (latest.at !== requested.at) seek(latest.at);
      if (latest.plays !== requested.plays) setPlaying(latest.plays);
      onPlaybackChange();
    },
    end() {
      generation++;
      for (const change of playbackEvents) control.removeEventListener(change, onPlaybackChange);
      for (const change of volumeEvents) control.removeEventListener(change, onVolumeChange);
      element.textTracks.removeEventListener('change', changeCaptions);
      const position = pending?.at ?? at;
      for (const name of Object.keys(overrides)) Reflect.deleteProperty(element, name);
      if (position !== element.currentTime) element.currentTime = position;
      fire('pause', 'timeupdate', 'volumechange');
    },
  };
  return proxy;
}
