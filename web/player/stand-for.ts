import { t } from '@lingui/core/macro';
import type { Video, VideoLink } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { containerOf } from './can-play.ts';
import { captionTracks } from './captions.ts';
import type { Sender } from './google-cast.ts';
import { say } from './said.ts';

/** An element that stands for what a television plays. */
export interface Standing {
  /** Another video is to come: what is done to the element from now on is meant for that one. */
  expectNext(): void;
  /** Has the television play a video from where the element is. Rejects when that cannot be. */
  load(video: Video, links: VideoLink): Promise<void>;
  /** The element is itself again, at the second where the television was. */
  end(): void;
}

const ofPlace = ['currentTimeChanged', 'isPausedChanged', 'playerStateChanged'];
const ofSound = ['volumeLevelChanged', 'isMutedChanged'];

function describe({ cast }: Sender, video: Video, { media_url, vid_thumb_url, subtitles }: VideoLink) {
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

// Numbered as in the description above: both are in the order of the video's subtitles.
const shownTracks = (element: HTMLVideoElement) =>
  captionTracks(element).flatMap(({ mode }, at) => (mode === 'showing' ? [at + 1] : []));

/**
 * Has an element stand for what a television plays: its place, its pauses and its loudness are the television's, and what is
 * done to it is done there. So everything that goes by the element (time bar, keys, transcript, skipped parts, the saved place,
 * what comes next) goes by the television. The element's own picture rests meanwhile. `failed`: what it was given, it cannot play.
 */
export function standFor(element: HTMLVideoElement, sender: Sender, failed: () => void): Standing {
  const { framework, cast } = sender;
  const player = new framework.RemotePlayer();
  const control = new framework.RemotePlayerController(player);
  const session = () => framework.CastContext.getInstance().getCurrentSession();
  // What the television is to begin with, until it has the file.
  let coming: { at: number; plays: boolean } | null = { at: element.currentTime, plays: !element.paused };
  let at = coming.at;
  let isOver = false;
  // It was at the end, or was stopped: to play on, it must be given the file again.
  let isIdle = false;
  let wasPaused = !coming.plays;
  let turn = 0;
  let again: (() => Promise<void>) | null = null;
  element.pause();

  const fire = (...names: string[]) => names.forEach((name) => element.dispatchEvent(new Event(name)));
  const isPaused = () => (coming ? !coming.plays : isIdle || player.isPaused);
  const tellPause = () => {
    if (isPaused() === wasPaused) return;
    wasPaused = !wasPaused;
    fire(...(wasPaused ? ['pause'] : ['play', 'playing']));
  };
  const want = (plays: boolean) => {
    if (isIdle && plays) {
      coming = { at: isOver ? 0 : (coming?.at ?? at), plays };
      again?.().catch(failed);
    } else if (coming) coming.plays = plays;
    else if (!isIdle && player.isPaused === plays) control.playOrPause();
    tellPause();
  };
  const goTo = (seconds: number) => {
    fire('seeking');
    at = seconds;
    if (coming) coming.at = seconds;
    else if (!isIdle) {
      player.currentTime = seconds;
      control.seek();
    }
    isOver = false;
    fire('seeked', 'timeupdate');
  };
  const setVolume = (level: number) => {
    player.volumeLevel = level;
    control.setVolumeLevel();
  };
  const own = {
    currentTime: { get: () => coming?.at ?? at, set: goTo },
    paused: { get: isPaused },
    ended: { get: () => isOver },
    volume: { get: () => player.volumeLevel, set: setVolume },
    muted: { get: () => player.isMuted, set: (is: boolean) => is !== player.isMuted && control.muteOrUnmute() },
    playbackRate: { get: () => 1, set: (rate: number) => rate !== 1 && say(t`The television plays at its own speed`) },
    play: { value: async () => want(true) },
    pause: { value: () => want(false) },
  };
  for (const [name, property] of Object.entries(own)) Object.defineProperty(element, name, { configurable: true, ...property });

  const hear = () => {
    if (coming || isIdle || !player.isConnected) return;
    const { playerState } = player;
    const why = session()?.getMediaSession()?.idleReason;
    if (playerState === 'IDLE' && why) {
      isIdle = true;
      tellPause();
      if (why === 'ERROR') failed();
      if (why !== 'FINISHED') return;
      [isOver, at] = [true, element.duration];
      return fire('timeupdate', 'ended');
    }
    if (player.isMediaLoaded && player.currentTime !== at) {
      at = player.currentTime;
      fire('timeupdate');
    }
    tellPause();
    if (playerState === 'BUFFERING') fire('waiting');
  };
  const hearSound = () => fire('volumechange');
  for (const change of ofPlace) control.addEventListener(change, hear);
  for (const change of ofSound) control.addEventListener(change, hearSound);
  const changeCaptions = () =>
    session()
      ?.getMediaSession()
      ?.editTracksInfo(
        new cast.media.EditTracksInfoRequest(shownTracks(element)),
        () => {},
        () => say(t`The television did not change the captions`),
      );
  element.textTracks.addEventListener('change', changeCaptions);
  hearSound();

  const standing: Standing = {
    expectNext() {
      turn++;
      [coming, isOver, isIdle, at] = [{ at: 0, plays: false }, false, false, 0];
    },
    async load(video, links) {
      const mine = ++turn;
      again = () => standing.load(video, links);
      coming ??= { at, plays: !isPaused() };
      [isOver, isIdle] = [false, false];
      const info = describe(sender, video, links);
      const pathOf = (url = '') => url.replace(/[?#].*/, '');
      const isThere =
        player.isMediaLoaded && player.playerState !== 'IDLE' && pathOf(player.mediaInfo?.contentId) === pathOf(info.contentId);
      const asked = { ...coming };
      if (!isThere) {
        const request = new cast.media.LoadRequest(info);
        [request.currentTime, request.autoplay, request.activeTrackIds] = [asked.at, asked.plays, shownTracks(element)];
        const problem = await session()?.loadMedia(request);
        if (problem) throw new Error(problem);
        if (mine !== turn) return;
        at = asked.at;
      }
      const meanwhile = coming;
      coming = null;
      if (meanwhile.at !== asked.at) goTo(meanwhile.at);
      if (meanwhile.plays !== asked.plays) want(meanwhile.plays);
      hear();
    },
    end() {
      turn++;
      for (const change of ofPlace) control.removeEventListener(change, hear);
      for (const change of ofSound) control.removeEventListener(change, hearSound);
      element.textTracks.removeEventListener('change', changeCaptions);
      const place = coming?.at ?? at;
      for (const name of Object.keys(own)) Reflect.deleteProperty(element, name);
      if (place !== element.currentTime) element.currentTime = place;
      fire('pause', 'timeupdate', 'volumechange');
    },
  };
  return standing;
}
