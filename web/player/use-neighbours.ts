import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import type { PlaylistNav, Video } from '#contract/video.ts';
import { pathOfVideo } from '#web/video/paths.ts';
import { neighboursQuery } from '#web/video/queries.ts';
import { useChoices } from './choices.ts';
import { playInstead } from './play.ts';
import { besideInQueue, usePlayQueue } from './queue.ts';
import { stage } from './stage.ts';

/** A video that can be gone on with. */
export interface Beside {
  id: string;
  title: string;
  thumbnail: string;
  /** The queue, or a playlist by its name. */
  from: string | null;
}

const besideIn = (nav: PlaylistNav | undefined, which: 'playlist_next' | 'playlist_previous'): Beside | null => {
  const found = nav?.[which];
  return found?.downloaded
    ? { id: found.youtube_id, title: found.title, thumbnail: found.vid_thumb, from: nav!.playlist_meta.playlist_name }
    : null;
};

/** What comes after a video and what came before: of the queue, else of the playlist that is played, else of any it is in. */
export function useBeside(video: Video): { next: Beside | null; previous: Beside | null; isByItself: boolean } {
  const id = video.youtube_id;
  const { data: navs } = useQuery({ ...neighboursQuery(id), enabled: video.playlist.length > 0 });
  const queue = usePlayQueue((all) => all);
  const autoplay = useChoices((choices) => choices.autoplay);
  const nav = navs?.find(({ playlist_meta: { playlist_id } }) => playlist_id === autoplay);
  const ofQueue = (step: 1 | -1): Beside | null => {
    const found = besideInQueue(queue, id, step);
    return found && { id: found.id, title: found.title, thumbnail: found.thumbnail, from: null };
  };
  const queued = ofQueue(1);
  return {
    next: queued ?? besideIn(nav ?? navs?.[0], 'playlist_next'),
    previous: ofQueue(-1) ?? besideIn(nav ?? navs?.[0], 'playlist_previous'),
    isByItself: queued !== null || besideIn(nav, 'playlist_next') !== null,
  };
}

/** Goes to another video: on its page when this one's is open, else where this one plays. */
export function useGoTo() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return async (id: string) => {
    await playInstead(id);
    if (!stage.get().hasPlace) return;
    const query = new URLSearchParams(search);
    query.delete('t');
    if (query.has('videoId')) {
      query.set('videoId', id);
      await navigate(`${pathname}?${query.toString()}`, { preventScrollReset: true });
    } else await navigate(`${pathOfVideo({ youtube_id: id })}${query.size > 0 ? `?${query.toString()}` : ''}`);
  };
}

/** For keys and the system: whether there is one, and to go there. */
export function useNeighbours(video: Video) {
  const { next, previous } = useBeside(video);
  const goTo = useGoTo();
  return {
    hasNext: () => next !== null,
    hasPrevious: () => previous !== null,
    next: () => void (next && goTo(next.id)),
    previous: () => void (previous && goTo(previous.id)),
  };
}
