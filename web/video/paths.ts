export const pathOfVideo = ({ youtube_id: id }: { youtube_id: string }) => `/video/${encodeURIComponent(id)}/`;
export const pathOfChannel = (id: string) => `/channel/${encodeURIComponent(id)}/`;
export const pathOfPlaylist = (id: string) => `/playlist/${encodeURIComponent(id)}/`;
