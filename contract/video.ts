import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { chatSources } from './chat.ts';
import { Channel } from './channel.ts';
import { FailureKind } from './download.ts';
import { dynamicRanges } from './playback.ts';
import { MessageJson } from './message-json.ts';
import { PageQuery, pageOf } from './page.ts';
import { WantedSounds } from './rendition.ts';
import { TaskReply } from './task.ts';
import { bounds, decimal, flag, Id, integer, text, VideoKind } from './field-types.ts';
import { TagName } from './tag.ts';

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
  /** Not in TubeArchivist: integrated loudness of a sound track, once it is measured. */
  lufs: z.number().optional(),
  /** Not in TubeArchivist: its highest true peak in dBTP. */
  true_peak: z.number().optional(),
});

export const Subtitle = z.object({
  ext: z.enum(['json3', 'vtt']),
  name: z.string(),
  lang: z.string(),
  source: z.enum(['user', 'auto', 'file']),
  media_url: z.string(),
  url: z.string().nullable(),
  /** Not in TubeArchivist: made by a speech model of this archive, and which. `source` is `auto` then. */
  is_generated: z.literal(true).optional(),
  generator: z.string().optional(),
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

/** Not in TubeArchivist: chapter, times in seconds. */
export const Chapter = z.object({
  title: z.string(),
  start: z.number(),
  end: z.number(),
  /** Generated from the transcript, because the site has none. */
  is_generated: z.literal(true).optional(),
});
export type Chapter = z.infer<typeof Chapter>;

/** Not in TubeArchivist: what a video is as a piece of music. */
const musicFields = {
  artists: z.array(z.string().trim().min(1).max(200)).max(20),
  album: z.string().trim().min(1).max(200).nullable(),
  track: z.string().trim().min(1).max(200).nullable(),
  year: z.int().min(1000).max(9999).nullable(),
};
export const Music = z.object({
  ...musicFields,
  /** Staff have written it; else it is what the source says. */
  is_edited: z.boolean(),
});
export type Music = z.infer<typeof Music>;

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
  /** Not in TubeArchivist: chapters in order. */
  chapters: z.array(Chapter),
  /** Not in TubeArchivist: protected from cleanup rules. */
  is_protected: z.boolean(),
  /** Not in TubeArchivist: damage found when the file was last checked. */
  damage: z.string().optional(),
  /** Not in TubeArchivist: archived in a lower quality than the site has, and why. It is replaced automatically if possible. */
  limited: z
    .object({
      failure: FailureKind,
      message: z.string(),
      /** `message` as ids with parameters. */
      failure_messages: z.array(MessageJson),
    })
    .optional(),
  /** Not in TubeArchivist: the better quality that the source offers. `height` is its class, as sites name it; sizes in bytes. */
  upgrade: z
    .object({
      height: z.int(),
      fps: z.int().nullable(),
      codec: z.string(),
      dynamic_range: z.enum(dynamicRanges).nullable(),
      size: z.int().nullable(),
    })
    .optional(),
  /** Not in TubeArchivist: length at the source in seconds, if it was edited there. */
  source_duration: z.int().optional(),
  /** Not in TubeArchivist: title and picture that viewers submitted to DeArrow. `title` and `vid_thumb_url` stay those of the channel. */
  community_title: z.string().optional(),
  community_thumb_url: z.string().optional(),
  /** Not in TubeArchivist: the chat of the stream or premiere. `is_complete`: false if a part could not be fetched or read. */
  chat: z.object({ source: z.enum(chatSources), messages: z.int(), is_complete: z.boolean() }).optional(),
  /** Not in TubeArchivist: the stream was recorded while it ran. `started_at`: epoch seconds; gaps: seconds of the file. */
  recording: z
    .object({
      started_at: z.int().nullable(),
      /** Why the recording ended before the stream. */
      ended_early: z.enum(['disk-full', 'too-long', 'stopped', 'no-more']).nullable(),
      gaps: z.array(z.object({ start: z.number(), seconds: z.number() })),
    })
    .optional(),
  /** Not in TubeArchivist: artists, album, track and year, if the source or staff tell any. */
  music: Music.optional(),
  /** Not in TubeArchivist: URL of the video at its site. */
  source_url: z.string().nullable(),
  /** Not in TubeArchivist: storyboard as WebVTT; each cue refers to a part of an image (`#xywh=`). */
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
  /** Default: `published`; with `watch=continue`, the time the caller watched last. Not in TubeArchivist: `title`. */
  sort: z.enum(['published', 'downloaded', 'views', 'likes', 'duration', 'mediasize', 'width', 'height', 'title']).optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
  type: VideoKind.optional(),
  height: integer({ min: 0, max: 100_000 }).optional(),
  ...bounds,
  /** Not in TubeArchivist: first and last day of archiving, `yyyy-mm-dd` in the time zone of the server. */
  downloaded_from: z.iso.date('A day is written as 2026-12-31.').optional(),
  downloaded_to: z.iso.date('A day is written as 2026-12-31.').optional(),
  /** Not in TubeArchivist: videos that some iPhones cannot play, fixed by remuxing to MP4 (`pack`) or only by another format (`fetch`). */
  incompatible: z.enum(['remux', 'redownload']).optional(),
  /** Not in TubeArchivist: tag; A to Z are case-insensitive. */
  tag: text(200).optional(),
  /** Not in TubeArchivist: one of the artists, or the album; A to Z are case-insensitive. */
  artist: text(400).optional(),
  album: text(400).optional(),
  /** Not in TubeArchivist: private tag of the caller, on the video or its channel. Tokens need the scope `notes`. */
  own_tag: TagName.optional(),
  /** Not in TubeArchivist: subtitle language, from any source. `en` includes all variants, `en-gb` only that one. */
  subtitles: text(35).optional(),
  /** Not in TubeArchivist: video codec as named by ffprobe: `h264`, `vp9`, `av1` … */
  codec: text(50).optional(),
  /** Not in TubeArchivist: file size in bytes. */
  min_size: bytes,
  max_size: bytes,
  /** Not in TubeArchivist: with or without a searchable transcript. */
  transcript: flag().optional(),
  /** Not in TubeArchivist: file was missing, changed or unreadable at its last check (true), or was not (false). */
  damaged: flag().optional(),
  /** Not in TubeArchivist: archived in a lower quality than the source has, so far as is known (true), or not (false). */
  limited: flag().optional(),
  /** Not in TubeArchivist: of a subscribed channel or in a subscribed playlist (true), or neither (false). */
  subscribed: flag().optional(),
  /** Not in TubeArchivist: still available at the source (true), or no longer (false). */
  active: flag().optional(),
  /**
   * Not in TubeArchivist, staff only: candidates for cleanup. They are not protected, in no custom playlist and not in
   * progress for any user. `watched`: at least one user has finished them; `unopened`: no user has started them; `any`: both and others.
   */
  cleanup: z.enum(['watched', 'unopened', 'any']).optional(),
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

/** Not in TubeArchivist: signed URLs for external players, which need no login, and their expiry in epoch seconds. */
export const VideoLink = z.object({
  media_url: z.string(),
  vid_thumb_url: z.string(),
  subtitles: z.array(z.object({ lang: z.string(), name: z.string(), media_url: z.string() })),
  expires: z.int(),
});
export type VideoLink = z.infer<typeof VideoLink>;

const Facets = z.array(z.object({ value: z.string(), videos: z.int() }));

const CompatibleCopies = z.object({
  count: z.int(),
  media_size: z.int(),
  data: z.array(
    z.object({
      youtube_id: z.string(),
      title: z.string(),
      channel_name: z.string(),
      /** Shorter side of the picture, in pixels. */
      height: z.int(),
      media_size: z.int(),
      fetched_at: z.int(),
    }),
  ),
});

export const videoCalls = {
  'GET /api/video/': { may: 'user', does: 'List videos, newest first', query: VideoFilter, reply: pageOf(Video) },
  'GET /api/channel/:id/video/': {
    may: 'user',
    does: 'List the videos of a channel (path of TubeArchivist before 0.5)',
    params: z.object({ id: Id }),
    query: VideoFilter,
    reply: pageOf(Video),
  },
  'GET /api/playlist/:id/video/': {
    may: 'user',
    does: 'List the videos of a playlist (path of TubeArchivist before 0.5)',
    params: z.object({ id: Id }),
    query: VideoFilter,
    reply: pageOf(Video),
  },
  'GET /api/video/facets/': {
    may: 'user',
    does: 'List codecs, subtitle languages and tags with their numbers of videos; of tags the 50 most used, or of those that start with `tag` (Reelkeep)',
    query: z.object({ tag: z.string().max(200).default('') }),
    reply: z.object({ tags: Facets, subtitles: Facets, codecs: Facets }),
  },
  'GET /api/video/:id/': { may: 'user', does: 'Get a video', params: VideoId, reply: Video },
  'POST /api/video/:id/protect/': {
    may: 'staff',
    does: 'Protect a video from cleanup rules, or remove the protection (Reelkeep)',
    params: VideoId,
    body: z.object({ is_protected: flag() }),
    reply: z.object({ is_protected: z.boolean() }),
  },
  'DELETE /api/video/:id/': {
    may: 'staff',
    does: 'Delete a video and its files; `ignore` (Reelkeep) prevents another download',
    confirmed: true,
    params: VideoId,
    query: z.object({ ignore: flag().default(false) }),
  },
  'POST /api/video/delete/': {
    may: 'staff',
    does: 'Delete several videos and their files; missing videos are skipped (Reelkeep)',
    confirmed: true,
    body: z.object({ ids: z.array(Id).min(1).max(1000) }),
    reply: z.object({ videos: z.int() }),
  },
  'POST /api/video/:id/progress/': {
    may: 'user',
    scope: 'watch',
    does: "Save the caller's position; near the end the video is marked as watched automatically",
    params: VideoId,
    body: z.object({ position: decimal({ min: 0, max: 1e9 }).default(0) }),
    reply: Player,
  },
  'DELETE /api/video/:id/progress/': { may: 'user', scope: 'watch', does: "Delete the caller's position", params: VideoId },
  'GET /api/video/:id/link/': {
    may: 'user',
    does: 'Create signed URLs of a video for external players. They need no login and are valid for the duration of the video plus six hours, at least one day (Reelkeep)',
    params: VideoId,
    reply: VideoLink,
  },
  'POST /api/video/:id/remux/': {
    may: 'staff',
    does: 'Remux the file of a video to MP4 in the background, without re-encoding (Reelkeep)',
    params: VideoId,
    reply: TaskReply,
  },
  'POST /api/video/:id/music/': {
    may: 'staff',
    does: 'Set artists, album, track and year of a video, which a refresh does not change then; `null` restores what the source says (Reelkeep)',
    params: VideoId,
    body: z.object({ music: z.object(musicFields).nullable() }),
    reply: z.object({ music: Music.nullable() }),
  },
  'POST /api/video/:id/loudness/': {
    may: 'staff',
    does: 'Measure the loudness of the sound tracks of a video again, in the background (Reelkeep)',
    params: VideoId,
    reply: TaskReply,
  },
  'POST /api/video/sounds/': {
    may: 'staff',
    does: 'Fetch sound tracks in more languages for archived videos, in the background; missing videos are skipped (Reelkeep)',
    conflict: 'sound tracks are being fetched already',
    body: WantedSounds.extend({ ids: z.array(Id).min(1).max(1000) }),
    reply: TaskReply,
  },
  'POST /api/video/:id/upgrade/': {
    may: 'staff',
    does: 'Download a video again in the better quality, or the other length, that its source has, in the background; the file before goes to the trash, or becomes a video of its own (keep_both). Or decline that quality (Reelkeep)',
    conflict: 'no better quality is known',
    params: VideoId,
    body: z.object({ action: z.enum(['replace', 'keep_both', 'decline']) }),
  },
  'POST /api/video/copies/': {
    may: 'staff',
    does: 'Fetch copies of archived videos as H.264 and AAC, which play everywhere, in the background; videos that play everywhere or have one are skipped (Reelkeep)',
    conflict: 'copies are being fetched already',
    body: z.object({ ids: z.array(Id).min(1).max(1000) }),
    reply: TaskReply,
  },
  'GET /api/video/copies/': {
    may: 'staff',
    does: 'List the 100 largest compatible copies, with number and size of all (Reelkeep)',
    reply: CompatibleCopies,
  },
  'POST /api/video/copies/delete/': {
    may: 'staff',
    does: 'Delete compatible copies permanently; the videos keep their files. Returns number and size of the deleted copies (Reelkeep)',
    body: z.object({ ids: z.array(Id).min(1).max(100) }),
    reply: z.object({ count: z.int(), media_size: z.int() }),
  },
  'GET /api/video/:id/chat/': {
    may: 'user',
    does: 'Get the chat of a stream or premiere with the list of its parts, of five minutes each (Reelkeep)',
    params: VideoId,
    reply: z.object({
      source: z.enum(chatSources),
      messages: z.int(),
      is_complete: z.boolean(),
      fetched_at: z.int(),
      chunks: z.array(z.object({ n: z.int(), from_ms: z.int(), to_ms: z.int(), messages: z.int() })),
    }),
  },
  'GET /api/video/:id/chat/:n/': {
    may: 'user',
    does: 'Get the messages of one part of a chat as JSON lines (Reelkeep)',
    params: VideoId.extend({ n: integer({ min: 0, max: 1_000_000 }) }),
    bytes: 'out',
    type: 'application/x-ndjson',
  },
  'GET /api/video/:id/chat/search/': {
    may: 'user',
    does: 'Find messages of a chat by their text or author, the first 200 of them (Reelkeep)',
    params: VideoId,
    query: z.object({ query: z.string().trim().min(1).max(200) }),
    reply: z.object({
      matches: z.array(z.object({ t: z.int(), name: z.string(), text: z.string() })),
      has_more: z.boolean(),
    }),
  },
  'GET /api/video/:id/chat/export/': {
    may: 'user',
    does: 'Download a chat as JSON lines or as captions in WebVTT (Reelkeep)',
    params: VideoId,
    query: z.object({ format: z.enum(['jsonl', 'vtt']).default('jsonl') }),
    bytes: 'out',
  },
  'POST /api/video/:id/chat/': {
    may: 'staff',
    does: 'Fetch the replay of the chat of a stream or premiere of YouTube in the background, and merge it with the present chat (Reelkeep)',
    params: VideoId,
    reply: TaskReply,
  },
  'GET /api/video/:id/similar/': { may: 'user', does: 'List up to six similar videos', params: VideoId, reply: z.array(Video) },
  'GET /api/video/:id/comment/': {
    may: 'user',
    does: 'List the comments of a video with their replies',
    params: VideoId,
    reply: z.array(Comment),
  },
  'GET /api/video/:id/nav/': {
    may: 'user',
    does: 'Get the previous and next videos in the playlists of a video',
    params: VideoId,
    reply: z.array(PlaylistNav),
  },
  'POST /api/watched/': {
    may: 'user',
    scope: 'watch',
    does: 'Mark a video, or all videos of a channel or playlist, as watched or unwatched for the caller',
    body: Watched,
    reply: Watched,
  },
} satisfies Contract;
