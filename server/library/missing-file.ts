/** What a video is said to suffer from whose file is not there; it is taken back by these very words. */
export const missingFile = 'The file is missing.';
