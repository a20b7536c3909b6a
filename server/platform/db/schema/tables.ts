import type { MeaningModel } from '#contract/meaning-models.ts';
import type { ChatSource } from '#contract/chat.ts';
import type { DynamicRange } from '#contract/playback.ts';
import type { SoundKind } from '#contract/rendition.ts';
import type { Generated } from 'kysely';

// Times (…At) are whole seconds, flags 0 | 1, lists and objects JSON text that SQL does not look into, on every engine.

type Flag = 0 | 1;
export type BackCatalogue = 'none' | 'newest' | 'all';
type Json = string;

export interface SettingTable {
  /** section.key */
  name: string;
  value: Json;
}

export interface ChannelTable {
  /** Public id. */
  id: string;
  site: string;
  siteId: string;
  /** Normalized handle: `@name`. */
  handle: string | null;
  name: string;
  /** Normalized, for sorting and comparing. */
  sortName: string;
  url: string | null;
  description: string | null;
  tags: Generated<Json>;
  tabs: Generated<Json>;
  subscriberCount: Generated<number>;
  isActive: Generated<Flag>;
  isSubscribed: Generated<Flag>;
  hasThumb: Generated<Flag>;
  hasBanner: Generated<Flag>;
  hasTvart: Generated<Flag>;
  overwrites: Json | null;
  addedAt: number;
  refreshedAt: number;
  /** Download rules that override the global ones. */
  rules: Json | null;
  scannedAt: number | null;
  /** Last complete listing; after it the feed reports new videos. */
  lastFullScanAt: number | null;
  /** Choice for the back catalogue in the first scan; null: as in the settings. */
  backCatalogue: BackCatalogue | null;
  /** When the site first reported it as gone, and the failure class. It counts as gone after a confirmation on another day. */
  unavailableSince: number | null;
  unavailableReason: string | null;
}

export interface VideoTable {
  /** Public id: unchanged for YouTube, else `<site>.<id>`. */
  id: string;
  site: string;
  siteId: string;
  channelId: string;
  title: string;
  sortTitle: string;
  description: string | null;
  kind: 'videos' | 'streams' | 'shorts';
  url: string | null;
  publishedAt: number;
  downloadedAt: number;
  refreshedAt: number;
  isActive: Generated<Flag>;
  durationSeconds: number;
  sizeBytes: number;
  /** SHA-256 of the media file, hex. */
  sha256: string;
  /** Relative to the media folder, with forward slashes. */
  mediaPath: string;
  width: Generated<number>;
  height: Generated<number>;
  categories: Generated<Json>;
  tags: Generated<Json>;
  chapters: Generated<Json>;
  sponsorblock: Json | null;
  viewCount: Generated<number>;
  likeCount: Generated<number>;
  dislikeCount: Generated<number>;
  averageRating: Generated<number>;
  commentCount: number | null;
  /** As for channels. */
  unavailableSince: number | null;
  unavailableReason: string | null;
  /** Protected from cleanup rules. */
  isProtected: Generated<Flag>;
  /** Last check of the file, and the damage found. */
  verifiedAt: number | null;
  damage: string | null;
  /** Why it was archived in a lower quality than the site has, and the attempts to replace it (limitation.ts); null: it was not. */
  limitation: Json | null;
  /** The better version that the source offers (upgrade.ts); null if none is known. */
  upgrade: Generated<Json | null>;
  /** Automatic downloads of better versions, and the declined version. */
  upgradeLog: Generated<Json | null>;
  /** Length at the source if it was edited there; null if it is that of the file, or unknown. */
  sourceSeconds: Generated<number | null>;
  /** Title and picture by viewers (branding.ts); null if there are none. */
  branding: Generated<Json | null>;
  /** How its stream was recorded (recording.ts); null if it was not. */
  live: Generated<Json | null>;
  /** Artists, album, track and year according to the source (music.ts); null if it is no music. */
  music: Generated<Json | null>;
  /** The same as staff have written it; null if they have not. */
  musicEdit: Generated<Json | null>;
}

/** How the serialized JSON of a video depends on a column: it contains the column, selects other rows by it, or does neither. */
type SerializedUse = 'value' | 'join' | 'none';

/** Every column of `video`. The columns to read, and those whose updates invalidate the serialized JSON, follow from it. */
export const videoColumns = {
  id: 'value',
  site: 'none',
  siteId: 'none',
  channelId: 'value',
  title: 'value',
  sortTitle: 'none',
  description: 'value',
  kind: 'value',
  url: 'value',
  publishedAt: 'value',
  downloadedAt: 'value',
  refreshedAt: 'value',
  isActive: 'value',
  durationSeconds: 'value',
  sizeBytes: 'value',
  sha256: 'join', // of the storyboard
  mediaPath: 'value',
  width: 'none',
  height: 'none',
  categories: 'value',
  tags: 'value',
  chapters: 'value',
  sponsorblock: 'value',
  viewCount: 'value',
  likeCount: 'value',
  dislikeCount: 'value',
  averageRating: 'value',
  commentCount: 'value',
  unavailableSince: 'none',
  unavailableReason: 'none',
  isProtected: 'value',
  verifiedAt: 'none',
  damage: 'value',
  limitation: 'value',
  upgrade: 'value',
  upgradeLog: 'none',
  sourceSeconds: 'value',
  branding: 'value',
  live: 'value',
  music: 'value',
  musicEdit: 'value',
} as const satisfies Record<keyof VideoTable, SerializedUse>;

/** Every column of `channel`, likewise. */
export const channelColumns = {
  id: 'none', // of the video
  site: 'none',
  siteId: 'none',
  handle: 'none',
  name: 'value',
  sortName: 'none',
  url: 'none',
  description: 'value',
  tags: 'value',
  tabs: 'value',
  subscriberCount: 'value',
  isActive: 'value',
  isSubscribed: 'value',
  hasThumb: 'value',
  hasBanner: 'value',
  hasTvart: 'value',
  overwrites: 'value',
  addedAt: 'none',
  refreshedAt: 'value',
  rules: 'none',
  scannedAt: 'none',
  lastFullScanAt: 'none',
  backCatalogue: 'none',
  unavailableSince: 'none',
  unavailableReason: 'none',
} as const satisfies Record<keyof ChannelTable, SerializedUse>;

type ColumnsWith<T, Use> = { [C in keyof T]: T[C] extends Use ? C : never }[keyof T] & string;

/** Returns the columns with one of these uses. */
export const columnsWith = <T extends Record<string, SerializedUse>, Use extends SerializedUse>(columns: T, ...uses: Use[]) =>
  Object.keys(columns).filter((name) => (uses as SerializedUse[]).includes(columns[name]!)) as ColumnsWith<T, Use>[];

/** Earlier titles, descriptions and thumbnails. */
export interface MetadataHistoryTable {
  videoId: string;
  field: 'title' | 'description' | 'thumbnail';
  replacedAt: number;
  /** The text, or the file name of a thumbnail. */
  value: string;
}

/** A subtitle cue for the search. */
export interface TranscriptLineTable {
  videoId: string;
  lang: string;
  position: number;
  startSeconds: number;
  endSeconds: number;
  text: string;
}

export interface StreamTable {
  videoId: string;
  position: number;
  type: 'video' | 'audio';
  codec: string;
  bitrate: number;
  width: number | null;
  height: number | null;
  /** Language tag of a sound track, if the site or the file has one. */
  language: Generated<string | null>;
  /** What a sound track is, if the site says so. */
  kind: Generated<SoundKind | null>;
  /** Profile of a picture in ffprobe, such as `High 10`; empty if it has none, null if it was not looked up yet. */
  profile: Generated<string | null>;
  /** Bits per sample of a picture. */
  bitDepth: Generated<number | null>;
  dynamicRange: Generated<DynamicRange | null>;
  /** Integrated loudness of a sound track, LUFS; null if it is silent or not measured. */
  lufs: Generated<number | null>;
  /** Its highest true peak, dBTP. */
  truePeak: Generated<number | null>;
  /** Its loudness was measured, or could not be. */
  isMeasured: Generated<Flag>;
}

/** Written by people, generated by the site, extracted from or found next to the video file, or generated by a speech model. */
export type SubtitleSource = 'user' | 'auto' | 'file' | 'generated';

export interface SubtitleTable {
  videoId: string;
  lang: string;
  source: SubtitleSource;
  name: string;
  /** Relative to the media folder. */
  path: string;
}

export interface CommentTable {
  videoId: string;
  id: string;
  position: number;
  /** Id of the parent comment, or "root". */
  parent: string;
  author: string;
  authorId: string;
  authorThumbnail: string;
  text: string;
  writtenAt: number;
  likeCount: number | null;
  isFavorited: Flag;
  isByUploader: Flag;
}

export interface PlaylistTable {
  id: string;
  kind: 'regular' | 'custom';
  name: string;
  sortName: string;
  description: string | null;
  channelId: string | null;
  channelName: string | null;
  url: string | null;
  isActive: Generated<Flag>;
  isSubscribed: Generated<Flag>;
  sortOrder: Generated<'top' | 'bottom'>;
  hasThumb: Generated<Flag>;
  refreshedAt: number;
  rules: Json | null;
  scannedAt: number | null;
  /** As for channels. */
  backCatalogue: BackCatalogue | null;
  /** Whether new entries are downloaded automatically; null: as in the settings. */
  autoStart: Flag | null;
  unavailableSince: number | null;
  unavailableReason: string | null;
  /** Account that created a custom playlist; null for others, and after the account was deleted. */
  ownerId: number | null;
  /** Visible to all users. */
  isShared: Generated<Flag>;
}

export interface PlaylistEntryTable {
  playlistId: string;
  position: number;
  videoId: string;
  title: string;
  uploader: string | null;
  /**
   * When the video was added to the playlist (epoch seconds, or a position in a list of playlists). Determines the order of the
   * playlists of a video.
   */
  addedOrder: Generated<number>;
}

/** Archived videos of a playlist, each at its first position. Maintained by triggers. */
export interface PlaylistVideoTable {
  playlistId: string;
  position: number;
  videoId: string;
}

/** Storyboard of a video. */
export interface StoryboardTable {
  videoId: string;
  /** Number of sheets; 0 if the file has no video, so that it is not tried again. */
  sheets: number;
  /** SHA-256 of the media file it was rendered from. */
  sourceSha256: string;
}

/** Videos without a storyboard of their current file. Maintained by triggers. */
export interface StoryboardPendingTable {
  videoId: string;
}

// Accounts and credentials.

export interface AccountTable {
  id: Generated<number>;
  /** Normalized: names are case-insensitive. */
  normalizedName: string;
  name: string;
  passwordHash: string;
  isStaff: Flag;
  isSuperuser: Flag;
  config: Generated<Json>;
  createdAt: number;
  lastLoginAt: number | null;
  isDisabled: Generated<Flag>;
  /** The password was generated and only allows choosing another one. */
  mustChoosePassword: Generated<Flag>;
  /** Increased to invalidate all signed URLs. */
  signatureVersion: Generated<number>;
  /** May create share links. Staff may always. */
  mayShare: Generated<Flag>;
  /** May request transcripts. Staff may always. */
  mayTranscribe: Generated<Flag>;
  /** Agrees that library views and media servers use the watch state. */
  sharesWatchState: Generated<Flag>;
}

/** Identity of an account at an OpenID provider. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  accountId: number;
  addedAt: number;
}

export interface SessionTable {
  /** SHA-256 of the cookie: read access to the database does not allow logging in. */
  keyHash: string;
  accountId: number;
  csrfToken: string;
  remember: Flag;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
  /** User agent and last address. */
  browser: Generated<string>;
  address: Generated<string>;
  /** When the user authenticated, here or at the provider before. 0: unknown. */
  authenticatedAt: Generated<number>;
}

export interface TokenTable {
  accountId: number;
  tokenHash: string;
  /** AES-256-GCM with the key file, because the API shows the token again. */
  sealed: string;
  createdAt: number;
}

/** A token that was shown once; only its SHA-256 is stored. */
export interface NamedTokenTable {
  number: Generated<number>;
  accountId: number;
  name: string;
  tokenHash: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  /** Words separated by spaces: read, watch, download, staff. */
  scopes: string;
}

/** Watch state of a user for a video. */
export interface WatchTable {
  accountId: number;
  videoId: string;
  watchedAt: number | null;
  positionSeconds: number | null;
  updatedAt: number;
}

/** A named filter, sort and order of a user. */
export interface SmartListTable {
  number: Generated<number>;
  accountId: number;
  name: string;
  /** Normalized, for sorting. */
  sortName: string;
  /** Query parameters of the video list. */
  filter: Json;
  /** Visible to all users. */
  isShared: Generated<Flag>;
  createdAt: number;
}

/** Last visit of a user. */
export interface SmartListVisitTable {
  accountId: number;
  listNumber: number;
  visitedAt: number;
}

/** A podcast feed of a user. */
export interface PodcastTable {
  number: Generated<number>;
  accountId: number;
  type: 'channel' | 'playlist' | 'smart-list' | 'new';
  /** Empty for `new`. */
  targetId: string;
  media: 'audio' | 'video';
  /** SHA-256 of the secret in the address. */
  secretHash: string;
  /** The secret, encrypted, because the address is shown again. */
  sealed: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** A link for people without an account. */
export interface ShareTable {
  number: Generated<number>;
  accountId: number;
  type: 'video' | 'playlist';
  targetId: string;
  secretHash: string;
  sealed: string;
  passwordHash: string | null;
  /** Null: never. */
  expiresAt: number | null;
  allowsDownload: Flag;
  views: Generated<number>;
  createdAt: number;
  lastViewedAt: number | null;
}

// Library views for media servers.

export interface LibraryViewTable {
  number: Generated<number>;
  name: string;
  /** Absolute path. */
  root: string;
  /** Content of the marker file in the root, which tells it from the mount point of an unmounted disk. */
  marker: string;
  preset: 'jellyfin' | 'kodi' | 'plex' | 'flat' | 'playlist' | 'music' | 'custom';
  template: string | null;
  contentType: 'all' | 'channel' | 'playlist' | 'smart-list';
  contentId: string | null;
  link: 'auto' | 'hard' | 'reflink' | 'symbolic' | 'copy';
  linkUsed: 'hard' | 'reflink' | 'symbolic' | 'copy' | null;
  linkReason: Json | null;
  hasNfo: Flag;
  hasArtwork: Flag;
  subtitles: 'none' | 'srt' | 'vtt';
  hasChapters: Flag;
  /** Account whose watch state the NFO files contain, if it agrees. */
  personId: number | null;
  /** Account that chose the content. A private playlist of another one is not shown. */
  chosenBy: number | null;
  state: Generated<'new' | 'ready' | 'failed' | 'deleting'>;
  problem: Json | null;
  /** Id of the task that has queued everything. */
  queuedBy: string | null;
  /** When the last attempt failed. */
  failedAt: number | null;
  builtAt: number | null;
  videos: Generated<number>;
  files: Generated<number>;
}

/** The manifest of a view: the files it created, or is about to create. Nothing else is ever removed. */
export interface ViewFileTable {
  viewNumber: number;
  /** The path as case-insensitive file systems compare it. */
  key: string;
  /** Relative to the root, with forward slashes. */
  path: string;
  /** Id of the video; `channel:<id>` or `playlist:<id>` for files of a folder. */
  owner: string;
  /** `media`, `nfo`, `thumb`, `subtitle:<language>`, or the name of a file of a folder. */
  part: string;
  /** `channel:<id>` or `playlist:<id>` of the folder; empty without one. */
  groupId: string;
  /** Path of the folder of the season; of media files only. */
  season: string | null;
  /** Identifies the source it was made from. */
  stamp: string;
  /** Size and time of the file, or the target of the link, as it was created. Null until it is. */
  mark: string | null;
  /** Day of a channel, and the number of the video within it; of media files only. */
  slot: string | null;
  slotNumber: number | null;
}

/** Changes to apply to a view. Written by triggers, and by a build for everything. */
export interface ViewPendingTable {
  number: Generated<number>;
  viewNumber: number;
  /** `group`: the files of the folder of a channel or playlist. */
  kind: 'video' | 'group';
  id: string;
  /** Increased by each further change, so that one during the update is not lost. */
  version: Generated<number>;
}

// Media servers that read library views.

export interface MediaServerTable {
  number: Generated<number>;
  kind: 'jellyfin' | 'emby' | 'plex' | 'kodi';
  name: string;
  address: string;
  /** The token, encrypted. Null after a restore with another key. */
  sealed: string | null;
  /** Folders here and as the server sees them: `[{from, to}]`. */
  mappings: Json;
  /** `new`: no request has succeeded yet. `stopped`: given up until a test succeeds. `rejected`: until the token is changed. */
  state: Generated<'new' | 'ready' | 'retrying' | 'stopped' | 'rejected'>;
  problem: Json | null;
  /** What failed last. Only its own success, or that of a test, ends the failure. */
  failedIn: 'refresh' | 'sync' | 'test' | null;
  /** Attempts that failed in a row. */
  failures: Generated<number>;
  failedAt: number | null;
  /** Nothing is sent automatically before. */
  nextAt: Generated<number>;
  refreshedAt: number | null;
  syncedAt: number | null;
  nextSyncAt: Generated<number>;
  /** Report of the last synchronization that changed something or was started by a user. */
  report: Json | null;
}

/** Which user of a media server an account is. */
export interface MediaServerPersonTable {
  serverNumber: number;
  accountId: number;
  userId: string;
  userName: string;
  /** Plex: the token of this person, encrypted. */
  sealed: string | null;
  problem: Json | null;
}

/** A folder to refresh on a media server. */
export interface MediaServerRefreshTable {
  number: Generated<number>;
  serverNumber: number;
  /** Folder of the view, which may be deleted meanwhile. */
  root: string;
  /** Absolute path. For Kodi also of an NFO file that was written again. */
  folder: string;
  change: 'Created' | 'Modified' | 'Deleted';
  firstAt: number;
  lastAt: number;
  /** Increased by each further change, so that one during the request is not lost. */
  version: Generated<number>;
}

/** Watch state of an item of a media server and of its video, as they were after the last synchronization. */
export interface MediaServerItemTable {
  serverNumber: number;
  accountId: number;
  itemId: string;
  videoId: string;
  isWatchedHere: Flag;
  /** Whole seconds. */
  positionHere: number;
  isWatchedThere: Flag;
  positionThere: number;
  /** When the item was last listed, updated weekly. */
  seenAt: number;
}

/** A playlist that is pushed to a media server. */
export interface MediaServerPlaylistTable {
  serverNumber: number;
  playlistId: string;
  /** Playlist of the server that was created for it, and its name and user there. */
  remoteId: string | null;
  name: string | null;
  userId: string | null;
  /** Hash of what was wanted and of what the server then had, so that what it does not accept is not sent again. */
  stamp: string | null;
  /** To be deleted on the server. */
  isRemoved: Generated<Flag>;
  /** The playlist was deleted on the server and created again. */
  isRecreated: Generated<Flag>;
  /** Account that chose it. A private playlist of another one is not pushed. */
  chosenBy: number | null;
  problem: Json | null;
}

// Download queue and tasks.

export interface DownloadTable {
  /** Own number, which is the name of the work folder. */
  number: Generated<number>;
  id: string;
  site: string;
  siteId: string;
  url: string;
  title: string;
  /** Normalized, for the search. */
  normalizedTitle: string;
  channelId: string;
  channelName: string;
  kind: 'videos' | 'streams' | 'shorts' | 'unknown';
  durationSeconds: number | null;
  publishedAt: number | null;
  thumbnailUrl: string | null;
  status: 'pending' | 'ignore';
  autoStart: Flag;
  /** Its subscription only lists new uploads: it is downloaded only on request of a user, never by the schedule. */
  isOnRequest: Generated<Flag>;
  /**
   * 1: downloaded again although it is archived. 2: replaces the archived file only if it is better, 3: also if it has another length;
   * the file before goes to the trash.
   */
  isForced: Generated<Flag | 2 | 3>;
  /** Class of the last failure; null without a failure. */
  failure: string | null;
  message: string | null;
  queuedAt: number;
  attempts: Generated<number>;
  /** Consecutive failures, and the time of the next attempt; null: only on request. */
  failures: Generated<number>;
  retryAt: number | null;
  /** Run that has claimed the item, and the end of its lease. */
  leasedBy: string | null;
  leaseUntil: number | null;
  /** Number of claims. The holder of an earlier one can no longer write. */
  epoch: Generated<number>;
  /** Network address of the run that claimed it last, as in `node`. */
  egress: Generated<string>;
  /** It failed on a server that does not use the cookies; only those that do claim it. */
  needsLogin: Generated<Flag>;
  /** Its lease is that of a recording, which does not count for the limit of a site. */
  isRecording: Generated<Flag>;
  /** When its stream starts or has started, epoch seconds; null if the site has not said so. */
  startsAt: Generated<number | null>;
}

/** The last download from a site that was started from a network address. */
export interface SiteVisitTable {
  site: string;
  egress: string;
  startedAt: number;
}

/** Cooldown of a site after a refusal. */
export interface SiteCooldownTable {
  site: string;
  /** Network address that was refused, as in `node`. */
  egress: string;
  untilAt: number;
  failure: string;
  message: string;
  /** Consecutive refusals. */
  refusals: number;
}

/** A migration after which servers of the version before can still use the database. */
export interface ExpansionTable {
  name: string;
}

/** A server that uses this database together with others. */
export interface NodeTable {
  name: string;
  role: 'all' | 'web' | 'worker';
  /** Identifies its start in leases. */
  runId: string;
  /** Network address from which it reaches sites: a name from its configuration; empty: the usual one. */
  egress: string;
  version: string;
  /** Version of yt-dlp that it uses. */
  ytdlp: string | null;
  isLeader: Flag;
  /** Staff wants it to claim no new work. Cleared by its next start. */
  isDraining: Flag;
  /** Messages in JSON: problems of its machine. */
  problems: string;
  startedAt: number;
  /** Updated every few seconds. */
  seenAt: number;
  /** Epoch of the maintenance for which this node has interrupted its work. */
  quietEpoch: number | null;
}

/** One row: the node that replaces all data, and why the others may not change anything. Null if there is none. */
export interface MaintenanceTable {
  id: number;
  runId: string | null;
  /** A message as JSON. */
  why: string | null;
  /** Number of maintenances. */
  epoch: number;
}

/** What a limiter has counted, if several servers use this database. The names are those of rate-limiter-flexible. */
export interface RateLimitTable {
  /** Name of the limiter and what it counts, such as a network. */
  key: string;
  points: number;
  /** End of its period, epoch milliseconds. */
  expire: number;
}

/** A rendition that players wait for, or that has failed recently. */
export interface RenditionRequestTable {
  videoId: string;
  /** File name in the folder of the video. */
  name: string;
  /** Stamp of the source file. */
  stamp: string;
  /** Index among the streams of the file. */
  track: number;
  withPicture: Flag;
  onlyM4a: Flag;
  /** When it was last requested, or when it failed. */
  askedAt: number;
  /** Reason of the failure. */
  failure: string | null;
}

/** When the feed of a channel was last read. */
export interface FeedPollTable {
  channelId: string;
  readAt: number;
}

/** The last “mark as watched” of a user that can be undone, in parts of 1,000 videos. */
export interface UndoableMarkTable {
  accountId: number;
  part: number;
  /** Key for undoing it. */
  name: string;
  markedAt: number;
  /** The watched time that was set; null for unwatched. */
  watchedAt: number | null;
  /** States before, as an array of PreviousWatch. */
  before: Json;
}

/** Which key encrypts the values of this database. One row. */
export interface KeyFingerprintTable {
  id: 1;
  /** Of the current key. */
  fingerprint: string;
}

/** Entries seen in listings, including those excluded by rules. */
export interface SeenEntryTable {
  videoId: string;
  channelId: string;
  title: string;
  kind: 'videos' | 'streams' | 'shorts' | 'unknown';
  durationSeconds: number | null;
  publishedAt: number | null;
  isMembersOnly: Flag;
  seenAt: number;
  /** Part of the back catalogue that its subscription skips. */
  isSkipped: Generated<Flag>;
  /** When the video was deleted. Scans do not add it again; null: not deleted, or not by a user. */
  deletedAt: Generated<number | null>;
}

/** Position of an interrupted listing. */
export interface ListingPositionTable {
  url: string;
  position: number;
  updatedAt: number;
}

/** Files that are being published to a bucket. The rows of the video are their commit, with which this row is deleted. */
export interface UploadTable {
  /** Also part of the names of the files, so that no name is ever used twice. */
  id: string;
  /** Number of the queue item. */
  number: number;
  /** The server that uploads. */
  runId: string;
  startedAt: number;
  /** Stored paths. */
  paths: Json;
  /** What remains to be done when all files are in the bucket, which any server can do; null before. */
  manifest: Json | null;
}

/** Identifies the archive in its bucket, so that the bucket of another archive is refused. */
export interface BucketTable {
  id: 1;
  marker: string;
  /** While all files are moved to or from it, so that no server starts in between. */
  movingTo: 'bucket' | 'folders' | null;
}

/** A file without a row, to be deleted now or at the next start. */
export interface PendingDeletionTable {
  path: string;
}

/** Videos, channels and playlists to refresh, in this order. */
export interface RefreshRequestTable {
  number: Generated<number>;
  kind: 'video' | 'channel' | 'playlist';
  id: string;
  isManual: Flag;
}

export interface TaskTable {
  id: string;
  name: string;
  input: Json;
  status: 'pending' | 'running' | 'success' | 'failure' | 'stopped';
  /** The task name while it is queued or running, for tasks that run once at a time; null for parallel ones. */
  singletonName: string | null;
  messages: Generated<Json>;
  progress: number | null;
  isError: Generated<Flag>;
  command: 'STOP' | 'KILL' | 'PAUSE' | null;
  result: string | null;
  queuedAt: number;
  startedAt: number | null;
  endedAt: number | null;
  leasedBy: string | null;
  leaseUntil: number | null;
  /** Number of claims. The holder of an earlier one can no longer write. */
  epoch: Generated<number>;
  attempts: Generated<number>;
  /** How often the process that ran it ended without stopping it. */
  crashes: Generated<number>;
  /** Number of log lines of each kind, including those not stored. */
  counts: Generated<Json>;
  problems: Generated<number>;
}

/** What another node does and did in a run. */
export interface RunShareTable {
  taskId: string;
  /** Run id of the node. */
  runId: string;
  egress: string;
  /** Its progress. */
  report: Json;
  /** Number of its log lines of each kind. */
  counts: Json;
  /** Messages about failed items. */
  skipped: Json;
  /** It takes part until then; renewed while it does. */
  activeUntil: number;
}

/** A log line of a run. */
export interface RunLogTable {
  number: Generated<number>;
  taskId: string;
  kind: 'problem' | 'new' | 'left-out' | 'step';
  subject: string;
  reason: string | null;
  /** Last output of the failed program. */
  output: string | null;
  videoId: string | null;
  loggedAt: number;
}

/** An import from another program: its report, and until `undoUntil` what it changed. */
export interface MigrationTable {
  id: string;
  taskId: string;
  program: string;
  /** Name of the file or folder, for people. */
  source: string;
  input: Json;
  /** Encrypted token of a live source; deleted at the end. */
  sealed: string | null;
  accountId: number;
  isDryRun: Flag;
  status: 'pending' | 'running' | 'done' | 'failed' | 'undone';
  /** Counts by kind of data. */
  counts: Generated<Json>;
  problems: Generated<number>;
  /** The error that ended it. */
  error: Json | null;
  startedAt: number;
  endedAt: number | null;
  undoUntil: number | null;
}

/** A line of the report. */
export interface MigrationLineTable {
  number: Generated<number>;
  migrationId: string;
  kind: 'problem' | 'note';
  subject: string;
  reason: Json;
}

/** Something that an import added or changed, in this order. An undo reverts it unless it was changed since. */
export interface MigrationChangeTable {
  number: Generated<number>;
  migrationId: string;
  /** The kind of data of the report that counts it; null for a change that goes with another. */
  take: string | null;
  kind: 'channel' | 'playlist' | 'source' | 'download' | 'seen' | 'watch' | 'entries' | 'video';
  subject: string;
  state: Json | null;
}

export interface ScheduleTable {
  /** Name of the task. */
  name: string;
  /** Minute, hour, day of the week. */
  schedule: string;
  config: Json;
  lastRunAt: number | null;
  nextAt: number;
}

/** Secrets that must be decrypted again: AES-256-GCM with the key file. */
export interface SecretTable {
  name: 'cookie' | 'potoken' | 'membership' | 'pot-provider' | 'pot-proxy';
  sealed: string;
  /** Data about the secret. */
  state: Json;
  updatedAt: number;
}

/** Notification targets of tasks. */
export interface NotifyTargetTable {
  number: Generated<number>;
  taskName: string;
  urlHash: string;
  sealed: string;
}

/** Pending notifications; retried for a day. */
export interface OutboxTable {
  number: Generated<number>;
  sealed: string;
  message: Json;
  attempts: Generated<number>;
  nextAt: number;
  createdAt: number;
}

// Trash.

/** A deleted video, or the file of one that was replaced by a better one. The same video may be in the trash several times. */
export interface TrashTable {
  number: Generated<number>;
  videoId: string;
  title: string;
  channelId: string;
  channelName: string;
  sizeBytes: number;
  /** Only the file is in the trash; its video is still archived, with another one. */
  isReplacedFile: Generated<Flag>;
  deletedAt: number;
  /** Name of the user; null for a cleanup rule. */
  deletedBy: string | null;
  /** Message of the rule. */
  reason: string | null;
  /** The deletion added the video to the ignore list. */
  addedToIgnoreList: Flag;
  /** Folder of its files: a unique name, which is never used again. */
  folder: string;
  /** Observed time in the trash, and the time of the last observation. */
  retainedSeconds: Generated<number>;
  observedAt: Generated<number>;
}

/** Rows of the video in other tables, in parts. */
export interface TrashRowsTable {
  trashNumber: number;
  tableName: string;
  part: number;
  rows: Json;
}

/** A file of a video in the trash. */
export interface TrashFileTable {
  folder: string;
  /** Name in that folder. */
  name: string;
  /** Original stored path (server/platform/storage/stored-path.ts). */
  path: string;
  /** To be moved to the trash, in the trash, or to be moved back. */
  state: 'leaving' | 'in' | 'returning';
}

// Counters and statistics.

/** Videos per channel and kind. Maintained by triggers. A row may be 0. */
export interface VideoCountTable {
  channelId: string;
  kind: 'videos' | 'streams' | 'shorts';
  isActive: Flag;
  videos: number;
  sizeBytes: number;
  durationSeconds: number;
}

/** Archived videos per kind and availability, for totals. Maintained by triggers. A row may be 0. */
export type VideoKindCountTable = Omit<VideoCountTable, 'channelId'>;

/** Watched videos per user, channel and kind. Maintained by triggers. A row may be 0. */
export interface WatchCountTable {
  accountId: number;
  channelId: string;
  kind: 'videos' | 'streams' | 'shorts';
  videos: number;
  durationSeconds: number;
}

/** Watched videos per user and kind, for totals. Maintained by triggers. A row may be 0. */
export type WatchKindCountTable = Omit<WatchCountTable, 'channelId'>;

/** Channels and playlists. Maintained by triggers. A row may be 0. */
export interface SourceCountTable {
  source: 'channel' | 'playlist';
  isActive: Flag;
  isSubscribed: Flag;
  sources: number;
}

/** Queue items per channel, status and kind. Maintained by triggers. A row may be 0. */
export interface QueueCountTable {
  channelId: string;
  channelName: string;
  status: 'pending' | 'ignore';
  kind: 'videos' | 'streams' | 'shorts' | 'unknown';
  items: number;
}

/** Queue items by status and channel, for the largest channels. Maintained by triggers. A row may be 0. */
export type QueueChannelCountTable = Omit<QueueCountTable, 'kind'>;

/** Queue items by status, kind, failure and request, for totals. Maintained by triggers. A row may be 0. */
export interface QueueStatusCountTable {
  status: 'pending' | 'ignore';
  kind: 'videos' | 'streams' | 'shorts' | 'unknown';
  /** Class of the last failure; empty without one. */
  failure: string;
  isOnRequest: Flag;
  items: number;
}

/** Archived videos per height and kind. Maintained by triggers. A row may be 0. */
export interface HeightCountTable {
  height: number;
  kind: 'videos' | 'streams' | 'shorts';
  videos: number;
}

/** Archived videos per day (days since 1970, UTC). Maintained by triggers. A row may be 0. */
export interface DayCountTable {
  day: number;
  videos: number;
  sizeBytes: number;
}

/** Videos per height class (2160, 1440, 1080, …, 240) and codec. Maintained by triggers. A row may be 0. */
export interface FormatCountTable {
  height: number;
  codec: string;
  videos: number;
  sizeBytes: number;
}

/**
 * Videos that some iPhones cannot play, and the remedy: `pack` – remuxing to MP4 is enough; `fetch` – another format is needed.
 * Maintained by triggers.
 */
export interface IncompatibleVideoTable {
  videoId: string;
  fix: 'remux' | 'redownload';
}

/** Number of incompatible videos. Maintained by triggers. A row may be 0. */
export interface IncompatibleCountTable {
  fix: 'remux' | 'redownload';
  videos: number;
}

/**
 * Videos per kind and month of publication (`server/platform/db/triggers/monthly-counts.ts`). Maintained by triggers. A row may
 * be 0.
 */
export interface MonthCountTable {
  kind: 'videos' | 'streams' | 'shorts';
  month: number;
  videos: number;
}

/** Watched videos per user, kind and month. Maintained by triggers. A row may be 0. */
export interface WatchMonthCountTable extends MonthCountTable {
  accountId: number;
}

/** Number and total duration of videos per user and second in which they were watched. Maintained by triggers. */
export interface WatchTimeCountTable {
  accountId: number;
  watchedAt: number;
  videos: number;
  durationSeconds: number;
}

/** Results of a site per day (days since 1970, UTC). */
export interface SiteStatsTable {
  site: string;
  day: number;
  archived: number;
  /** Number of refusals. */
  blocked: number;
  /** Number of other failures. Failures of a single video, such as private ones, are not counted. */
  failed: number;
}

/** Versions of yt-dlp with the time of their first use. */
export interface YtdlpHistoryTable {
  since: number;
  version: string;
}

type Facet =
  | 'tag'
  | 'artist'
  | 'album'
  | 'subtitles'
  | 'codec'
  | 'transcript'
  | 'damaged'
  | 'limited'
  | 'unavailable'
  | 'subscribed';

/**
 * A facet of a video: a tag, an artist, an album, subtitles in a language (`en-us` and also `en`), a video codec, a transcript, a damaged file, no longer
 * available at the source, subscribed. A to Z are lower case; the last four have no value. Maintained by triggers.
 */
export interface FacetTable {
  kind: Facet;
  value: string;
  videoId: string;
}

/** Number of videos with a facet. Maintained by triggers. A row may be 0. */
export interface FacetCountTable {
  kind: Facet;
  value: string;
  videos: number;
}

// Serialized JSON of videos, channels and playlist entries. All of it is derived: triggers delete outdated rows and queue them in
// `serializationPending` (server/platform/db/triggers/response-cache.ts).

/** JSON of a video without user data and without its channel. */
export interface SerializedVideoTable {
  videoId: string;
  channelId: string;
  /** Format number; other versions may serialize the same rows differently. */
  format: number;
  json: Uint8Array;
}

/** JSON of a channel as part of its videos. */
export interface SerializedChannelTable {
  channelId: string;
  format: number;
  json: Uint8Array;
}

/** Entries of a playlist, unless they are very many. */
export interface SerializedPlaylistTable {
  playlistId: string;
  format: number;
  json: Uint8Array;
}

/** Rows to be serialized. */
export interface SerializationPendingTable {
  kind: 'video' | 'channel' | 'playlist';
  id: string;
}

/** A transcript of a video that is requested, being made or made by a speech model. */
export interface TranscriptionTable {
  videoId: string;
  /** Of the media file. */
  sha256: string;
  /** Name of the model; null until the work begins. */
  model: string | null;
  /** The requested or recognized language, `und` if it was not recognized; null until then. */
  lang: string | null;
  /** `deleted`: by a user, and not made again automatically. */
  state: 'queued' | 'done' | 'no_speech' | 'failed' | 'deleted';
  /** Messages: why it failed. */
  reason: Json | null;
  /** Transcribed milliseconds of the video, and the processing time. */
  doneMs: number;
  workMs: number;
  /** Finished cues; those of a complete transcript are in its track. */
  cues: Json;
  /** Starts since the last finished slice. */
  attempts: number;
  isRequested: Flag;
  /** Also outside the background hours. */
  isUrgent: Flag;
  /** When the work began that is not finished yet. */
  startedAt: number | null;
  changedAt: number;
}

/** A private note, bookmark or highlight. It outlives its video, so it has what identifies the video. */
export interface NoteTable {
  number: Generated<number>;
  accountId: number;
  videoId: string;
  kind: 'note' | 'bookmark' | 'highlight';
  /** Null: about the whole video. */
  startMs: number | null;
  /** Null: a moment. */
  endMs: number | null;
  /** Markdown. */
  text: string;
  /** Lines of the transcript that are highlighted, and their language. */
  quote: string | null;
  quoteLang: string | null;
  createdAt: number;
  updatedAt: number;
  /** Increased by each change, to recognize one made elsewhere. */
  revision: number;
  videoTitle: string;
  channelName: string;
  url: string | null;
}

/** A copy of a video as H.264 and AAC in MP4, which plays everywhere. It was fetched from the source, because its file does not. */
export interface SmallCopyTable {
  videoId: string;
  /** Relative to the media folder. */
  path: string;
  sizeBytes: number;
  /** SHA-256, hex. */
  sha256: string;
  width: number;
  height: number;
  durationSeconds: number;
  fetchedAt: number;
}

/** The chat of a stream. Without a path it is to be fetched, or was not found at the site. */
export interface ChatTable {
  videoId: string;
  source: ChatSource | null;
  /** Relative to the media folder. */
  path: string | null;
  sizeBytes: Generated<number>;
  /** SHA-256, hex. */
  sha256: Generated<string>;
  messages: Generated<number>;
  /** 0: a part could not be fetched or read. */
  isComplete: Generated<Flag>;
  fetchedAt: number | null;
  /** How often the site was asked for its replay. */
  attempts: Generated<number>;
  /** When the site is asked for its replay, epoch seconds; null: not any more. */
  nextAt: number | null;
}

/** A member of the gzip file of a chat: the messages of five minutes. */
export interface ChatChunkTable {
  videoId: string;
  /** Number of the five minutes. */
  n: number;
  /** Times of the first and last message, milliseconds of the stream. */
  fromMs: number;
  toMs: number;
  messages: number;
  byteOffset: number;
  bytes: number;
}

/** A clip of a video. Its file is in the cache, and may be missing; it is made again on request. */
export interface ClipTable {
  number: Generated<number>;
  accountId: number;
  videoId: string;
  startMs: number;
  endMs: number;
  /** Cut at key frames, or encoded again. */
  mode: 'copy' | 'exact';
  state: 'queued' | 'running' | 'done' | 'failed';
  /** Messages: why it failed. */
  reason: Json | null;
  /** Stored path of the file that was made last. */
  path: string | null;
  /** Its size; until then an estimate. */
  bytes: number;
  /** Where the file begins in the video: the key frame before the start. Null until it is made. */
  actualStartMs: number | null;
  createdAt: number;
}

/** A private tag. `key`: the name for comparisons. */
export interface PersonTagTable {
  number: Generated<number>;
  accountId: number;
  name: string;
  key: string;
}

/** Target of a private tag: the id of a video or channel, or the number of a note. */
export interface PersonTagTargetTable {
  tagNumber: number;
  kind: 'video' | 'channel' | 'note';
  id: string;
}

// Search index. All of it is derived.

/** A change that is not indexed yet. Written by triggers. */
export interface SearchPendingTable {
  number: Generated<number>;
  /** `lines`: the transcript of the video. `moments`: its description, chapters, comments and former titles. */
  kind: 'video' | 'channel' | 'playlist' | 'lines' | 'moments';
  id: string;
}

/** Number of a video, channel or playlist in the index of names. */
export interface SearchDocumentTable {
  number: Generated<number>;
  kind: 'video' | 'channel' | 'playlist';
  id: string;
}

/** Transcript of a video in one language. Its chunk n has the number number · 16384 + n in the index. */
export interface SearchTrackTable {
  number: Generated<number>;
  videoId: string;
  lang: string;
  /** Hash of the indexed text. */
  textHash: string;
  /** Number of indexed chunks. */
  chunks: number;
}

/** Number of a text about a video in the index of moments. */
export interface MomentDocumentTable {
  number: Generated<number>;
  videoId: string;
  kind: 'title' | 'description' | 'chapter' | 'comment' | 'note';
  /** When the former title was replaced, the place of the chapter, the id of the comment, or the number of the note. Empty for the description. */
  ref: string;
  /** Hash of the indexed text. */
  textHash: string;
}

/** The transcript of a video in the index of meanings, at most one for each model. Its number is never used again. */
export interface PassageTrackTable {
  number: Generated<number>;
  videoId: string;
  lang: string;
  model: MeaningModel;
  /** The newest of the tracks of the video (searchTrack.number) when it was embedded: another one means another text. */
  source: number;
  /** Number of its passages; none in a language that the model does not know. */
  passages: number;
}

/** Some consecutive lines of a transcript with the vector of their meaning. */
export interface PassageTable {
  /** `passageTrack.number * 4096 + place`. */
  number: number;
  videoId: string;
  lang: string;
  startMs: number;
  endMs: number;
  model: MeaningModel;
  /** Hash of the text: the vector of an unchanged one is kept. */
  mark: string;
  /** Eight bits for each number. */
  vector: Uint8Array;
}

/** Chapters generated from a transcript. A video that has been looked at has a row, also without chapters. */
export interface GeneratedChaptersTable {
  videoId: string;
  /** The track of passages that they were generated from. */
  track: number;
  /** `Chapter[]`; none if the site has chapters, or the video too little speech or too few subjects. */
  chapters: Json;
}

/** The mean vector of the passages of a track. */
export interface TrackVectorTable {
  /** `passageTrack.number`. */
  number: number;
  /** Its nearest tracks: 0 not found yet, 1 outdated, 2 found. */
  state: 0 | 1 | 2;
  vector: Uint8Array;
}

/** Tracks that are about the same as a track, by their vectors, the nearest first. */
export interface RelatedTrackTable {
  number: number;
  position: number;
  related: number;
}

/** Dictionary of terms, to correct typos and to find rare terms. */
export interface SearchWordTable {
  /** Names, transcripts (lines), moments, or the notes of an account. */
  space: 'n' | 'l' | 'm' | `a${number}`;
  word: string;
  /** Approximate number of documents; deleted ones still count. */
  documents: number;
  /** The order of magnitude of `documents`. */
  weight: Generated<number>;
  letters: number;
  /** The term in three parts, for terms that may be mistyped. */
  first: string | null;
  second: string | null;
  third: string | null;
}

/**
 * The index itself: FTS5 of SQLite, or a table with a `tsvector`. Its other columns are used by server/features/search only. The
 * index of queue titles exists only in SQLite and is maintained by triggers (server/platform/db/queue-search.ts).
 */
export interface SearchIndex {
  rowid: number;
}

export interface Tables {
  account: AccountTable;
  session: SessionTable;
  identity: IdentityTable;
  token: TokenTable;
  namedToken: NamedTokenTable;
  setting: SettingTable;
  channel: ChannelTable;
  video: VideoTable;
  stream: StreamTable;
  subtitle: SubtitleTable;
  comment: CommentTable;
  playlist: PlaylistTable;
  playlistEntry: PlaylistEntryTable;
  playlistVideo: PlaylistVideoTable;
  watch: WatchTable;
  storyboard: StoryboardTable;
  storyboardPending: StoryboardPendingTable;
  serializedVideo: SerializedVideoTable;
  serializedChannel: SerializedChannelTable;
  serializedPlaylist: SerializedPlaylistTable;
  serializationPending: SerializationPendingTable;
  videoCount: VideoCountTable;
  videoKindCount: VideoKindCountTable;
  watchCount: WatchCountTable;
  watchKindCount: WatchKindCountTable;
  sourceCount: SourceCountTable;
  queueCount: QueueCountTable;
  queueChannelCount: QueueChannelCountTable;
  queueStatusCount: QueueStatusCountTable;
  monthCount: MonthCountTable;
  watchMonthCount: WatchMonthCountTable;
  watchTimeCount: WatchTimeCountTable;
  heightCount: HeightCountTable;
  dayCount: DayCountTable;
  formatCount: FormatCountTable;
  incompatibleVideo: IncompatibleVideoTable;
  incompatibleCount: IncompatibleCountTable;
  facet: FacetTable;
  facetCount: FacetCountTable;
  smartList: SmartListTable;
  smartListVisit: SmartListVisitTable;
  podcast: PodcastTable;
  share: ShareTable;
  libraryView: LibraryViewTable;
  viewFile: ViewFileTable;
  viewPending: ViewPendingTable;
  mediaServer: MediaServerTable;
  mediaServerPerson: MediaServerPersonTable;
  mediaServerPlaylist: MediaServerPlaylistTable;
  mediaServerItem: MediaServerItemTable;
  mediaServerRefresh: MediaServerRefreshTable;
  siteStats: SiteStatsTable;
  ytdlpHistory: YtdlpHistoryTable;
  download: DownloadTable;
  task: TaskTable;
  runLog: RunLogTable;
  runShare: RunShareTable;
  migration: MigrationTable;
  migrationLine: MigrationLineTable;
  migrationChange: MigrationChangeTable;
  siteCooldown: SiteCooldownTable;
  siteVisit: SiteVisitTable;
  keyFingerprint: KeyFingerprintTable;
  node: NodeTable;
  expansion: ExpansionTable;
  maintenance: MaintenanceTable;
  rateLimit: RateLimitTable;
  renditionRequest: RenditionRequestTable;
  feedPoll: FeedPollTable;
  undoableMark: UndoableMarkTable;
  seenEntry: SeenEntryTable;
  listingPosition: ListingPositionTable;
  metadataHistory: MetadataHistoryTable;
  refreshRequest: RefreshRequestTable;
  pendingDeletion: PendingDeletionTable;
  upload: UploadTable;
  bucket: BucketTable;
  transcriptLine: TranscriptLineTable;
  trash: TrashTable;
  trashRows: TrashRowsTable;
  trashFile: TrashFileTable;
  schedule: ScheduleTable;
  secret: SecretTable;
  notifyTarget: NotifyTargetTable;
  outbox: OutboxTable;
  note: NoteTable;
  clip: ClipTable;
  smallCopy: SmallCopyTable;
  chat: ChatTable;
  chatChunk: ChatChunkTable;
  personTag: PersonTagTable;
  personTagTarget: PersonTagTargetTable;
  transcription: TranscriptionTable;
  searchPending: SearchPendingTable;
  searchDocument: SearchDocumentTable;
  searchTrack: SearchTrackTable;
  searchWord: SearchWordTable;
  searchName: SearchIndex;
  searchTranscript: SearchIndex;
  momentDocument: MomentDocumentTable;
  passageTrack: PassageTrackTable;
  passage: PassageTable;
  generatedChapters: GeneratedChaptersTable;
  trackVector: TrackVectorTable;
  relatedTrack: RelatedTrackTable;
  searchMoment: SearchIndex;
  downloadTrigram: SearchIndex;
}
