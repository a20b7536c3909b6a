/** An entry of a playlist for players. */
interface M3uEntry {
  title: string;
  durationSeconds: number;
  url: string;
}

// A line break in a title would start another line of the file.
// oxlint-disable-next-line no-control-regex
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim();

/** Content type of M3U. VLC expects HTTP Live Streaming from application/vnd.apple.mpegurl. */
export const m3uType = 'audio/x-mpegurl; charset=utf-8';

/** Serializes a playlist in the extended M3U format, UTF-8. */
export const renderM3u = (name: string, entries: M3uEntry[]): string =>
  [
    '#EXTM3U',
    `#PLAYLIST:${oneLine(name)}`,
    ...entries.flatMap(({ title, durationSeconds, url }) => [`#EXTINF:${durationSeconds},${oneLine(title)}`, url]),
    '',
  ].join('\n');
