/** Where a video's thumbnail stands below the cache folder. */
export const thumbnailPath = (videoId: string) => `videos/${videoId[0]!.toLowerCase()}/${videoId}.jpg`;

/** Its address. */
export const thumbnailUrl = (videoId: string) => `/cache/${thumbnailPath(videoId)}`;
