import type { Channel } from '#contract/channel.ts';
import type { Chapter, Comment, Player, Sponsorblock, Video } from '#contract/video.ts';
import type { CommentTable, SubtitleSource } from '../../platform/db/schema/tables.ts';
import { serializeChannel } from '../channel/serialize.ts';
import { formatDuration, formatIso } from '../../platform/lib/format-time.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { mediaUrl } from '../storage/media-url.ts';
import { storyboardUrl } from '../storage/storyboard-path.ts';
import { limitationMessages, parseLimitation } from './limitation.ts';
import { parseRecording } from './recording.ts';
import { shapeMusic } from './music.ts';
import { parseBranding } from './branding.ts';
import { communityThumbnailUrl } from '../storage/community-thumbnail-path.ts';
import { parseUpgrade } from './upgrade.ts';
import { thumbnailUrl } from '../storage/thumbnail-path.ts';
import type { VideoRow } from './store.ts';

/** Returns the source of a subtitle track for the API, whose clients know no generated ones. */
export const apiSource = (source: SubtitleSource) => (source === 'generated' ? 'auto' : source);

/** Serializes the watch state of a user. Position and progress are included only if playback can be resumed. */
export function serializePlayer(row: {
  watchedAt: number | null;
  positionSeconds: number | null;
  durationSeconds: number;
}): Player {
  const { watchedAt, positionSeconds, durationSeconds } = row;
  const resumes = watchedAt === null && positionSeconds !== null && positionSeconds > 0;
  return {
    watched: watchedAt !== null,
    ...(watchedAt !== null && { watched_date: watchedAt }),
    duration: durationSeconds,
    duration_str: formatDuration(durationSeconds),
    ...(resumes && { position: positionSeconds }),
    ...(resumes && durationSeconds > 0 && { progress: Math.min(100, (100 * positionSeconds) / durationSeconds) }),
  };
}

/** Serializes the channel as part of a video. */
export const serializeChannelOf = (row: VideoRow): Channel =>
  serializeChannel({
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

function limitedOf(json: string | null): Pick<Video, 'limited'> {
  const limitation = parseLimitation(json);
  if (!limitation) return {};
  const messages = limitationMessages(limitation);
  return { limited: { failure: limitation.failure, message: renderMessages(messages), failure_messages: messages } };
}

function upgradeIn(json: string | null): Pick<Video, 'upgrade'> {
  const upgrade = parseUpgrade(json);
  if (!upgrade) return {};
  const { height, fps, codec, dynamicRange: dynamic_range, sizeBytes: size } = upgrade;
  return { upgrade: { height, fps, codec, dynamic_range, size } };
}

function recordingIn(json: string | null): Pick<Video, 'recording'> {
  const recording = parseRecording(json);
  if (!recording) return {};
  const { startedAt: started_at, reason: ended_early, gaps } = recording;
  return { recording: { started_at, ended_early, gaps } };
}

/** Serializes title and picture by viewers, if there are any. */
export function communityIn({
  id,
  branding,
}: Pick<VideoRow, 'id' | 'branding'>): Pick<Video, 'community_title' | 'community_thumb_url'> {
  const { title, thumbSeconds } = parseBranding(branding);
  return {
    ...(title !== null && { community_title: title }),
    ...(thumbSeconds !== null && { community_thumb_url: communityThumbnailUrl(id) }),
  };
}

function musicIn(row: VideoRow): Pick<Video, 'music'> {
  const music = shapeMusic(row);
  return music ? { music } : {};
}

const chatIn = ({ chatSource: source, chatMessages, chatIsComplete }: VideoRow): Pick<Video, 'chat'> =>
  source === null ? {} : { chat: { source, messages: chatMessages ?? 0, is_complete: chatIsComplete === 1 } };

/** Returns the chapters of the site, or else those generated from the transcript. */
function chaptersOf({ chapters, generatedChapters }: Pick<VideoRow, 'chapters' | 'generatedChapters'>): Chapter[] {
  const ofSite = JSON.parse(chapters) as Chapter[];
  return ofSite.length > 0 || generatedChapters === null ? ofSite : (JSON.parse(generatedChapters) as Chapter[]);
}

/** Serializes a video for the API, without channel, watch state and search score. */
export function serializeVideoRow(row: VideoRow): Omit<Video, 'channel' | 'player' | '_score'> {
  return {
    youtube_id: row.id,
    title: row.title,
    description: row.description,
    published: formatIso(row.publishedAt),
    date_downloaded: row.downloadedAt,
    vid_last_refresh: formatIso(row.refreshedAt),
    active: row.isActive === 1,
    category: JSON.parse(row.categories) as string[],
    tags: JSON.parse(row.tags) as string[],
    vid_type: row.kind,
    vid_thumb_url: thumbnailUrl(row.id),
    media_url: mediaUrl(row.mediaPath),
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
      ...(stream.lufs !== null && { lufs: stream.lufs }),
      ...(stream.truePeak !== null && { true_peak: stream.truePeak }),
    })),
    subtitles: row.subtitles.map((subtitle) => ({
      ext: 'json3',
      name: subtitle.name,
      lang: subtitle.lang,
      source: apiSource(subtitle.source),
      media_url: mediaUrl(subtitle.path),
      url: null,
      ...(subtitle.source === 'generated' && { is_generated: true, generator: `whisper ${subtitle.model ?? ''}`.trim() }),
    })),
    sponsorblock: row.sponsorblock === null ? null : shapeSponsorblock(JSON.parse(row.sponsorblock) as Sponsorblock),
    chapters: chaptersOf(row),
    is_protected: row.isProtected === 1,
    ...(row.damage !== null && { damage: renderMessages(parseMessages(row.damage)) }),
    ...limitedOf(row.limitation),
    ...upgradeIn(row.upgrade),
    ...(row.sourceSeconds !== null && { source_duration: row.sourceSeconds }),
    ...communityIn(row),
    ...musicIn(row),
    ...chatIn(row),
    ...recordingIn(row.live),
    source_url: row.url,
    storyboard_url: row.storyboardSheets ? storyboardUrl(row.id) : null,
    _index: 'ta_video',
  };
}

/** A video in which every part of the JSON occurs: stored JSON is outdated if it serializes differently than before. */
export const exampleVideo: VideoRow = {
  id: 'id',
  channelId: 'channel',
  title: 'Title',
  description: 'Description',
  kind: 'videos',
  url: 'https://site.example/1',
  publishedAt: 1_700_000_000,
  downloadedAt: 1_700_000_001,
  refreshedAt: 1_700_000_002,
  isActive: 1,
  durationSeconds: 600,
  sizeBytes: 1_000,
  mediaPath: 'channel/Ü 1.mp4',
  categories: '["Category"]',
  tags: '["tag"]',
  chapters: '[]',
  generatedChapters: '[{"title":"Chapter","start":0,"end":9,"is_generated":true}]',
  sponsorblock: JSON.stringify({
    is_enabled: true,
    last_refresh: 1,
    segments: ['sponsor', 'intro'].map((category) => ({
      category,
      segment: [1, 2],
      UUID: 'u',
      votes: 1,
      locked: 0,
      actionType: '',
    })),
  }),
  viewCount: 1,
  likeCount: 2,
  dislikeCount: 3,
  averageRating: 4.5,
  commentCount: 5,
  isProtected: 1,
  damage: 'Damage',
  limitation: JSON.stringify({ failure: 'sabr', height: 360, ytdlp: '2026.10.26', at: 1, tries: 0 }),
  upgrade: JSON.stringify({ height: 2160, fps: 50, codec: 'vp9', dynamicRange: 'sdr', sizeBytes: 7 }),
  sourceSeconds: 8,
  branding: '{"title":"Community title","thumbSeconds":1.5}',
  live: '{"startedAt":9,"reason":"stopped","gaps":[{"start":3,"seconds":2}]}',
  music: null,
  musicEdit: '{"artists":["Artist"],"album":"Album","track":"Track","year":2001}',
  storyboardSheets: 2,
  chatSource: 'replay',
  chatMessages: 9,
  chatIsComplete: 1,
  channelName: 'Channel',
  channelDescription: 'Description',
  channelTags: '["tag"]',
  channelTabs: '["videos"]',
  channelSubscriberCount: 6,
  channelIsActive: 1,
  channelIsSubscribed: 1,
  channelHasThumb: 1,
  channelHasBanner: 1,
  channelHasTvart: 1,
  channelOverwrites: '{"autodelete_days":3}',
  channelRefreshedAt: 1_700_000_003,
  streams: [
    { videoId: 'id', position: 0, type: 'video', codec: 'h264', bitrate: 7, width: 640, height: 360, lufs: null, truePeak: null },
    { videoId: 'id', position: 1, type: 'audio', codec: 'aac', bitrate: 8, width: null, height: null, lufs: -14, truePeak: -1 },
  ],
  subtitles: [
    { videoId: 'id', lang: 'de', source: 'auto', name: 'Deutsch', path: 'channel/1.de.vtt', model: null },
    { videoId: 'id', lang: 'en', source: 'generated', name: 'English', path: 'channel/1.en.vtt', model: 'base' },
  ],
  playlists: ['playlist'],
};

/**
 * In the form that API clients expect: they skip segments with the action "skip", which only sponsors have. `has_unlocked` is
 * true if no segment is locked.
 */
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

/** Serializes a comment without its replies. */
export const serializeComment = (row: CommentTable): Omit<Comment, 'comment_replies'> => ({
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
