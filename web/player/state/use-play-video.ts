import { useEffect, useEffectEvent } from 'react';
import type { Video } from '#contract/video.ts';
import { showVideo } from './player-store.ts';

/** Opens a video in the player: at the requested second, else at the saved position. */
export function usePlayVideo(video: Video | undefined, { startAt, plays }: { startAt: number | null; plays: boolean }) {
  const id = video?.youtube_id;
  useEffect(() => {
    if (video) showVideo(video, { plays });
  }, [video, plays]);
  // Seeks once the video is loaded, and when the requested second changes.
  const go = useEffectEvent((_id: string, seconds: number) => video && showVideo(video, { startAt: seconds, plays }));
  useEffect(() => {
    if (id !== undefined && startAt !== null) go(id, startAt);
  }, [id, startAt]);
}
