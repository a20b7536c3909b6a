import type { Generated } from 'kysely';
import type { BinFileTable, BinRowsTable, BinTable } from './tables-bin.ts';
import type { AccountTable, IdentityTable, NamedTokenTable, SessionTable, TokenTable } from './tables-people.ts';
import type { SearchDocumentTable, SearchIndex, SearchPendingTable, SearchTrackTable, SearchWordTable } from './tables-search.ts';
import type {
  DownloadTable,
  QueueTallyTable,
  SitePauseTable,
  ListedTable,
  ListingTable,
  RefreshWishTable,
  RemovalTable,
  TaskTable,
  RunNoteTable,
  ScheduleTable,
  SecretTable,
  NotifyTargetTable,
  OutboxTable,
} from './tables-work.ts';
import type {
  AwkwardTable,
  AwkwardTallyTable,
  DayTallyTable,
  FormatTallyTable,
  MonthTallyTable,
  SiteDayTable,
  WatchMonthTallyTable,
  WatchTimeTallyTable,
  YtdlpUseTable,
} from './tables-figures.ts';
import type { FacetTable, FacetTallyTable, PlaylistShownTable, SmartListTable, SmartListVisitTable } from './tables-lists.ts';
import type { StoryboardTable, StoryboardWantedTable } from './tables-watch.ts';
import type { WritingWantedTable, WrittenChannelTable, WrittenPlaylistTable, WrittenVideoTable } from './tables-written.ts';

export type { AccountTable, NamedTokenTable } from './tables-people.ts';
export type { SmartListTable } from './tables-lists.ts';
export type { DownloadTable, ScheduleTable, TaskTable } from './tables-work.ts';

// Times are whole seconds (…At), flags 0 | 1, lists and objects JSON text that SQL never looks into: on every engine the same.

type Flag = 0 | 1;
type Json = string;

export interface SettingTable {
  /** section.key */
  name: string;
  value: Json;
}

export interface ChannelTable {
  /** As on the wire. */
  id: string;
  site: string;
  siteId: string;
  /** As people write it there, folded: `@name`. */
  handle: string | null;
  name: string;
  /** Folded, to sort and compare by. */
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
  /** What of it is wanted, beside what holds for all sources. */
  rules: Json | null;
  scannedAt: number | null;
  /** When the whole of it was last listed: from then on its feed tells what is new. */
  listedAt: number | null;
  /** When the site first said that it is gone, and as what; it counts as gone when it says so again on another day. */
  goneSince: number | null;
  goneAs: string | null;
}

export interface VideoTable {
  /** As on the wire: bare for YouTube, else `<site>.<id>`. */
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
  /** SHA-256 of the media file as it arrived, hex. */
  sha256: string;
  /** Below the media folder, with forward slashes. */
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
  /** When the site first said that it is gone, and as what; it counts as gone when it says so again on another day. */
  goneSince: number | null;
  goneAs: string | null;
  /** Never deleted by a rule. */
  isKept: Generated<Flag>;
  /** When its file was last read and compared, and what was wrong with it then. */
  verifiedAt: number | null;
  damage: string | null;
}

/** What a video was called, or said of itself, until a time. */
export interface EarlierTable {
  videoId: string;
  what: 'title' | 'description' | 'thumbnail';
  until: number;
  /** The text; of a thumbnail its path below the cache folder. */
  value: string;
}

/** What was spoken: one cue of a subtitle. */
export interface LineTable {
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
}

export interface SubtitleTable {
  videoId: string;
  lang: string;
  source: 'user' | 'auto' | 'file';
  name: string;
  /** Below the media folder. */
  path: string;
}

export interface CommentTable {
  videoId: string;
  id: string;
  position: number;
  /** Id of the comment it answers, or "root". */
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
  goneSince: number | null;
  goneAs: string | null;
}

export interface PlaylistEntryTable {
  playlistId: string;
  position: number;
  videoId: string;
  title: string;
  uploader: string | null;
}

/** One person's state on one video. */
export interface WatchTable {
  accountId: number;
  videoId: string;
  watchedAt: number | null;
  positionSeconds: number | null;
  updatedAt: number;
}

/** How much a channel holds of a kind; kept by triggers. A row may say 0. */
export interface TallyTable {
  channelId: string;
  kind: 'videos' | 'streams' | 'shorts';
  isActive: Flag;
  videos: number;
  sizeBytes: number;
  durationSeconds: number;
}

/** How much of a channel's videos of a kind a person has watched; kept by triggers. A row may say 0. */
export interface WatchTallyTable {
  accountId: number;
  channelId: string;
  kind: 'videos' | 'streams' | 'shorts';
  videos: number;
  durationSeconds: number;
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
  playlistShown: PlaylistShownTable;
  watch: WatchTable;
  storyboard: StoryboardTable;
  storyboardWanted: StoryboardWantedTable;
  writtenVideo: WrittenVideoTable;
  writtenChannel: WrittenChannelTable;
  writtenPlaylist: WrittenPlaylistTable;
  writingWanted: WritingWantedTable;
  tally: TallyTable;
  watchTally: WatchTallyTable;
  queueTally: QueueTallyTable;
  monthTally: MonthTallyTable;
  watchMonthTally: WatchMonthTallyTable;
  watchTimeTally: WatchTimeTallyTable;
  dayTally: DayTallyTable;
  formatTally: FormatTallyTable;
  awkward: AwkwardTable;
  awkwardTally: AwkwardTallyTable;
  facet: FacetTable;
  facetTally: FacetTallyTable;
  smartList: SmartListTable;
  smartListVisit: SmartListVisitTable;
  siteDay: SiteDayTable;
  ytdlpUse: YtdlpUseTable;
  download: DownloadTable;
  task: TaskTable;
  runNote: RunNoteTable;
  sitePause: SitePauseTable;
  listed: ListedTable;
  listing: ListingTable;
  earlier: EarlierTable;
  refreshWish: RefreshWishTable;
  removal: RemovalTable;
  line: LineTable;
  bin: BinTable;
  binRows: BinRowsTable;
  binFile: BinFileTable;
  schedule: ScheduleTable;
  secret: SecretTable;
  notifyTarget: NotifyTargetTable;
  outbox: OutboxTable;
  searchPending: SearchPendingTable;
  searchDocument: SearchDocumentTable;
  searchTrack: SearchTrackTable;
  searchWord: SearchWordTable;
  searchThing: SearchIndex;
  searchLine: SearchIndex;
  downloadPiece: SearchIndex;
}
