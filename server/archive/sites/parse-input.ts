import type { VideoKind } from '#contract/field-types.ts';
import { safeDecodeUri } from '../../platform/lib/safe-decode-uri.ts';
import { parseSiteAddress } from '../../platform/ytdlp/site-addresses.ts';

/** One item of user input. */
export interface ParsedInput {
  /** The original text. */
  text: string;
  what: 'video' | 'channel' | 'playlist' | 'page';
  /** URL for yt-dlp. */
  url: string;
  /** Public id, if it is part of the text. Of a page: the id of its video, if it has only one. */
  id?: string;
  /** Extractor name of yt-dlp in lower case, and the id there, as far as they are known. */
  site?: string;
  siteId?: string;
  /** Only videos of this kind of a channel, or the kind of a video. */
  kind?: VideoKind;
}

const site = 'https://www.youtube.com';
const videoId = /^[-\w]{11}$/;
const channelId = /^UC[-\w]{22}$/;
const playlistLengths = new Set([13, 18, 26, 34, 41]);
const playlistPrefix = /^(PL|UU|UULF|UULP|UULV|UUSH|FL|OLAK5uy_|RD|EC|TLGG)/;
const tabs: Record<string, VideoKind> = { videos: 'videos', shorts: 'shorts', streams: 'streams' };

const isPlaylistId = (text: string) =>
  text === 'LL' ||
  text === 'WL' ||
  (/^[-\w]+$/.test(text) && (playlistLengths.has(text.length) || playlistPrefix.test(text)) && text.length >= 13);

const videoAt = (text: string, id: string, kind?: VideoKind): ParsedInput => ({
  text,
  what: 'video',
  id,
  site: 'youtube',
  siteId: id,
  url: `${site}/watch?v=${id}`,
  ...(kind && { kind }),
});
const playlistAt = (text: string, id: string): ParsedInput => ({
  text,
  what: 'playlist',
  id,
  url: `${site}/playlist?list=${id}`,
});
const channelAt = (text: string, path: string, tab?: string, id?: string): ParsedInput => {
  const kind = tab ? tabs[tab] : undefined;
  return { text, what: 'channel', url: `${site}/${path}`, ...(id && { id }), ...(kind && { kind }) };
};

// Paths of YouTube that are not channel names.
const ownPages = new Set(
  'watch playlist shorts live embed v c user channel feed results hashtag account premium gaming music kids upload redirect about t'.split(
    ' ',
  ),
);

function fromYoutube(text: string, url: URL): ParsedInput | null {
  const v = url.searchParams.get('v');
  const list = url.searchParams.get('list');
  const [first = '', second = '', third] = url.pathname.split('/').filter(Boolean);
  if (url.hostname === 'youtu.be') return videoId.test(first) ? videoAt(text, first) : null;
  if (v !== null) return videoId.test(v) ? videoAt(text, v) : null;
  if (list !== null) return isPlaylistId(list) ? playlistAt(text, list) : null;
  if (first === 'shorts') return videoId.test(second) ? videoAt(text, second, 'shorts') : null;
  if (first === 'live' || first === 'embed' || first === 'v') return videoId.test(second) ? videoAt(text, second) : null;
  if (first === 'channel') return channelId.test(second) ? channelAt(text, `channel/${second}`, third, second) : null;
  if (/^@[\p{L}\p{N}_.·-]{1,100}$/u.test(safeDecodeUri(first))) return channelAt(text, first, second);
  if ((first === 'c' || first === 'user') && /^[^/?#]{1,100}$/.test(second)) return channelAt(text, `${first}/${second}`, third);
  if (first === '' || ownPages.has(first)) return null;
  // A legacy channel URL; anything else is left to yt-dlp.
  if (second === '' || second in tabs) return channelAt(text, first, second);
  return { text, what: 'page', url: url.href };
}

const isYoutube = (host: string) => host === 'youtu.be' || /^((www|m|music)\.)?youtube(-nocookie)?\.com$/.test(host);

/** Parses one word of user input. Returns null if it is no known id, handle or URL. */
export function parseInput(word: string): ParsedInput | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(word)) {
    if (!/^https?:\/\//i.test(word) || word.length > 2000 || !URL.canParse(word)) return null;
    const url = new URL(word);
    if (isYoutube(url.hostname)) return fromYoutube(word, url);
    return { text: word, what: 'page', url: url.href, ...parseSiteAddress(url) };
  }
  if (/^((www|m|music)\.)?youtube\.com\/|^youtu\.be\//i.test(word)) return parseInput(`https://${word}`);
  if (videoId.test(word)) return videoAt(word, word);
  if (channelId.test(word)) return channelAt(word, `channel/${word}`, undefined, word);
  const [handle = '', tab] = word.split('/');
  if (/^@[\p{L}\p{N}_.·-]{1,100}$/u.test(handle)) return channelAt(word, encodeURI(handle), tab);
  return isPlaylistId(word) ? playlistAt(word, word) : null;
}

const isWebAddress = (word: string) => /^https?:\/\//i.test(word);

/**
 * Parses one line, which may contain several ids or URLs. If it also contains other words, such as a pasted title, only the URLs
 * count. Returns null if nothing is recognized.
 */
function readLine(line: string): ParsedInput[] | null {
  const words = line.split(/\s+/).map((word) => ({ word, found: parseInput(word) }));
  const allRecognized = words.every(({ found }) => found !== null);
  const found = words.flatMap(({ word, found: one }) => (one && (allRecognized || isWebAddress(word)) ? [one] : []));
  return found.length > 0 ? found : null;
}

/** Splits texts into trimmed non-empty lines. */
export const inputLines = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split(/\r\n|\n|\r/))
    .map((line) => line.trim())
    .filter(Boolean);

/** Parses input with one item per line. Returns the items without duplicates, and the invalid lines. */
export function parseLines(texts: readonly string[]): { items: ParsedInput[]; invalidLines: string[] } {
  const items = new Map<string, ParsedInput>();
  const invalidLines: string[] = [];
  for (const line of inputLines(texts)) {
    const found = readLine(line);
    if (!found) invalidLines.push(line.length > 200 ? `${line.slice(0, 200)}…` : line);
    else for (const one of found) items.set(`${(one.what === 'video' && one.id) || one.url} ${one.kind ?? ''}`, one);
  }
  return { items: [...items.values()], invalidLines };
}
