import { addressOf } from '#web/api/call.ts';

/** URL of a video's thumbnail; playlist entries do not contain it. */
export const thumbnailUrl = ({ youtube_id: id }: { youtube_id: string }) =>
  addressOf(`/cache/videos/${id[0]?.toLowerCase()}/${id}.jpg`);
