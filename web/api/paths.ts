import type { HomeSectionName } from '#contract/home.ts';
import { addressOf } from '#web/api/call.ts';

export const pathOfVideo = ({ youtube_id: id }: { youtube_id: string }) => `/video/${encodeURIComponent(id)}/`;
export const pathOfShort = ({ youtube_id: id }: { youtube_id: string }) => `/shorts/?videoId=${encodeURIComponent(id)}`;
export const pathOfChannel = (id: string) => `/channel/${encodeURIComponent(id)}/`;
export const pathOfPlaylist = (id: string) => `/playlist/${encodeURIComponent(id)}/`;
export const pathOfList = (id: number) => `/list/${id}/`;
/** The full list of a section of the home page. */
export const pathOfSection = (section: HomeSectionName) => `/home/${section}/`;

/** Path of the moments similar to what is said at a time of a video. */
export const pathOfSimilarMoments = (video: string, seconds: number) =>
  `/search/?${new URLSearchParams({ like: video, at: String(Math.floor(seconds)) }).toString()}`;

/** URL that downloads the media file. */
export const downloadUrl = ({ media_url: url }: { media_url: string }) => `${addressOf(url)}?download`;
