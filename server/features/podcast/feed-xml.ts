import { mediaTagsOf } from '../../archive/video/music.ts';
import { types } from '../../platform/http/files/media-types.ts';
import { textElement, xml, xmlDocument, type Xml } from '../../platform/lib/xml.ts';
import { encodedBitrate, audioPackingFor } from '../../platform/media/audio-packing.ts';
import { extensionOf, type Episode } from './find-episodes.ts';

// RSS 2.0 with the iTunes and Podcasting 2.0 namespaces, and Atom links for paging (RFC 5005).

const namespaces = {
  'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
  'xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
};

const [notExplicit, isFull] = [textElement('itunes:explicit', 'false'), textElement('itunes:episodeType', 'full')];

/** A page of a feed. */
export interface FeedPage {
  title: string;
  description: string | null;
  author: string | null;
  type: 'channel' | 'playlist' | 'smart-list' | 'new';
  media: 'audio' | 'video';
  /** Wanted language of audio. */
  sound: string | undefined;
  guid: string;
  /** Address of the feed without a page. */
  url: string;
  /** Address of the app. */
  link: string;
  coverUrl: string;
  page: number;
  pages: number;
  /** Position of the first episode in the list, from 1. */
  firstNumber: number;
  episodes: Episode[];
  /** Sizes of the M4A files that exist already. */
  audioSizes: Map<string, number>;
  /** Start of the addresses of the files of a video; the rest of the file name follows. */
  fileUrl(video: Episode): string;
}

// Podcast apps reject longer texts, or cut them.
const longestDescription = 4000;
const cut = (text: string) => text.slice(0, longestDescription);

const rfc822 = (seconds: number) => new Date(seconds * 1000).toUTCString();

/** Whether apps play the original file of audio. */
const playsEverywhere = (extension: string) => /^\.(m4a|mp3)$/.test(extension);

/** Bits per second that the index of an M4A file takes: a size and mostly an offset for each of 47 frames. Measured with AAC. */
const indexBitrate = 1600;

/** Returns the size of an M4A file that is not rendered yet, from the bitrate of its audio. */
function estimateBytes({ audio, mediaPath, durationSeconds }: Episode): number {
  const { encodes } = audioPackingFor(mediaPath, audio!, { withPicture: false, onlyM4a: true })!;
  const bits = encodes || audio!.bitrate <= 0 ? encodedBitrate : audio!.bitrate;
  return Math.ceil(((bits + indexBitrate) / 8) * durationSeconds);
}

/** End of the address of the audio: other tracks than the first are named by their language. */
const endingOfSound = ({ isFirst, language }: NonNullable<Episode['audio']>) => (isFirst ? '.m4a' : `.${language}.m4a`);

function enclosureOf(video: Episode, { media, audioSizes }: FeedPage, fileUrl: string): Xml {
  const extension = extensionOf(video);
  // A silent video has no audio to offer.
  const isOriginal =
    media === 'video' || !video.audio || (video.isAudioOnly && video.audio.isFirst && playsEverywhere(extension));
  return isOriginal
    ? xml('enclosure', {
        url: fileUrl + extension,
        length: video.sizeBytes,
        type: types[extension] ?? 'application/octet-stream',
      })
    : xml('enclosure', {
        url: `${fileUrl}${endingOfSound(video.audio!)}`,
        length: audioSizes.get(video.id) ?? estimateBytes(video),
        type: 'audio/mp4',
      });
}

/** Number of an episode: its position in a playlist. Other feeds are sorted by date. */
const numbersOf = ({ type }: FeedPage, number: number): (Xml | null)[] =>
  type === 'playlist' ? [textElement('itunes:episode', number), textElement('podcast:episode', number)] : [];

/** Returns the language that most episodes of a page have subtitles in, or null. */
function languageOf({ episodes }: FeedPage): string | null {
  const counts = new Map<string, number>();
  for (const { lang } of episodes.flatMap(({ subtitles }) => subtitles)) counts.set(lang, (counts.get(lang) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

function itemOf(video: Episode, page: FeedPage, number: number): Xml {
  const fileUrl = page.fileUrl(video);
  const title = video.title.trim() || video.id;
  const description = cut(video.description?.trim() || title);
  return xml(
    'item',
    {},
    textElement('title', title),
    textElement('link', video.url ?? `${page.link}/video/${encodeURIComponent(video.id)}/`),
    textElement('description', description),
    xml('guid', { isPermaLink: 'false' }, `reelkeep:${video.id}`),
    textElement('pubDate', rfc822(page.type === 'new' ? video.downloadedAt : video.publishedAt)),
    enclosureOf(video, page, fileUrl),
    textElement('itunes:title', title),
    textElement('itunes:author', mediaTagsOf(video).artist),
    textElement('itunes:duration', video.durationSeconds),
    xml('itunes:image', { href: `${fileUrl}.jpg` }),
    notExplicit,
    isFull,
    numbersOf(page, number),
    video.subtitles.flatMap(({ lang }) => [
      xml('podcast:transcript', {
        url: `${fileUrl}.${encodeURIComponent(lang)}.vtt`,
        type: 'text/vtt',
        language: lang,
        rel: 'captions',
      }),
      xml('podcast:transcript', { url: `${fileUrl}.${encodeURIComponent(lang)}.json`, type: 'application/json', language: lang }),
    ]),
    video.chapters !== '[]' && xml('podcast:chapters', { url: `${fileUrl}.chapters.json`, type: 'application/json+chapters' }),
  );
}

/**
 * Serializes a page of a feed. Each item becomes bytes at once: a thousand items as strings would outlive the young generation of
 * the server's small heap, and half of the time would be spent on garbage collections.
 */
export function renderFeed(page: FeedPage): Buffer {
  const [head = '', tail = ''] = renderFrame(page).split(placeOfItems);
  return Buffer.concat([
    Buffer.from(head),
    ...page.episodes.map((video, index) => Buffer.from(itemOf(video, page, page.firstNumber + index).text)),
    Buffer.from(tail),
  ]);
}

// A text in the feed cannot contain it, because its brackets would be escaped.
const placeOfItems = '<items/>';

/** Serializes everything but the items. */
function renderFrame(page: FeedPage): string {
  const { title, author, url, coverUrl, sound } = page;
  const urlOfPage = (number: number) => {
    const query = new URLSearchParams({ ...(number > 1 && { page: String(number) }), ...(sound && { sound }) });
    return query.size > 0 ? `${url}?${query}` : url;
  };
  const atomLink = (rel: string, number: number) =>
    xml('atom:link', { rel, href: urlOfPage(number), type: 'application/rss+xml' });
  const kind = page.media === 'audio' ? sound : 'video';
  const name = kind === undefined ? title : `${title} (${kind})`;
  return xmlDocument(
    xml(
      'rss',
      { version: '2.0', ...namespaces },
      xml(
        'channel',
        {},
        textElement('title', name),
        textElement('link', `${page.link}/`),
        textElement('description', cut(page.description?.trim() || title)),
        textElement('language', languageOf(page)),
        textElement('generator', 'Reelkeep'),
        atomLink('self', page.page),
        page.pages > 1 && [
          atomLink('first', 1),
          atomLink('last', page.pages),
          page.page > 1 && atomLink('previous', page.page - 1),
          page.page < page.pages && atomLink('next', page.page + 1),
        ],
        xml('image', {}, textElement('url', coverUrl), textElement('title', name), textElement('link', `${page.link}/`)),
        xml('itunes:image', { href: coverUrl }),
        textElement('itunes:author', author ?? 'Reelkeep'),
        xml('itunes:category', { text: 'TV & Film' }),
        notExplicit,
        textElement('itunes:type', page.type === 'playlist' ? 'serial' : 'episodic'),
        // A private feed: directories must not list it.
        textElement('itunes:block', 'Yes'),
        textElement('podcast:guid', page.guid),
        textElement('podcast:locked', 'yes'),
        textElement('podcast:block', 'yes'),
        textElement('podcast:medium', page.media === 'audio' ? 'podcast' : 'video'),
        xml('items', {}),
      ),
    ),
  );
}
