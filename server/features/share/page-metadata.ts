import type { Db } from '../../platform/db/db.ts';
import { types } from '../../platform/http/files/media-types.ts';
import { xml } from '../../platform/lib/xml.ts';
import { extensionOf, type Episode } from '../podcast/find-episodes.ts';

// What programs read from the page of a link: previews of chat programs (https://ogp.me) and yt-dlp (schema.org/VideoObject).

interface PageContent {
  type: 'video' | 'playlist';
  name: string;
  /** Address of the link. */
  url: string;
  /** The video, or the first one of a playlist. */
  video: Episode | undefined;
  size: { width: number | null; height: number | null } | undefined;
  fileUrl(video: Episode, rest: string): string;
}

const longestDescription = 300;

/** Returns width and height of a video, if they are known. */
export const findPictureSize = (db: Db, videoId: string) =>
  db
    .selectFrom('stream')
    .select(['width', 'height'])
    .where('videoId', '=', videoId)
    .where('type', '=', 'video')
    .orderBy('position')
    .executeTakeFirst();

const meta = (name: string, content: string | number | null | undefined) =>
  content ? xml('meta', { [name.startsWith('og:') ? 'property' : 'name']: name, content }).text : '';

// A title could end the script.
const script = (data: object) => `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

/** Serializes the metadata of a link as HTML for the head of its page. The addresses in it are those that the page itself uses. */
export function renderPageMetadata({ type, name, url, video, size, fileUrl }: PageContent): string {
  const description = type === 'video' ? video?.description?.trim().slice(0, longestDescription) : undefined;
  const tags = [
    meta('og:site_name', 'Reelkeep'),
    meta('og:url', url),
    meta('og:title', name),
    meta('og:description', description),
    meta('description', description),
    meta('og:image', video && fileUrl(video, '.jpg')),
    meta('twitter:card', video && 'summary_large_image'),
  ];
  if (type === 'playlist' || !video) return [...tags, meta('og:type', 'website')].join('');
  const extension = extensionOf(video);
  const media = fileUrl(video, extension);
  const mediaType = types[extension];
  const kind = video.isAudioOnly ? 'audio' : 'video';
  tags.push(
    meta('og:type', video.isAudioOnly ? 'music.song' : 'video.other'),
    meta(`og:${kind}`, media),
    meta(`og:${kind}:secure_url`, media.startsWith('https:') ? media : null),
    meta(`og:${kind}:type`, mediaType),
    meta('og:video:width', size?.width),
    meta('og:video:height', size?.height),
    meta('og:video:duration', video.durationSeconds),
    script({
      '@context': 'https://schema.org',
      '@type': video.isAudioOnly ? 'AudioObject' : 'VideoObject',
      name,
      ...(video.description && { description: video.description }),
      thumbnailUrl: fileUrl(video, '.jpg'),
      uploadDate: new Date(video.publishedAt * 1000).toISOString(),
      duration: `PT${video.durationSeconds}S`,
      contentUrl: media,
      encodingFormat: mediaType,
      ...(size?.width && { width: size.width, height: size.height }),
      author: { '@type': 'Person', name: video.channelName },
    }),
  );
  return tags.join('');
}
