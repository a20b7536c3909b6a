import { addressOf } from '#web/api/call.ts';

/** The picture of a video that is here; the entries of a playlist do not say where it is. */
export const pictureOf = ({ youtube_id: id }: { youtube_id: string }) =>
  addressOf(`/cache/videos/${id[0]?.toLowerCase()}/${id}.jpg`);
