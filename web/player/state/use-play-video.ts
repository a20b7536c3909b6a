import { useEffect, useEffectEvent, useRef } from 'react';
import type { Video } from '#contract/video.ts';
import { playerStore, showVideo } from './player-store.ts';

interface Options {
  startAt: number | null;
  endAt?: number | null;
  plays: boolean;
}

/** Opens a video in the player: at the requested second, else at the saved position. It pauses at the requested end. */
export function usePlayVideo(video: Video | undefined, { startAt, endAt = null, plays }: Options) {
  const id = video?.youtube_id;
  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (!video) return;
    // The player may already have the video of the next page when the data of this one changes.
    if (opened.current === video.youtube_id && playerStore.get().video?.youtube_id !== opened.current) return;
    opened.current = video.youtube_id;
    showVideo(video, { plays });
  }, [video, plays]);
  // Seeks once the video is loaded, and when the requested second changes.
  const go = useEffectEvent((_id: string, range: { startAt: number; endAt: number | null }) => {
    if (video) showVideo(video, { ...range, plays });
  });
  useEffect(() => {
    if (id !== undefined && startAt !== null) go(id, { startAt, endAt });
  }, [id, startAt, endAt]);
}
