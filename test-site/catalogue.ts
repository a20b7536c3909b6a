/** Content of the test site: plain data that a test may write, read and change while the site runs. */
import type { Failure } from './youtube/failures.ts';

/** The channel tab of a video. */
export type VideoKind = 'video' | 'short' | 'stream';

/** Generators of video content; see media/scenes.ts. */
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

/** Appearance and sound of a video. Videos with the same look, size and duration share their files. */
export interface Look {
  scene: Scene;
  /** Any integer; determines colours, shapes and notes. */
  seed: number;
}

export interface Cue {
  startSeconds: number;
  endSeconds: number;
  text: string;
}

export interface SubtitleTrack {
  /** As on the site: `en`, `de`, `pt-BR`. */
  language: string;
  name: string;
  automatic: boolean;
  /** Only requests with a PO token get it; the address says so. */
  wantsPoToken?: boolean;
  cues: Cue[];
}

export interface Comment {
  id: string;
  text: string;
  author: string;
  authorId: string;
  likes: number;
  /** Relative time as on the site: `3 days ago`. */
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
 * Faults of the media of a video with a valid page.
 * `cut`: the connection ends after this many bytes, `times` times per file (default 1); then a resumed request works.
 * `slow`: bytes per second. `stall`: sends half of the file, then nothing, and keeps the connection.
 * `short`: the file lasts half as long as the page says. `half`: only the first half of the bytes exists.
 * `corrupt`: the right number of meaningless bytes. `page`: an HTML page with status 200 instead of the media.
 * `mute`: no format with audio. `forbidden`: 403. `tooMany`: 429.
 */
export type VideoFault =
  | { kind: 'cut'; afterBytes: number; times?: number }
  | { kind: 'slow'; bytesPerSecond: number }
  | { kind: 'stall' | 'short' | 'half' | 'corrupt' | 'page' | 'mute' | 'forbidden' | 'tooMany' };

/** A sound track of a video that has several. */
export interface Sound {
  /** As on the site: `en`, `de`, `pt-BR`. */
  language: string;
  /** In English; the site adds `original` or `descriptive`. */
  name: string;
  kind: 'original' | 'dubbed' | 'dubbed-auto' | 'descriptive';
  /** The site's player chooses it. Default: the original. */
  isDefault?: boolean;
  /** Default: that of the video. */
  durationSeconds?: number;
  /** Requests for its file are refused. */
  isForbidden?: boolean;
}

/** The fragments of a running stream, of a second each. */
export interface Stream {
  /** How many there are; at most the length of the video. */
  fragments: number;
  /** Numbers of those that the site has lost. */
  missing?: number[];
  /** The length of a fragment that the site announces. Default: 1, as it is. */
  fragmentSeconds?: number;
}

/** A message of the chat of a stream. */
export interface ChatMessage {
  id: string;
  /** Since the start of the stream. */
  atSeconds: number;
  author: string;
  /** Default: derived from the name. */
  authorId?: string;
  /** `:name:` is a custom emoji. Of a sticker: its description. */
  text?: string;
  /** Default: `text`. */
  kind?: 'text' | 'paid' | 'member' | 'sticker' | 'system';
  /** Of `paid` and `sticker`. */
  amount?: string;
  badges?: ('owner' | 'moderator' | 'member' | 'verified')[];
  /** When a moderator removed it. */
  removedAtSeconds?: number;
  /** With it, all messages of its author until then were removed. */
  isAuthorRemoved?: boolean;
}

/** A submission; defaults: one vote, not locked, not that of the channel. */
interface Submission {
  votes?: number;
  locked?: boolean;
  original?: boolean;
}
export interface Branding {
  titles?: (Submission & { title: string })[];
  /** No time: that of the channel. */
  thumbnails?: (Submission & { timestamp: number | null })[];
  /** Length that the service knows, in seconds. Default: that of the video. */
  durationSeconds?: number;
}

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
  /** Only in the dislike service, which answers 404 if absent. */
  dislikes?: number;
  kind: VideoKind;
  /** Large text on the thumbnail; none if empty. */
  headline: string;
  look: Look;
  /**
   * `vp9` adds WebM formats; `hdr` one that is announced as HDR; `ladder` adds a video format of half the size; `combined` adds one of half the size with sound and without
   * challenge (itag 18).
   */
  extraFormats: ('vp9' | 'hdr' | 'ladder' | 'combined')[];
  /** Just published: of the pictures only the one of half the size is there yet. */
  isProcessing?: boolean;
  /** Several sound tracks. Default: one, of which the site says nothing. */
  sounds?: Sound[];
  subtitles: SubtitleTrack[];
  comments: Comment[];
  commentsOff?: boolean;
  chapters: Chapter[];
  sponsors: SponsorSegment[];
  /** Titles and pictures by viewers, best first. Default: none. */
  branding?: Branding;
  live?: 'now' | 'upcoming';
  /** Of a running stream: what there is of it. A test adds to it. */
  stream?: Stream;
  /** Of a stream or premiere. While it runs, a test adds to it. `hasReplay`: default true. `failsFrom`: pages from this message on fail. */
  chat?: { messages: ChatMessage[]; hasReplay?: boolean; failsFrom?: number };
  /** The stream has ended, and its recording is not complete yet. */
  isPostLive?: boolean;
  /** Start of a past, running or upcoming stream. */
  startsAt?: Date;
  ageLimited?: boolean;
  unlisted?: boolean;
  /** The page redirects to this video. */
  movedTo?: string;
  fails?: Failure;
  fault?: VideoFault;
  /**
   * What a client has to solve before it gets media. `n` (default): a parameter; `signature`: also a signature; `unreadable`: as `n`, but
   * the player script is one that yt-dlp-ejs cannot read; `sabr`: no format has a URL; `none`: nothing, for versions of yt-dlp without
   * yt-dlp-ejs.
   */
  challenge?: 'n' | 'signature' | 'unreadable' | 'sabr' | 'none';
  /** Requests for media without a PO token are refused. */
  wantsPoToken?: boolean;
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
  /** One or two letters or a sign (no emoji) in the middle of the avatar. */
  initials: string;
  /** Tabs to show; default: all with content. */
  tabs?: ('videos' | 'shorts' | 'streams' | 'playlists')[];
  /** `renderer`: listings before 2025; `lockup`: since 2025. */
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

/** A page of the generic site, https://clips.example/watch/<slug>. */
export interface Clip {
  slug: string;
  title: string;
  description: string;
  durationSeconds: number;
  look: Look;
  /** URL of its file; default: on the same site. */
  source?: string;
  /** The page is behind a challenge of Cloudflare, which only browsers pass. */
  wantsBrowser?: boolean;
  /** Ids of the same video at https://tube.example, a PeerTube instance: the long and the short one. */
  peertubeIds?: string[];
  /** A video of several parts at bilibili.com, which can be listed. */
  bilibili?: { bvid: string; parts: number };
}

/**
 * A fault of a part of the site: every request whose host ends with `host` and whose path begins with `path` (both optional)
 * fails, `times` times (default: always; decremented in place).
 */
export interface Fault {
  host?: string;
  path?: string;
  times?: number;
  does: 'tooMany' | 'forbidden' | 'serverError' | 'notJson' | 'dropped' | 'stalled';
  /** With `tooMany`. */
  retryAfterSeconds?: number;
}

export interface YtdlpRelease {
  version: string;
  /** Content of the program file. */
  program: string;
  /** Content of the program with its own Python; default: `program`. */
  standalone?: string;
  hasWrongSum?: boolean;
  /** Instead of a signature by `releaseKey` (test-site/services/ytdlp-releases.ts). */
  signature?: 'missing' | 'by another key' | 'of other sums';
}

export interface Catalogue {
  channels: Channel[];
  videos: Video[];
  playlists: Playlist[];
  clips: Clip[];
  faults: Fault[];
  /** Releases of yt-dlp at github.com, the newest last. */
  ytdlpReleases: YtdlpRelease[];
  /** Response of https://releases.example/latest. */
  release: { version: string; breaking: boolean; notes_url?: string; community?: { name: string; url: string }[] };
  /** Users of the membership service at members.example by token, with the data they sent. */
  members: Record<string, Member>;
  /** youtube.com ends each login, as it does with cookies that it has replaced in the browser. */
  hasRotatedCookies?: boolean;
  /** Script served instead of the interpreter of the program for PO tokens. */
  interpreter?: string;
  /** Lifetime of an integrity token, and how long before its end another one is requested, in seconds. */
  integritySeconds?: [lifetime: number, threshold: number];
}

export interface Member {
  username: string;
  maxSubscriptions: number;
  /** Data of the last sync. */
  subscriptions: { channel_id: string; notify_videos: boolean; notify_streams: boolean; notify_shorts: boolean }[];
}

/** Returns the videos of a tab, newest first. */
export function videosOf(catalogue: Catalogue, channelId: string, kind: VideoKind): Video[] {
  return catalogue.videos
    .filter((video) => video.channelId === channelId && video.kind === kind && !video.unlisted)
    .sort((a, b) => b.published.getTime() - a.published.getTime());
}
