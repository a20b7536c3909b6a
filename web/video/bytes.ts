import type { Video } from '#contract/video.ts';

/** How much videos take up together. */
export const bytesOf = (videos: Pick<Video, 'media_size'>[]) => videos.reduce((sum, { media_size: bytes }) => sum + bytes, 0);
