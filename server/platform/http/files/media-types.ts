/** Content types of files; none that a browser executes. */
export const types: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.webm': 'video/webm',
  '.mkv': 'video/matroska',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.opus': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
  '.wav': 'audio/wav',
  '.vtt': 'text/vtt; charset=utf-8',
  '.jpg': 'image/jpeg',
};

/** Returns an ETag that changes with the content of a media file; also part of rendition names. */
export const etagOf = ({ sha256, sizeBytes }: { sha256: string; sizeBytes: number }) => sha256.slice(0, 16) || `size${sizeBytes}`;
