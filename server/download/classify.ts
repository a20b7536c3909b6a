import type { VideoKind } from '#contract/values.ts';
import { decoded } from '../decoded.ts';

/** One thing that somebody wants in the archive. */
export interface Wanted {
  /** As it was written. */
  text: string;
  what: 'video' | 'channel' | 'playlist' | 'page';
  /** What yt-dlp is given. */
  url: string;
  /** The id on the wire, where the text tells it. */
  id?: string;
  /** Only this kind of a channel's videos, or what a video is. */
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

const videoAt = (text: string, id: string, kind?: VideoKind): Wanted => ({
  text,
  what: 'video',
  id,
  url: `${site}/watch?v=${id}`,
  ...(kind && { kind }),
});
const playlistAt = (text: string, id: string): Wanted => ({ text, what: 'playlist', id, url: `${site}/playlist?list=${id}` });
const channelAt = (text: string, path: string, tab?: string, id?: string): Wanted => {
  const kind = tab ? tabs[tab] : undefined;
  return { text, what: 'channel', url: `${site}/${path}`, ...(id && { id }), ...(kind && { kind }) };
};

// Pages of the site itself, which are no channel of that name.
const ownPages = new Set(
  'watch playlist shorts live embed v c user channel feed results hashtag account premium gaming music kids upload redirect about t'.split(
    ' ',
  ),
);

function fromYoutube(text: string, url: URL): Wanted | null {
  const v = url.searchParams.get('v');
  const list = url.searchParams.get('list');
  const [first = '', second = '', third] = url.pathname.split('/').filter(Boolean);
  if (url.hostname === 'youtu.be') return videoId.test(first) ? videoAt(text, first) : null;
  if (v !== null) return videoId.test(v) ? videoAt(text, v) : null;
  if (list !== null) return isPlaylistId(list) ? playlistAt(text, list) : null;
  if (first === 'shorts') return videoId.test(second) ? videoAt(text, second, 'shorts') : null;
  if (first === 'live' || first === 'embed' || first === 'v') return videoId.test(second) ? videoAt(text, second) : null;
  if (first === 'channel') return channelId.test(second) ? channelAt(text, `channel/${second}`, third, second) : null;
  if (/^@[\p{L}\p{N}_.·-]{1,100}$/u.test(decoded(first))) return channelAt(text, first, second);
  if ((first === 'c' || first === 'user') && /^[^/?#]{1,100}$/.test(second)) return channelAt(text, `${first}/${second}`, third);
  if (first === '' || ownPages.has(first)) return null;
  // An old address of a channel; anything else is for yt-dlp to say.
  if (second === '' || second in tabs) return channelAt(text, first, second);
  return { text, what: 'page', url: url.href };
}

const isYoutube = (host: string) => host === 'youtu.be' || /^((www|m|music)\.)?youtube(-nocookie)?\.com$/.test(host);

/** What one word in the box means, as the contract's §8 has it; null when it is nothing we understand. */
export function classify(word: string): Wanted | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(word)) {
    if (!/^https?:\/\//i.test(word) || word.length > 2000 || !URL.canParse(word)) return null;
    const url = new URL(word);
    if (isYoutube(url.hostname)) return fromYoutube(word, url);
    return { text: word, what: 'page', url: url.href };
  }
  if (/^((www|m|music)\.)?youtube\.com\/|^youtu\.be\//i.test(word)) return classify(`https://${word}`);
  if (videoId.test(word)) return videoAt(word, word);
  if (channelId.test(word)) return channelAt(word, `channel/${word}`, undefined, word);
  const [handle = '', tab] = word.split('/');
  if (/^@[\p{L}\p{N}_.·-]{1,100}$/u.test(handle)) return channelAt(word, encodeURI(handle), tab);
  return isPlaylistId(word) ? playlistAt(word, word) : null;
}

/** Reads everything in the box: what is wanted, once each, and the words that mean nothing. */
export function readBox(texts: string[]): { wanted: Wanted[]; strange: string[] } {
  const wanted = new Map<string, Wanted>();
  const strange: string[] = [];
  for (const word of texts.flatMap((text) => text.split(/\s+/)).filter(Boolean)) {
    const found = classify(word);
    if (found) wanted.set(`${found.url} ${found.kind ?? ''}`, found);
    else strange.push(word.length > 100 ? `${word.slice(0, 100)}…` : word);
  }
  return { wanted: [...wanted.values()], strange };
}
