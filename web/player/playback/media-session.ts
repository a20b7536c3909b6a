import { useEffect } from 'react';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { goToChapter } from '../commands/actions.ts';

interface Navigation {
  next(): void;
  previous(): void;
}

interface Props extends Navigation {
  video: Video;
  element: HTMLVideoElement;
}

/** Connects media keys and lock screens to the player. Renders nothing. */
export function MediaSession({ video, element, next, previous }: Props): null {
  useEffect(() => connectMediaSession(video, element, { next, previous }), [video, element, next, previous]);
  return null;
}

/**
 * Publishes the video to the Media Session API for media keys and lock screens. Chapters of a video that is only heard are its tracks.
 * Returns a cleanup function.
 */
function connectMediaSession(video: Video, element: HTMLVideoElement, navigation: Navigation): () => void {
  if (!('mediaSession' in navigator)) return () => {};
  const { mediaSession } = navigator;
  const artwork = [{ src: addressOf(video.vid_thumb_url), type: 'image/jpeg' }];
  const chapterInfo = video.chapters.map(({ title, start }) => ({ title, startTime: start, artwork }));
  mediaSession.metadata = new MediaMetadata({
    title: video.music?.track ?? video.title,
    artist: video.music?.artists.join(', ') || video.channel.channel_name,
    album: video.music?.album ?? '',
    artwork,
    ...(chapterInfo.length > 1 && { chapterInfo }),
  } as MediaMetadataInit);
  const areTracks = () => video.chapters.length > 1 && element.readyState > 0 && element.videoWidth === 0;
  const { title: songTitle, album: songAlbum } = mediaSession.metadata;
  const showTrack = () => {
    const chapter = areTracks() && video.chapters.findLast(({ start }) => start <= element.currentTime);
    const [title, album] = chapter ? [chapter.title, video.title] : [songTitle, songAlbum];
    const { metadata } = mediaSession;
    if (metadata && (metadata.title !== title || metadata.album !== album)) Object.assign(metadata, { title, album });
  };
  const skip = (by: 1 | -1, leave: () => void) => () => {
    if (!areTracks() || !goToChapter(element, video, by)) leave();
  };
  const step = (seconds: number) => (details: MediaSessionActionDetails) =>
    (element.currentTime += Math.sign(seconds) * (details.seekOffset ?? Math.abs(seconds)));
  const actions: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => void element.play()],
    ['pause', () => element.pause()],
    ['seekbackward', step(-10)],
    ['seekforward', step(10)],
    ['seekto', ({ seekTime }) => seekTime !== undefined && (element.currentTime = seekTime)],
    ['nexttrack', skip(1, navigation.next)],
    ['previoustrack', skip(-1, navigation.previous)],
  ];
  const set = (action: MediaSessionAction, handler: MediaSessionActionHandler | null) => {
    try {
      mediaSession.setActionHandler(action, handler);
    } catch {
      // action not supported by this browser
    }
  };
  for (const [action, handler] of actions) set(action, handler);
  const updatePosition = () => {
    const { duration, currentTime: position, playbackRate } = element;
    if (Number.isFinite(duration) && duration > 0 && position <= duration)
      mediaSession.setPositionState({ duration, position, playbackRate });
  };
  for (const event of ['loadedmetadata', 'seeked', 'ratechange', 'play']) element.addEventListener(event, updatePosition);
  // Another source may load while playback is paused.
  for (const event of ['loadedmetadata', 'timeupdate']) element.addEventListener(event, showTrack);
  return () => {
    for (const event of ['loadedmetadata', 'timeupdate']) element.removeEventListener(event, showTrack);
    for (const event of ['loadedmetadata', 'seeked', 'ratechange', 'play']) element.removeEventListener(event, updatePosition);
    for (const [action] of actions) set(action, null);
    mediaSession.metadata = null;
  };
}
