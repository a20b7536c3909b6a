/** Path of a thumbnail, relative to the cache folder. */
export const thumbnailPath = (videoId: string) => `videos/${videoId[0]!.toLowerCase()}/${videoId}.jpg`;

export const thumbnailUrl = (videoId: string) => `/cache/${thumbnailPath(videoId)}`;
