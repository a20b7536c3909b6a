import { z } from 'zod';
import type { ContainerMetadata } from '../../../platform/media/container-metadata.ts';
import type { ForeignMetadata } from './foreign-metadata.ts';

// With add_metadata on, TubeArchivist 0.5.9 and later embed their metadata into the mp4 as the free-form atom `ta` of
// `com.tubearchivist`, which ffprobe shows as a tag of that name.

const Time = z.union([z.number(), z.string()]).nullish().catch(null);
const Comments = z.array(z.looseObject({})).catch([]);
const Document = z.object({
  video: z.looseObject({
    youtube_id: z.string().regex(/^[-\w]{11}$/),
    published: Time,
    date_downloaded: z.number().nullish().catch(null),
    vid_type: z.string().nullish().catch(null),
    channel: z.looseObject({}).catch({}),
    player: z.looseObject({}).catch({}),
    stats: z.looseObject({}).catch({}),
  }),
  comments: z
    .union([Comments, z.looseObject({ comment_comments: Comments }).transform((one) => one.comment_comments)])
    .nullish()
    .catch(null),
});

const wordsOf = (comment: Record<string, unknown>) => ({
  id: comment['comment_id'],
  parent: comment['comment_parent'],
  author: comment['comment_author'],
  author_id: comment['comment_author_id'],
  author_thumbnail: comment['comment_author_thumbnail'],
  text: comment['comment_text'],
  timestamp: comment['comment_timestamp'],
  like_count: comment['comment_likecount'],
  is_favorited: comment['comment_is_favorited'],
  author_is_uploader: comment['comment_author_is_uploader'],
});

/** Publication date: epoch seconds as number or digits, or `yyyy-mm-dd`. */
function timeOf(published: z.output<typeof Time>): { timestamp?: number; upload_date?: string } {
  if (typeof published === 'number' || /^\d+(\.\d+)?$/.test(published ?? '')) return { timestamp: Number(published) };
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(published ?? '') ?? [];
  return year ? { upload_date: `${year}${month}${day}` } : {};
}

/**
 * Reads the metadata that TubeArchivist embedded in a file, with field names of an info.json and the download time in epoch
 * seconds; null if there is none. Watch states and subscriptions are not read. The text is untrusted: `readInfo` bounds every
 * field.
 * @throws if the text is not such a document.
 */
export function tubearchivistMetadata({ tags }: ContainerMetadata): { note: ForeignMetadata; fetchedAt: number | null } | null {
  const text = tags.get('ta');
  if (text === undefined) return null;
  const { video, comments } = Document.parse(JSON.parse(text));
  const { youtube_id: id, channel, player, stats } = video;
  const url = `https://www.youtube.com/watch?v=${id}`;
  return {
    fetchedAt: video.date_downloaded ?? null,
    note: {
      by: 'tubearchivist',
      extractor: 'Youtube',
      id,
      url,
      isWhole: typeof channel['channel_id'] === 'string',
      fields: {
        title: video['title'],
        description: video['description'],
        channel_id: channel['channel_id'],
        channel: channel['channel_name'],
        channel_follower_count: channel['channel_subs'],
        ...timeOf(video.published),
        duration: player['duration'],
        view_count: stats['view_count'],
        like_count: stats['like_count'],
        tags: video['tags'],
        categories: video['category'],
        ...(video.vid_type === 'streams' && { live_status: 'was_live' }),
        ...(video.vid_type === 'shorts' && { media_type: 'short' }),
        comments: (comments ?? []).map(wordsOf),
      },
    },
  };
}
