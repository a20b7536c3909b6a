import type { Video } from '#contract/video.ts';
import { queryClient } from '#web/api/client.ts';
import { videoQuery } from '#web/video/queries.ts';
import { enqueueNext } from './queue.ts';
import { askAhead } from './sound.ts';
import { showVideo, stage } from './stage.ts';

/** Plays a video after the one that plays now. */
export const playNext = (video: Video) => enqueueNext(video, stage.get().video?.youtube_id ?? null);

/** Plays another video in the same place. Throws when it is not in the archive any more. */
export async function playInstead(id: string): Promise<void> {
  await askAhead(id);
  showVideo(await queryClient.fetchQuery(videoQuery(id)), { plays: true });
}
