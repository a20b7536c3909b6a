import { addressOf } from '#web/api/call.ts';

export const pathOfVideo = ({ youtube_id: id }: { youtube_id: string }) => `/video/${encodeURIComponent(id)}/`;
export const pathOfChannel = (id: string) => `/channel/${encodeURIComponent(id)}/`;
export const pathOfPlaylist = (id: string) => `/playlist/${encodeURIComponent(id)}/`;
export const pathOfList = (id: number) => `/list/${id}/`;

/** Where the file of a video can be had, to keep. */
export const fileToKeep = ({ media_url: url }: { media_url: string }) => `${addressOf(url)}?download`;
