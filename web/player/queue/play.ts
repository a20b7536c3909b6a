import type { Video } from '#contract/video.ts';
import { queryClient } from '#web/api/client.ts';
import { videoQuery } from '#web/api/queries/video.ts';
import { enqueueNext } from './queue.ts';
import { prepareAudio } from '../audio/audio-source.ts';
import { showVideo, playerStore } from '../state/player-store.ts';

/** Plays a video after the current one. */
export const playNext = (video: Video) => enqueueNext(video, playerStore.get().video?.youtube_id ?? null);

/** Plays another video, or a range of it, in the same player. Throws if it is no longer in the archive. */
export async function playInstead(id: string, range?: { startAt: number; endAt: number }): Promise<void> {
  await prepareAudio(id);
  showVideo(await queryClient.fetchQuery(videoQuery(id)), { ...range, plays: true });
}
