import type { Video } from '#contract/video.ts';

/** Total file size of videos in bytes. */
export const totalBytes = (videos: Pick<Video, 'media_size'>[]) => videos.reduce((sum, { media_size: bytes }) => sum + bytes, 0);
