/** What the stand-in site knows: plain data that a test may write, read and change while the site runs. */
import type { Failure } from '#standin/youtube/failures.ts';

/** Which tab of its channel a video stands in. */
export type VideoKind = 'video' | 'short' | 'stream';

/** Generators of moving pictures; see media/scenes.ts. */
export type Scene =
  | 'blend'
  | 'nebula'
  | 'moon'
  | 'train'
  | 'planks'
  | 'loaf'
  | 'sunset'
  | 'skyline'
  | 'meadow'
  | 'fractal'
  | 'cells'
  | 'pattern';

/** How a video looks and sounds. Two videos with the same look, size and length share their files. */
export interface Look {
  scene: Scene;
  /** Any whole number: colours, shapes and notes follow from it. */
  seed: number;
}

export interface Cue {
  startSeconds: number;
  endSeconds: number;
  text: string;
}

export interface SubtitleTrack {
  /** As the site writes it: `en`, `de`, `pt-BR`. */
  language: string;
  name: string;
  automatic: boolean;
  cues: Cue[];
}

export interface Comment {
  id: string;
  text: string;
  author: string;
  authorId: string;
  likes: number;
  /** In the site's words: `3 days ago`. */
  ago: string;
  byUploader?: boolean;
  hearted?: boolean;
  pinned?: boolean;
  replies?: Comment[];
}

export interface Chapter {
  startSeconds: number;
  title: string;
}

export interface SponsorSegment {
  category: string;
  startSeconds: number;
  endSeconds: number;
  locked?: boolean;
  votes?: number;
}

/**
 * What goes wrong with the bytes of a video while its page looks healthy.
 * `cut`: the connection ends after so many bytes, `times` times a file (1 unless said), then all is well; a resumed request works.
 * `slow`: bytes a second. `stall`: sends half of the file, then nothing, and keeps the connection.
 * `short`: the file lasts half as long as the page says. `half`: only the first half of the bytes exists.
 * `corrupt`: the right number of meaningless bytes. `page`: an HTML page with status 200 in place of the bytes.
 * `mute`: no format with sound is offered. `forbidden`: 403. `tooMany`: 429.
 */
export type Trouble =
  | { kind: 'cut'; afterBytes: number; times?: number }
  | { kind: 'slow'; bytesPerSecond: number }
  | { kind: 'stall' | 'short' | 'half' | 'corrupt' | 'page' | 'mute' | 'forbidden' | 'tooMany' };

export interface Video {
  /** Eleven characters of `A–Z a–z 0–9 _ -`. */
  id: string;
  channelId: string;
  title: string;
  /** Without the chapter lines, which the page adds from `chapters`. */
  description: string;
  durationSeconds: number;
  width: number;
  height: number;
  published: Date;
  tags: string[];
  category: string;
  views: number;
  likes: number;
  /** Known to the dislike service only; it answers 404 when absent. */
  dislikes?: number;
  kind: VideoKind;
  /** Big words on the thumbnail; none when empty. */
  headline: string;
  look: Look;
  /** `vp9` offers a WebM pair beside the MP4 pair; `ladder` a second, half as large picture. */
  extraFormats: ('vp9' | 'ladder')[];
  subtitles: SubtitleTrack[];
  comments: Comment[];
  commentsOff?: boolean;
  chapters: Chapter[];
  sponsors: SponsorSegment[];
  live?: 'now' | 'upcoming';
  /** Of a stream, past, running or announced. */
  startsAt?: Date;
  ageLimited?: boolean;
  unlisted?: boolean;
  /** The page sends the visitor to this other video. */
  movedTo?: string;
  fails?: Failure;
  trouble?: Trouble;
}

export interface Channel {
  /** `UC` and 22 characters. */
  id: string;
  /** With the `@`. */
  handle: string;
  name: string;
  description: string;
  tags: string[];
  subscribers: number;
  look: Look;
  /** One or two letters or an emoji-free sign in the middle of the avatar. */
  initials: string;
  /** Tabs shown even when empty, or hidden even when not; without it, each tab that has something. */
  tabs?: ('videos' | 'shorts' | 'streams' | 'playlists')[];
  /** `renderer` as listings looked for years, `lockup` as they look since 2025. */
  layout: 'renderer' | 'lockup';
  gone?: 'terminated' | 'missing';
}

export interface Playlist {
  id: string;
  channelId: string;
  title: string;
  description: string;
  videoIds: string[];
  private?: boolean;
}

/** A page of the plain other site, https://clips.example/watch/<slug>. */
export interface Clip {
  slug: string;
  title: string;
  description: string;
  durationSeconds: number;
  look: Look;
}

/**
 * Something wrong with a part of the site: every request whose host ends in `host` and whose path begins with `path`
 * (both match everything when absent) is spoiled, `times` times (for ever when absent; counted down in place).
 */
export interface Fault {
  host?: string;
  path?: string;
  times?: number;
  does: 'tooMany' | 'forbidden' | 'serverError' | 'notJson' | 'dropped' | 'stalled';
  /** With `tooMany`. */
  retryAfterSeconds?: number;
}

export interface Catalogue {
  channels: Channel[];
  videos: Video[];
  playlists: Playlist[];
  clips: Clip[];
  faults: Fault[];
  /** Releases of yt-dlp at github.com, the newest last: the text of each program, and a wrong sum if it is to have one. */
  ytdlpReleases: { version: string; program: string; hasWrongSum?: boolean }[];
  /** What https://releases.example/latest answers. */
  release: { version: string; breaking: boolean };
  /** Who may use the membership service at members.example, by token, and what was sent to it. */
  members: Record<string, Member>;
}

export interface Member {
  username: string;
  mostSubscriptions: number;
  /** What the last sync sent. */
  subscriptions: { channel_id: string; notify_videos: boolean; notify_streams: boolean; notify_shorts: boolean }[];
}

/** The videos of one tab, newest first. */
export function videosOf(catalogue: Catalogue, channelId: string, kind: VideoKind): Video[] {
  return catalogue.videos
    .filter((video) => video.channelId === channelId && video.kind === kind && !video.unlisted)
    .sort((a, b) => b.published.getTime() - a.published.getTime());
}
