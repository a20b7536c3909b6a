import { useEffect, useEffectEvent } from 'react';
import type { Video } from '#contract/video.ts';
import { showVideo } from './stage.ts';

/** Has the player show a video: from a second that is asked for, else from where the person stopped. */
export function useShown(video: Video | undefined, { startAt, plays }: { startAt: number | null; plays: boolean }) {
  const id = video?.youtube_id;
  useEffect(() => {
    if (video) showVideo(video, { plays });
  }, [video, plays]);
  // Asked for once it is there, and again when the time is another.
  const go = useEffectEvent((_id: string, seconds: number) => video && showVideo(video, { startAt: seconds, plays }));
  useEffect(() => {
    if (id !== undefined && startAt !== null) go(id, startAt);
  }, [id, startAt]);
}
