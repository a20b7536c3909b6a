import { z } from 'zod';
import type { Contract } from './call.ts';
import { Channel } from './channel.ts';
import { PageQuery, pageOf } from './page.ts';
import { TaskReply } from './task.ts';
import { bounds, decimal, flag, Id, integer, text, VideoKind } from './values.ts';

export const Player = z.object({
  watched: z.boolean(),
  watched_date: z.int().optional(),
  duration: z.int(),
  duration_str: z.string(),
  position: z.number().optional(),
  progress: z.number().optional(),
});
export type Player = z.infer<typeof Player>;

export const Stream = z.object({
  type: z.enum(['video', 'audio']),
  index: z.int(),
  codec: z.string(),
  bitrate: z.int(),
  width: z.int().optional(),
  height: z.int().optional(),
});

export const Subtitle = z.object({
  ext: z.enum(['json3', 'vtt']),
  name: z.string(),
  lang: z.string(),
  source: z.enum(['user', 'auto', 'file']),
  media_url: z.string(),
  url: z.string().nullable(),
});

export const SponsorSegment = z.object({
  UUID: z.string(),
  category: z.string(),
  actionType: z.string(),
  segment: z.tuple([z.number(), z.number()]),
  videoDuration: z.number(),
  votes: z.int(),
  locked: z.int(),
});

export const Sponsorblock = z.object({
  is_enabled: z.boolean(),
  last_refresh: z.int(),
  has_unlocked: z.boolean().optional(),
  segments: z.array(SponsorSegment),
});
export type Sponsorblock = z.infer<typeof Sponsorblock>;

/** Ours: the chapters of a video, in order, in seconds. */
export const Chapter = z.object({ title: z.string(), start: z.number(), end: z.number() });
export type Chapter = z.infer<typeof Chapter>;

export const Video = z.object({
  youtube_id: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  published: z.string(),
  date_downloaded: z.int(),
  vid_last_refresh: z.string(),
  active: z.boolean(),
  category: z.array(z.string()),
  tags: z.array(z.string()),
  vid_type: VideoKind,
  vid_thumb_url: z.string(),
  media_url: z.string(),
  media_size: z.int(),
  comment_count: z.int().nullable(),
  playlist: z.array(z.string()),
  channel: Channel,
  player: Player,
  stats: z.object({
    view_count: z.int(),
    like_count: z.int(),
    dislike_count: z.int(),
    average_rating: z.number(),
  }),
  streams: z.array(Stream),
  subtitles: z.array(Subtitle),
  sponsorblock: Sponsorblock.nullable(),
  /** Ours. */
  chapters: z.array(Chapter),
  /** Ours: no rule deletes it. */
  is_kept: z.boolean(),
  /** Ours: what was wrong with its file when it was last read. */
  damage: z.string().optional(),
  /** Ours: where the video came from. */
  source_url: z.string().nullable(),
  /** Ours: previews along its length, as WebVTT whose cues name a part of a picture (`#xywh=`). */
  storyboard_url: z.string().nullable(),
  _index: z.literal('ta_video'),
  _score: z.number(),
});
export type Video = z.infer<typeof Video>;

const bytes = integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional();

export const VideoFilter = z.object({
  ...PageQuery,
  playlist: Id.optional(),
  channel: Id.optional(),
  watch: z.enum(['watched', 'unwatched', 'continue']).optional(),
  sort: z.enum(['published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height']).default('published'),
  order: z.enum(['asc', 'desc']).default('desc'),
  type: VideoKind.optional(),
  height: integer({ min: 0, max: 100_000 }).optional(),
  ...bounds,
  /** Ours: archived on that day or later, and on that day or before, in the time zone of the server; `yyyy-mm-dd`. */
  downloaded_from: z.iso.date('A day is written as 2026-12-31.').optional(),
  downloaded_to: z.iso.date('A day is written as 2026-12-31.').optional(),
  /** Ours: what not every iPhone plays, by what would help: packed anew as MP4, or only fetched in another format. */
  awkward: z.enum(['pack', 'fetch']).optional(),
  /** Ours: with this tag; A to Z may be small or large. */
  tag: text(200).optional(),
  /** Ours: with subtitles in this language, whoever wrote them: `en` is every English, `en-gb` that one alone. */
  subtitles: text(35).optional(),
  /** Ours: with a picture in this codec, as ffprobe calls it: `h264`, `vp9`, `av1` … */
  codec: text(50).optional(),
  /** Ours: files of so many bytes. */
  min_size: bytes,
  max_size: bytes,
  /** Ours: with lines of subtitles that can be searched, or without. */
  transcript: flag().optional(),
  /** Ours: whose file was found missing, changed or unreadable when it was last looked at, or whose was not. */
  damaged: flag().optional(),
});
export type VideoFilter = z.output<typeof VideoFilter>;

export interface Comment {
  comment_id: string;
  comment_author: string;
  comment_author_id: string;
  comment_author_thumbnail: string;
  comment_text: string;
  comment_time_text: string;
  comment_timestamp: number;
  comment_likecount: number | null;
  comment_is_favorited: boolean;
  comment_author_is_uploader: boolean;
  comment_parent: string;
  comment_replies: Comment[];
}
export const Comment: z.ZodType<Comment> = z.object({
  comment_id: z.string(),
  comment_author: z.string(),
  comment_author_id: z.string(),
  comment_author_thumbnail: z.string(),
  comment_text: z.string(),
  comment_time_text: z.string(),
  comment_timestamp: z.int(),
  comment_likecount: z.int().nullable(),
  comment_is_favorited: z.boolean(),
  comment_author_is_uploader: z.boolean(),
  comment_parent: z.string(),
  get comment_replies() {
    return z.array(Comment);
  },
});

const Neighbour = z.object({
  youtube_id: z.string(),
  title: z.string(),
  uploader: z.string().nullable(),
  idx: z.int(),
  downloaded: z.boolean(),
  vid_thumb: z.string(),
});
export const PlaylistNav = z.object({
  playlist_meta: z.object({
    current_idx: z.int(),
    playlist_id: z.string(),
    playlist_name: z.string(),
    playlist_channel: z.string().nullable(),
  }),
  playlist_previous: Neighbour.nullable(),
  playlist_next: Neighbour.nullable(),
});
export type PlaylistNav = z.infer<typeof PlaylistNav>;

export const Watched = z.object({ id: text(200), is_watched: flag() });

const VideoId = z.object({ id: Id });

/** Ours: addresses that a player elsewhere may ask for without any login, and until when, epoch seconds. */
export const VideoLink = z.object({
  media_url: z.string(),
  vid_thumb_url: z.string(),
  subtitles: z.array(z.object({ lang: z.string(), name: z.string(), media_url: z.string() })),
  expires: z.int(),
});
export type VideoLink = z.infer<typeof VideoLink>;

const Facets = z.array(z.object({ value: z.string(), videos: z.int() }));

export const videoCalls = {
  'GET /api/video/': { may: 'user', does: 'List videos, newest first', query: VideoFilter, reply: pageOf(Video) },
  'GET /api/video/facets/': {
    may: 'user',
    does: 'Ours: which codecs, languages of subtitles and tags there are to filter by, and of how many videos; of tags the 50 most used, or of those that begin with `tag`',
    query: z.object({ tag: z.string().max(200).default('') }),
    reply: z.object({ tags: Facets, subtitles: Facets, codecs: Facets }),
  },
  'GET /api/video/:id/': { may: 'user', does: 'One video', params: VideoId, reply: Video },
  'POST /api/video/:id/keep/': {
    may: 'staff',
    does: 'Mark a video so that no rule deletes it, or not',
    params: VideoId,
    body: z.object({ is_kept: flag() }),
    reply: z.object({ is_kept: z.boolean() }),
  },
  'DELETE /api/video/:id/': {
    may: 'staff',
    does: 'Delete a video and its files; with `ignore` (ours) it is not fetched again',
    confirmed: true,
    params: VideoId,
    query: z.object({ ignore: flag().default(false) }),
  },
  'POST /api/video/delete/': {
    may: 'staff',
    does: 'Ours: delete these videos and their files; those that are gone already are passed over',
    confirmed: true,
    body: z.object({ ids: z.array(Id).min(1).max(1000) }),
    reply: z.object({ videos: z.int() }),
  },
  'POST /api/video/:id/progress/': {
    may: 'user',
    does: 'Save where the caller stopped; watched is set by itself near the end',
    params: VideoId,
    body: z.object({ position: decimal({ min: 0, max: 1e9 }).default(0) }),
    reply: Player,
  },
  'DELETE /api/video/:id/progress/': { may: 'user', does: 'Forget where the caller stopped', params: VideoId },
  'GET /api/video/:id/link/': {
    may: 'user',
    does: 'Ours: addresses of a video for a player elsewhere, good without a login for its length and six hours, at least a day',
    params: VideoId,
    reply: VideoLink,
  },
  'POST /api/video/:id/remux/': {
    may: 'staff',
    does: 'Ours: pack the file of a video anew as MP4, in the background; picture and sound stay what they are',
    params: VideoId,
    reply: TaskReply,
  },
  'GET /api/video/:id/similar/': { may: 'user', does: 'Up to six videos like this one', params: VideoId, reply: z.array(Video) },
  'GET /api/video/:id/comment/': { may: 'user', does: 'Comments with their replies', params: VideoId, reply: z.array(Comment) },
  'GET /api/video/:id/nav/': {
    may: 'user',
    does: 'The neighbours of a video in its playlists',
    params: VideoId,
    reply: z.array(PlaylistNav),
  },
  'POST /api/watched/': {
    may: 'user',
    does: 'Mark a video, or every video of a channel or playlist, for the caller',
    body: Watched,
    reply: Watched,
  },
} satisfies Contract;
