import { z } from 'zod';
import { readJson, siteOf } from './info.ts';
import { listingMessage, type ListingSource } from './listing.ts';
import { extractorArguments, type Ytdlp } from './options.ts';

/** Metadata of a channel page. */
export interface ChannelInfo {
  site: string;
  siteId: string | null;
  /** URL of the channel. */
  url: string | null;
  /** Handle as shown at the site: `@name`. */
  handle: string | null;
  name: string | null;
  description: string | null;
  tags: string[];
  subscriberCount: number | null;
  /** URLs of the largest images. */
  avatarUrl: string | null;
  bannerUrl: string | null;
}

const text = (max: number) =>
  z
    .string()
    .transform((value) => value.toWellFormed().replaceAll('\0', '').trim().slice(0, max) || null)
    .nullable()
    .catch(null);

const Raw = z.object({
  extractor_key: z.string().max(100).optional().catch(undefined),
  id: text(200),
  title: text(200),
  channel: text(200),
  channel_id: text(200),
  channel_url: text(4000),
  uploader: text(200),
  uploader_id: text(200),
  webpage_url: text(4000),
  description: text(50_000),
  tags: z
    .array(text(200))
    .catch([])
    .transform((tags) => tags.filter((tag) => tag !== null).slice(0, 200)),
  channel_follower_count: z.number().min(0).transform(Math.round).nullable().catch(null),
  thumbnails: z
    .array(
      z.object({
        id: z.string().catch(''),
        url: z.string().max(4000),
        width: z.number().nullish().catch(null),
        height: z.number().nullish().catch(null),
      }),
    )
    .catch([]),
});

const lookUpMs = 120_000;

/**
 * Loads the metadata of a channel page without its videos.
 * @throws YtdlpFailed
 */
export async function lookUpChannel(ytdlp: Ytdlp, url: string, { lang, signal }: ListingSource): Promise<ChannelInfo> {
  const args = ['--flat-playlist', '--playlist-items=0', '--dump-single-json', ...extractorArguments({ extractor_lang: lang })];
  let last = '{}';
  for await (const line of listingMessage(ytdlp, args, url, signal, lookUpMs)) last = line;
  const raw = Raw.parse(readJson(last));
  const pictures = raw.thumbnails.filter((picture) => /^https?:\/\//i.test(picture.url) && URL.canParse(picture.url));
  const named = (word: string) => pictures.find((picture) => picture.id.startsWith(word))?.url;
  const square = pictures.findLast(({ width, height }) => width && width === height);
  const wide = pictures.findLast(({ width, height }) => width && height && width > height * 3);
  return {
    site: siteOf(raw.extractor_key),
    siteId: raw.channel_id ?? raw.uploader_id ?? raw.id,
    url: raw.channel_url ?? raw.webpage_url,
    handle: raw.uploader_id?.startsWith('@') ? raw.uploader_id : null,
    name: raw.channel ?? raw.uploader ?? raw.title,
    description: raw.description,
    tags: raw.tags,
    subscriberCount: raw.channel_follower_count,
    avatarUrl: named('avatar') ?? square?.url ?? null,
    bannerUrl: named('banner') ?? wide?.url ?? null,
  };
}
