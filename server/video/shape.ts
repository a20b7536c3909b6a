import type { Channel } from '#contract/channel.ts';
import type { Chapter, Comment, Player, Sponsorblock, Video } from '#contract/video.ts';
import type { CommentTable } from '../db/tables.ts';
import { shapeChannel } from '../channel/embed.ts';
import { durationText, isoTime } from '../time-text.ts';
import { storyboardUrl } from './storyboard-path.ts';
import { thumbnailUrl } from './thumbnail-path.ts';
import type { VideoRow } from './store.ts';

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/** One person's state on a video; position and progress only while there is something to resume. */
export function shapePlayer(row: { watchedAt: number | null; positionSeconds: number | null; durationSeconds: number }): Player {
  const { watchedAt, positionSeconds, durationSeconds } = row;
  const resumes = watchedAt === null && positionSeconds !== null && positionSeconds > 0;
  return {
    watched: watchedAt !== null,
    ...(watchedAt !== null && { watched_date: watchedAt }),
    duration: durationSeconds,
    duration_str: durationText(durationSeconds),
    ...(resumes && { position: positionSeconds }),
    ...(resumes && durationSeconds > 0 && { progress: Math.min(100, (100 * positionSeconds) / durationSeconds) }),
  };
}

/** The channel of a video, as it stands within it. */
export const shapeChannelOf = (row: VideoRow): Channel =>
  shapeChannel({
    id: row.channelId,
    name: row.channelName,
    description: row.channelDescription,
    tags: row.channelTags,
    tabs: row.channelTabs,
    subscriberCount: row.channelSubscriberCount,
    isActive: row.channelIsActive,
    isSubscribed: row.channelIsSubscribed,
    hasThumb: row.channelHasThumb,
    hasBanner: row.channelHasBanner,
    hasTvart: row.channelHasTvart,
    overwrites: row.channelOverwrites,
    refreshedAt: row.channelRefreshedAt,
  });

/** A video as the API shows it, without its channel, what somebody has watched of it and how well it fits what they look for. */
export function shapeVideo(row: VideoRow): Omit<Video, 'channel' | 'player' | '_score'> {
  return {
    youtube_id: row.id,
    title: row.title,
    description: row.description,
    published: isoTime(row.publishedAt),
    date_downloaded: row.downloadedAt,
    vid_last_refresh: isoTime(row.refreshedAt),
    active: row.isActive === 1,
    category: JSON.parse(row.categories) as string[],
    tags: JSON.parse(row.tags) as string[],
    vid_type: row.kind,
    vid_thumb_url: thumbnailUrl(row.id),
    media_url: `/youtube/${encodePath(row.mediaPath)}`,
    media_size: row.sizeBytes,
    comment_count: row.commentCount,
    playlist: row.playlists,
    stats: {
      view_count: row.viewCount,
      like_count: row.likeCount,
      dislike_count: row.dislikeCount,
      average_rating: row.averageRating,
    },
    streams: row.streams.map((stream) => ({
      type: stream.type,
      index: stream.position,
      codec: stream.codec,
      bitrate: stream.bitrate,
      ...(stream.width !== null && { width: stream.width }),
      ...(stream.height !== null && { height: stream.height }),
    })),
    subtitles: row.subtitles.map((subtitle) => ({
      ext: 'json3',
      name: subtitle.name,
      lang: subtitle.lang,
      source: subtitle.source,
      media_url: `/youtube/${encodePath(subtitle.path)}`,
      url: null,
    })),
    sponsorblock: row.sponsorblock === null ? null : shapeSponsorblock(JSON.parse(row.sponsorblock) as Sponsorblock),
    chapters: JSON.parse(row.chapters) as Chapter[],
    is_kept: row.isKept === 1,
    ...(row.damage !== null && { damage: row.damage }),
    source_url: row.url,
    storyboard_url: row.storyboardSheets ? storyboardUrl(row.id) : null,
    _index: 'ta_video',
  };
}

/** As clients know it: they skip what says so by itself, which only sponsors do; and it is unlocked when no part is locked. */
const shapeSponsorblock = ({ is_enabled, last_refresh, segments }: Sponsorblock): Sponsorblock => ({
  is_enabled,
  last_refresh,
  ...(segments.length > 0 && { has_unlocked: segments.every(({ locked }) => locked === 0) }),
  segments: segments.map((segment) => ({ ...segment, actionType: segment.category === 'sponsor' ? 'skip' : 'none' })),
});

const timeText = (epochSeconds: number) => {
  const text = new Date(epochSeconds * 1000).toISOString();
  return text.slice(11, 16) === '00:00' ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
};

/** A comment without its replies. */
export const shapeComment = (row: CommentTable): Omit<Comment, 'comment_replies'> => ({
  comment_id: row.id,
  comment_author: row.author,
  comment_author_id: row.authorId,
  comment_author_thumbnail: row.authorThumbnail,
  comment_text: row.text,
  comment_time_text: timeText(row.writtenAt),
  comment_timestamp: row.writtenAt,
  comment_likecount: row.likeCount,
  comment_is_favorited: row.isFavorited === 1,
  comment_author_is_uploader: row.isByUploader === 1,
  comment_parent: row.parent,
});
