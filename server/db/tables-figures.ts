// What the dashboard tells; rows look as tables.ts says.

/** How much came on a day (days since 1970, UTC); kept by triggers. A row may say 0. */
export interface DayTallyTable {
  day: number;
  videos: number;
  sizeBytes: number;
}

/** How many videos have a class of height (2160, 1440, 1080, …, 240) and a codec; kept by triggers. A row may say 0. */
export interface FormatTallyTable {
  height: number;
  codec: string;
  videos: number;
  sizeBytes: number;
}

/**
 * What not every iPhone plays, and what would help: `pack` – its picture and sound would do in an MP4; `fetch` – only another
 * format does. Triggers keep it.
 */
export interface AwkwardTable {
  videoId: string;
  mend: 'pack' | 'fetch';
}

/** How many those are; kept by triggers. A row may say 0. */
export interface AwkwardTallyTable {
  mend: 'pack' | 'fetch';
  videos: number;
}

/** How many videos of a kind were published in a month (`server/db/month-triggers.ts`); kept by triggers. A row may say 0. */
export interface MonthTallyTable {
  kind: 'videos' | 'streams' | 'shorts';
  month: number;
  videos: number;
}

/** How many of them a person has watched; kept by triggers. A row may say 0. */
export interface WatchMonthTallyTable extends MonthTallyTable {
  accountId: number;
}

/** How many videos a person has watched in a second, and how long those are together; kept by triggers. */
export interface WatchTimeTallyTable {
  accountId: number;
  watchedAt: number;
  videos: number;
  durationSeconds: number;
}

/** How a site answered on a day (days since 1970, UTC). */
export interface SiteDayTable {
  site: string;
  day: number;
  archived: number;
  /** How often it turned us away. */
  blocked: number;
  /** What did not work and should have; what a site says of one video is no failure. */
  failed: number;
}

/** Since when which yt-dlp has been used. */
export interface YtdlpUseTable {
  since: number;
  version: string;
}
