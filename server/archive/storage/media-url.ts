/** Returns the address of a file of the media folder. */
export const mediaUrl = (path: string): string => `/youtube/${path.split('/').map(encodeURIComponent).join('/')}`;
