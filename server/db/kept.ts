import type { Tables } from './tables.ts';

type Kept = 'data' | 'passing' | 'derived';

/**
 * What becomes of each table in a backup; a table that is not named here does not compile. `data` is in it and comes back with
 * it. `passing` belongs to the program that runs and stays with that. `derived` is made of the others again.
 * In this order rows may come: what others point at goes first.
 */
const keptAs = {
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
  line: 'data',
  earlier: 'data',
  playlist: 'data',
  playlistEntry: 'data',
  watch: 'data',
  download: 'data',
  listed: 'data',
  listing: 'data',
  refreshWish: 'data',
  schedule: 'data',
  secret: 'data',
  notifyTarget: 'data',
  bin: 'data',
  binRows: 'data',
  binFile: 'data',
  siteDay: 'data',
  ytdlpUse: 'data',
  smartList: 'data',
  smartListVisit: 'data',
  session: 'passing',
  task: 'passing',
  runNote: 'passing',
  outbox: 'passing',
  sitePause: 'passing',
  removal: 'passing',
  // Kept by triggers, which see rows come back as well.
  tally: 'derived',
  watchTally: 'derived',
  queueTally: 'derived',
  downloadPiece: 'derived',
  playlistShown: 'derived',
  monthTally: 'derived',
  watchMonthTally: 'derived',
  watchTimeTally: 'derived',
  dayTally: 'derived',
  formatTally: 'derived',
  awkward: 'derived',
  awkwardTally: 'derived',
  facet: 'derived',
  facetTally: 'derived',
  // Triggers write down what came, and the index is made of that in the background.
  searchPending: 'derived',
  searchDocument: 'derived',
  searchTrack: 'derived',
  searchWord: 'derived',
  searchThing: 'derived',
  searchLine: 'derived',
  storyboardWanted: 'derived',
  writtenVideo: 'derived',
  writtenChannel: 'derived',
  writtenPlaylist: 'derived',
  writingWanted: 'derived',
  // Made again of the files, or found beside the pictures.
  storyboard: 'derived',
} as const satisfies Record<keyof Tables, Kept>;

type Named<K extends Kept> = { [T in keyof typeof keptAs]: (typeof keptAs)[T] extends K ? T : never }[keyof typeof keptAs];
/** A table that is in backups. */
export type DataTable = Named<'data'>;

/** The tables of a backup, in the order in which their rows may come. */
export const dataTables = Object.entries(keptAs).flatMap(([table, kept]) => (kept === 'data' ? [table as DataTable] : []));

/** What tells the rows of a table apart: they are read in this order. */
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
  line: ['videoId', 'lang', 'position'],
  earlier: ['videoId', 'what', 'until'],
  playlist: ['id'],
  playlistEntry: ['playlistId', 'position'],
  watch: ['accountId', 'videoId'],
  download: ['number'],
  listed: ['videoId'],
  listing: ['url'],
  refreshWish: ['number'],
  schedule: ['name'],
  secret: ['name'],
  notifyTarget: ['number'],
  bin: ['number'],
  binRows: ['binNumber', 'ofTable', 'part'],
  binFile: ['folder', 'name'],
  siteDay: ['site', 'day'],
  ytdlpUse: ['since'],
  smartList: ['number'],
  smartListVisit: ['accountId', 'listNumber'],
};

type OfVideo = { [T in keyof Tables]: Tables[T] extends { videoId: string } ? T : never }[keyof Tables];

/**
 * What becomes of the rows of a video that goes into the bin; a table with videos that is not named here does not compile.
 * `goes`: with it, and comes back with it. `stays`: is not about having it. `made`: by triggers, or of its files.
 */
const withVideo = {
  stream: 'goes',
  subtitle: 'goes',
  comment: 'goes',
  line: 'goes',
  earlier: 'goes',
  watch: 'goes',
  // Of people's own playlists alone, one by one: server/bin/rows.ts.
  playlistEntry: 'stays',
  listed: 'stays',
  bin: 'stays',
  playlistShown: 'made',
  searchTrack: 'made',
  storyboard: 'made',
  storyboardWanted: 'made',
  writtenVideo: 'made',
  awkward: 'made',
  facet: 'made',
} as const satisfies Record<OfVideo, 'goes' | 'stays' | 'made'>;

/** The tables whose rows go into the bin with their video. */
export const tablesOfVideo = Object.entries(withVideo).flatMap(([table, becomes]) =>
  becomes === 'goes' ? [table as DataTable] : [],
);
