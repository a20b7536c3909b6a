import type { Tables } from './tables.ts';

type Policy = 'data' | 'runtime' | 'derived';

/**
 * How each table is treated in a backup; a missing table does not compile. `data` is part of backups. `runtime` belongs to the
 * running server and is not. `derived` is computed from the others. In the order of foreign keys.
 */
const policies = {
  setting: 'data',
  account: 'data',
  identity: 'data',
  token: 'data',
  namedToken: 'data',
  channel: 'data',
  video: 'data',
  stream: 'data',
  subtitle: 'data',
  comment: 'data',
  transcriptLine: 'data',
  metadataHistory: 'data',
  playlist: 'data',
  playlistEntry: 'data',
  watch: 'data',
  download: 'data',
  seenEntry: 'data',
  listingPosition: 'data',
  refreshRequest: 'data',
  schedule: 'data',
  secret: 'data',
  notifyTarget: 'data',
  trash: 'data',
  trashRows: 'data',
  trashFile: 'data',
  bucket: 'data',
  siteStats: 'data',
  ytdlpHistory: 'data',
  smartList: 'data',
  smartListVisit: 'data',
  podcast: 'data',
  share: 'data',
  libraryView: 'data',
  viewFile: 'data',
  mediaServer: 'data',
  mediaServerPerson: 'data',
  mediaServerPlaylist: 'data',
  // As old as the watch states of the backup, so that changes of both sides since then are recognized.
  mediaServerItem: 'data',
  note: 'data',
  personTag: 'data',
  // Those of videos in the trash stay (server/features/trash/purge.ts).
  personTagTarget: 'data',
  transcription: 'data',
  clip: 'data',
  smallCopy: 'data',
  chat: 'data',
  chatChunk: 'data',
  session: 'runtime',
  task: 'runtime',
  runLog: 'runtime',
  runShare: 'runtime',
  // An undo refers to the rows of this database.
  migration: 'runtime',
  migrationLine: 'runtime',
  migrationChange: 'runtime',
  outbox: 'runtime',
  siteCooldown: 'runtime',
  siteVisit: 'runtime',
  keyFingerprint: 'runtime',
  node: 'runtime',
  expansion: 'runtime',
  maintenance: 'runtime',
  rateLimit: 'runtime',
  renditionRequest: 'runtime',
  feedPoll: 'runtime',
  undoableMark: 'runtime',
  mediaServerRefresh: 'runtime',
  pendingDeletion: 'runtime',
  upload: 'runtime',
  // Maintained by triggers, also when rows are restored.
  videoCount: 'derived',
  videoKindCount: 'derived',
  watchCount: 'derived',
  watchKindCount: 'derived',
  sourceCount: 'derived',
  queueCount: 'derived',
  queueChannelCount: 'derived',
  queueStatusCount: 'derived',
  downloadTrigram: 'derived',
  playlistVideo: 'derived',
  monthCount: 'derived',
  watchMonthCount: 'derived',
  watchTimeCount: 'derived',
  heightCount: 'derived',
  dayCount: 'derived',
  formatCount: 'derived',
  incompatibleVideo: 'derived',
  incompatibleCount: 'derived',
  facet: 'derived',
  facetCount: 'derived',
  // Triggers record changes, and the index is built in the background.
  searchPending: 'derived',
  searchDocument: 'derived',
  searchTrack: 'derived',
  searchWord: 'derived',
  searchName: 'derived',
  searchTranscript: 'derived',
  momentDocument: 'derived',
  searchMoment: 'derived',
  // Embedded again by a model; triggers delete what belongs to a deleted track.
  passageTrack: 'derived',
  passage: 'derived',
  // Computed from the passages, and deleted with them.
  trackVector: 'derived',
  relatedTrack: 'derived',
  // Generated again from the passages.
  generatedChapters: 'derived',
  storyboardPending: 'derived',
  viewPending: 'derived',
  serializedVideo: 'derived',
  serializedChannel: 'derived',
  serializedPlaylist: 'derived',
  serializationPending: 'derived',
  // Rendered again, or found with the images.
  storyboard: 'derived',
} as const satisfies Record<keyof Tables, Policy>;

type Named<K extends Policy> = {
  [T in keyof typeof policies]: (typeof policies)[T] extends K ? T : never;
}[keyof typeof policies];
/** A table that is part of backups. */
export type DataTable = Named<'data'>;

/** The tables of a backup in the order of foreign keys. */
export const dataTables = Object.entries(policies).flatMap(([table, policy]) => (policy === 'data' ? [table as DataTable] : []));

/** Key columns by which the rows of a table are read. */
export const keyOfTable: { [T in DataTable]: readonly (keyof Tables[T] & string)[] } = {
  setting: ['name'],
  account: ['id'],
  identity: ['issuer', 'subject'],
  token: ['accountId'],
  namedToken: ['number'],
  channel: ['id'],
  video: ['id'],
  stream: ['videoId', 'position'],
  subtitle: ['videoId', 'lang'],
  comment: ['videoId', 'id'],
  transcriptLine: ['videoId', 'lang', 'position'],
  metadataHistory: ['videoId', 'field', 'replacedAt'],
  playlist: ['id'],
  playlistEntry: ['playlistId', 'position'],
  watch: ['accountId', 'videoId'],
  download: ['number'],
  seenEntry: ['videoId'],
  listingPosition: ['url'],
  refreshRequest: ['number'],
  schedule: ['name'],
  secret: ['name'],
  notifyTarget: ['number'],
  trash: ['number'],
  trashRows: ['trashNumber', 'tableName', 'part'],
  trashFile: ['folder', 'name'],
  bucket: ['id'],
  siteStats: ['site', 'day'],
  ytdlpHistory: ['since'],
  smartList: ['number'],
  smartListVisit: ['accountId', 'listNumber'],
  podcast: ['number'],
  share: ['number'],
  libraryView: ['number'],
  viewFile: ['viewNumber', 'key'],
  mediaServer: ['number'],
  mediaServerPerson: ['serverNumber', 'accountId'],
  mediaServerPlaylist: ['serverNumber', 'playlistId'],
  mediaServerItem: ['serverNumber', 'accountId', 'itemId'],
  note: ['number'],
  personTag: ['number'],
  personTagTarget: ['tagNumber', 'kind', 'id'],
  transcription: ['videoId'],
  clip: ['number'],
  smallCopy: ['videoId'],
  chat: ['videoId'],
  chatChunk: ['videoId', 'n'],
};

type OfVideo = { [T in keyof Tables]: Tables[T] extends { videoId: string } ? T : never }[keyof Tables];

/**
 * How rows of a deleted video are treated; a missing table does not compile. `moved`: moved to the trash and restored. `unchanged`:
 * not changed. `derived`: derived by triggers or from files.
 */
const withVideo = {
  stream: 'moved',
  subtitle: 'moved',
  comment: 'moved',
  transcriptLine: 'moved',
  metadataHistory: 'moved',
  watch: 'moved',
  // Only entries of custom playlists are moved, individually: server/features/trash/row-archive.ts.
  playlistEntry: 'unchanged',
  seenEntry: 'unchanged',
  trash: 'unchanged',
  renditionRequest: 'unchanged',
  mediaServerItem: 'unchanged',
  note: 'unchanged',
  transcription: 'moved',
  clip: 'moved',
  smallCopy: 'moved',
  chat: 'moved',
  chatChunk: 'moved',
  playlistVideo: 'derived',
  searchTrack: 'derived',
  momentDocument: 'derived',
  passageTrack: 'derived',
  passage: 'derived',
  generatedChapters: 'derived',
  storyboard: 'derived',
  storyboardPending: 'derived',
  serializedVideo: 'derived',
  incompatibleVideo: 'derived',
  facet: 'derived',
} as const satisfies Record<OfVideo, 'moved' | 'unchanged' | 'derived'>;

/** Tables whose rows are moved to the trash with their video. */
export const tablesOfVideo = Object.entries(withVideo).flatMap(([table, handling]) =>
  handling === 'moved' ? [table as DataTable] : [],
);
