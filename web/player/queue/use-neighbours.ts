import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import type { PlaylistNav, Video } from '#contract/video.ts';
import { pathOfVideo } from '#web/api/paths.ts';
import { neighboursQuery } from '#web/api/queries/video.ts';
import { usePreferences } from '../state/player-preferences.ts';
import { useNoteSequence } from '../state/note-sequence.ts';
import { playInstead } from './play.ts';
import { neighbourInQueue, usePlayQueue } from './queue.ts';
import { playerStore } from '../state/player-store.ts';

/** Next or previous video. */
export interface Neighbour {
  id: string;
  title: string;
  thumbnail: string;
  /** Playlist name; null for the queue. */
  from: string | null;
}

const neighbourIn = (nav: PlaylistNav | undefined, which: 'playlist_next' | 'playlist_previous'): Neighbour | null => {
  const found = nav?.[which];
  return found?.downloaded
    ? { id: found.youtube_id, title: found.title, thumbnail: found.vid_thumb, from: nav!.playlist_meta.playlist_name }
    : null;
};

/** Next and previous video: from the notes that play in a row, else from the queue, else from the playlist with autoplay, else from any playlist of the video. */
export function useNextAndPrevious(video: Video): {
  next: Neighbour | null;
  previous: Neighbour | null;
  playsAutomatically: boolean;
} {
  const id = video.youtube_id;
  const { data: navs } = useQuery({ ...neighboursQuery(id), enabled: video.playlist.length > 0 });
  const queue = usePlayQueue((all) => all);
  const sequence = useNoteSequence((all) => all);
  const autoplay = usePreferences((state) => state.autoplay);
  const nav = navs?.find(({ playlist_meta: { playlist_id } }) => playlist_id === autoplay);
  const ofQueue = (step: 1 | -1): Neighbour | null => {
    const found = neighbourInQueue(queue, id, step);
    return found && { id: found.id, title: found.title, thumbnail: found.thumbnail, from: null };
  };
  const queued = ofQueue(1);
  const ofNotes = (step: 1 | -1): Neighbour | null => {
    const item = sequence.items[sequence.at + step];
    return item ? { id: item.video, title: item.text, thumbnail: '', from: null } : null;
  };
  if (sequence.items.length > 0) return { next: ofNotes(1), previous: ofNotes(-1), playsAutomatically: false };
  return {
    next: queued ?? neighbourIn(nav ?? navs?.[0], 'playlist_next'),
    previous: ofQueue(-1) ?? neighbourIn(nav ?? navs?.[0], 'playlist_previous'),
    playsAutomatically: queued !== null || neighbourIn(nav, 'playlist_next') !== null,
  };
}

/** Opens another video: on its page if the page of the current video is open, else in the same player. */
export function useOpenVideo() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return async (id: string, range?: { startAt: number; endAt: number }) => {
    const isOpen = playerStore.get().video?.youtube_id === id;
    await playInstead(id, range);
    if (!playerStore.get().hasSlot || isOpen) return;
    const query = new URLSearchParams(search);
    query.delete('t');
    query.delete('end');
    if (query.has('videoId')) {
      query.set('videoId', id);
      await navigate(`${pathname}?${query.toString()}`, { preventScrollReset: true });
    } else await navigate(`${pathOfVideo({ youtube_id: id })}${query.size > 0 ? `?${query.toString()}` : ''}`);
  };
}

/** Next and previous for keys and the media session. */
export function useNeighbours(video: Video) {
  const { next, previous } = useNextAndPrevious(video);
  const goTo = useOpenVideo();
  const { items, at } = useNoteSequence((all) => all);
  const open = async (step: 1 | -1, id: string) => {
    if (items.length === 0) return goTo(id);
    const { playNote } = await import('./play-note.ts');
    return playNote(at + step, step, goTo);
  };
  return {
    hasNext: () => next !== null,
    hasPrevious: () => previous !== null,
    next: () => void (next && open(1, next.id)),
    previous: () => void (previous && open(-1, previous.id)),
  };
}
