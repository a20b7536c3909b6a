/** Path of the frame that viewers have chosen as the picture of a video, relative to the cache folder. */
export const communityThumbnailPath = (videoId: string) => `community/${videoId[0]!.toLowerCase()}/${videoId}.jpg`;

export const communityThumbnailUrl = (videoId: string) => `/cache/${communityThumbnailPath(videoId)}`;
