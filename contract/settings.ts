import { meaningModels } from './meaning-models.ts';

// Plain data, so that the web app builds forms from it without loading zod.

interface About {
  unit?: string;
  /** Has no effect unless this key of the same section is set. */
  needs?: string;
  /** Has no effect unless `needs` has this value. */
  needsValue?: string;
}

/** An application setting: bounds and default. Its label is in the web app (web/setting-fields/setting-texts.ts). */
export type Setting = About &
  (
    | { kind: 'integer'; min: number; max: number; orEmpty?: true; zeroIsEmpty?: true; initial: number | null }
    | { kind: 'switch'; initial: boolean }
    | { kind: 'choice'; of: readonly string[]; orEmpty?: true; initial: string | null }
    | { kind: 'text'; max: number; pattern?: string; orEmpty: true; initial: string | null }
    | { kind: 'day'; orEmpty: true; initial: string | null }
  );

// The value of one yt-dlp option: all printable characters are allowed. \p{Cc} and \p{Cs} as escapes that all OpenAPI tools
// support.
const unprintable = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff';
const sortField = ` *(\\+?\\w+ *([~:][^,${unprintable}]*)?)?`;
const audioLanguage = '(original|[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3})';
const phrase = { kind: 'text', max: 500, orEmpty: true, initial: null } as const;
const span = { kind: 'integer', min: 1, max: 100_000_000, orEmpty: true, initial: null } as const;
const listing = { kind: 'integer', min: 0, max: 100_000, orEmpty: true } as const;

/** All application settings by section, with the names of the API. */
export const settings = {
  subscriptions: {
    channel_size: {
      ...listing,
      initial: 50,
    },
    live_channel_size: {
      ...listing,
      initial: 50,
    },
    shorts_channel_size: {
      ...listing,
      initial: 50,
    },
    playlist_size: {
      ...listing,
      initial: 50,
    },
    auto_start: { kind: 'switch', initial: false },
    extract_flat: {
      kind: 'switch',
      initial: false,
    },
  },
  downloads: {
    limit_speed: { kind: 'integer', min: 1, max: 10_000_000, orEmpty: true, initial: null, unit: 'KB/s' },
    throttledratelimit: {
      kind: 'integer',
      min: 1,
      max: 10_000_000,
      orEmpty: true,
      initial: null,
      unit: 'KB/s',
    },
    sleep_interval: {
      kind: 'integer',
      min: 0,
      max: 86_400,
      orEmpty: true,
      initial: 10,
      unit: 's',
    },
    autodelete_days: {
      kind: 'integer',
      min: 0,
      max: 36_500,
      orEmpty: true,
      zeroIsEmpty: true,
      initial: null,
      unit: 'days',
    },
    autodelete_min_size: {
      kind: 'integer',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      orEmpty: true,
      zeroIsEmpty: true,
      initial: null,
      unit: 'bytes',
      needs: 'autodelete_days',
    },
    autodelete_available_only: {
      kind: 'switch',
      initial: false,
      needs: 'autodelete_days',
    },
    format: {
      kind: 'text',
      max: 500,
      pattern: `^(?!-$)[^${unprintable}]+$`, // with "-" yt-dlp prompts for a format
      orEmpty: true,
      initial: null,
    },
    format_sort: {
      kind: 'text',
      max: 500,
      pattern: `^${sortField}(,${sortField})*$`, // syntax of yt-dlp; an invalid value makes every download fail
      orEmpty: true,
      initial: null,
    },
    /** HDR where the site also has SDR. */
    prefer_hdr: { kind: 'switch', initial: false },
    /** What happens when the source has a video in a better quality than the file. */
    upgrade: { kind: 'choice', of: ['off', 'ask', 'auto'], initial: 'ask' },
    /** Running streams of YouTube: downloaded when they are over, or recorded from their start, at most for so many hours. */
    live: { kind: 'choice', of: ['wait', 'record'], initial: 'wait' },
    live_hours: { kind: 'integer', min: 1, max: 120, initial: 12 },
    /** The chat of streams and premieres of YouTube: fetched after the download, collected while a stream is recorded. */
    live_chat: { kind: 'switch', initial: false },
    /** A copy as H.264 and AAC of videos that do not play everywhere: height of its picture. */
    small_copy: { kind: 'choice', of: ['off', '360', '480', '720'], initial: 'off' },
    /** Sound tracks besides the original: language codes, and `original`, which is always among them. */
    audio_languages: {
      kind: 'text',
      max: 100,
      pattern: `^\\s*${audioLanguage}(\\s*,\\s*${audioLanguage}){0,3}\\s*$`,
      orEmpty: true,
      initial: null,
    },
    /** Also dubs that a program has made. */
    audio_auto_dubs: { kind: 'switch', initial: false, needs: 'audio_languages' },
    add_metadata: { kind: 'switch', initial: false },
    add_thumbnail: { kind: 'switch', initial: false },
    subtitle: {
      kind: 'text',
      max: 500,
      pattern: `^[^${unprintable}]+$`,
      orEmpty: true,
      initial: 'en,original',
    },
    subtitle_source: {
      kind: 'choice',
      of: ['user', 'auto'],
      orEmpty: true,
      initial: 'auto',
      needs: 'subtitle',
    },
    subtitle_index: { kind: 'switch', initial: true, needs: 'subtitle' },
    /** Comments of each video that searches find, the most liked ones; null: all. */
    comment_index: { ...listing, initial: 50 },
    comment_max: {
      kind: 'text',
      max: 100,
      pattern: '^\\s*(\\d+|all)(\\s*,\\s*(\\d+|all)){0,3}\\s*$',
      orEmpty: true,
      initial: null,
    },
    comment_sort: {
      kind: 'choice',
      of: ['top', 'new'],
      orEmpty: true,
      initial: 'top',
      needs: 'comment_max',
    },
    cookie_import: { kind: 'switch', initial: false },
    potoken: { kind: 'switch', initial: false },
    po_tokens: {
      kind: 'choice',
      of: ['auto', 'always', 'never', 'provider'],
      initial: 'auto',
    },
    pot_provider_url: {
      kind: 'text',
      max: 500,
      pattern: '^https?://\\S+$',
      orEmpty: true,
      initial: null,
      needs: 'po_tokens',
      needsValue: 'provider',
    },
    pot_provider_proxy: {
      kind: 'text',
      max: 500,
      pattern: '^https?://\\S+$',
      orEmpty: true,
      initial: null,
      needs: 'po_tokens',
      needsValue: 'provider',
    },
    extractor_lang: {
      kind: 'text',
      max: 50,
      pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]+)*(\\s*,\\s*[a-zA-Z]{2,3}(-[a-zA-Z0-9]+)*)*$',
      orEmpty: true,
      initial: null,
    },
    player_client: {
      kind: 'text',
      max: 200,
      pattern: '^\\s*-?[a-z0-9_]+(\\s*,\\s*-?[a-z0-9_]+)*\\s*$',
      orEmpty: true,
      initial: null,
    },
    integrate_ryd: { kind: 'switch', initial: false },
    integrate_sponsorblock: { kind: 'switch', initial: false },
    /** Not in TubeArchivist: titles and pictures by viewers. */
    integrate_dearrow: { kind: 'switch', initial: false },
  },
  scans: {
    feed_minutes: {
      kind: 'integer',
      min: 5,
      max: 10_080,
      orEmpty: true,
      initial: 30,
      unit: 'minutes',
    },
  },
  rules: {
    title_include: {
      ...phrase,
    },
    title_exclude: {
      ...phrase,
    },
    min_seconds: { ...span, unit: 's' },
    max_seconds: { ...span, unit: 's' },
    published_after: {
      kind: 'day',
      orEmpty: true,
      initial: null,
    },
    skip_members_only: { kind: 'switch', initial: false },
    keep_newest: {
      ...span,
      unit: 'videos',
    },
    keep_days: {
      ...span,
      unit: 'days',
    },
  },
  queue: {
    at_once: { kind: 'integer', min: 1, max: 8, initial: 1 },
    per_site: {
      kind: 'integer',
      min: 1,
      max: 4,
      initial: 1,
    },
    audio_only: {
      kind: 'switch',
      initial: false,
    },
    reserve: {
      kind: 'integer',
      min: 0,
      max: 100_000,
      initial: 5,
      unit: 'GB',
    },
    quota: {
      kind: 'integer',
      min: 1,
      max: 100_000_000,
      orEmpty: true,
      initial: null,
      unit: 'GB',
    },
    /** Space for audio tracks and clips that were made on request. */
    rendition_limit: {
      kind: 'integer',
      min: 1,
      max: 100_000,
      initial: 5,
      unit: 'GB',
    },
    login_egress: {
      kind: 'text',
      max: 64,
      pattern: '^[\\w.:-]+$',
      orEmpty: true,
      initial: null,
    },
  },
  trash: {
    days: {
      kind: 'integer',
      min: 0,
      max: 3650,
      initial: 7,
      unit: 'days',
    },
  },
  ytdlp: {
    updates: {
      kind: 'choice',
      of: ['auto', 'on', 'off'],
      initial: 'auto',
    },
    pinned: {
      kind: 'text',
      max: 20,
      pattern: '^\\d{4}\\.\\d{2}\\.\\d{2}[\\d.]*$',
      orEmpty: true,
      initial: null,
    },
  },
  speech: {
    transcribe: {
      kind: 'choice',
      of: ['off', 'request', 'missing'],
      initial: 'off',
    },
    model: {
      kind: 'text',
      max: 100,
      pattern: '^[\\w.-]+$',
      orEmpty: true,
      initial: null,
    },
    threads: { kind: 'integer', min: 1, max: 64, initial: 1 },
  },
  meaning: {
    enabled: { kind: 'switch', initial: false },
    model: { kind: 'choice', of: meaningModels, initial: 'use-m3' },
  },
  chapters: {
    generate: { kind: 'switch', initial: false },
  },
  background: {
    /** Ranges such as `01:00-06:00, 22:00-24:00`; null: always. */
    hours: {
      kind: 'text',
      max: 200,
      orEmpty: true,
      initial: null,
    },
  },
  application: {
    enable_snapshot: { kind: 'switch', initial: true },
    setup_done: { kind: 'switch', initial: false },
    enable_cast: {
      kind: 'switch',
      initial: false,
    },
    address: {
      kind: 'text',
      max: 500,
      pattern: '^https?://[^\\s/?#]+[^\\s?#]*$',
      orEmpty: true,
      initial: null,
    },
  },
} as const satisfies Record<string, Record<string, Setting>>;

type Plain<S> = S extends { kind: 'integer' }
  ? number
  : S extends { kind: 'switch' }
    ? boolean
    : S extends { of: readonly (infer Choice)[] }
      ? Choice
      : string;
type ValueOf<S> = S extends { orEmpty: true } ? Plain<S> | null : Plain<S>;

/** Values of all settings: section, key, value. */
export type Settings = {
  [Section in keyof typeof settings]: {
    [Key in keyof (typeof settings)[Section]]: ValueOf<(typeof settings)[Section][Key]>;
  };
};

/** yt-dlp format for at most this height, MP4 if possible. */
export const formatUpTo = (height: number) =>
  `bestvideo[height<=${height}][ext=mp4]+bestaudio[ext=m4a]/best[height<=${height}][ext=mp4]/bestvideo[height<=${height}]+bestaudio/best[height<=${height}]`;

/** yt-dlp format without video. */
export const audioFormat = 'bestaudio[ext=m4a]/bestaudio';

/** Named download formats; null = the default of yt-dlp, best quality. */
export const formatPresets = [
  { name: 'best', format: null },
  { name: '1080p', format: formatUpTo(1080) },
  { name: '720p', format: formatUpTo(720) },
  { name: 'audio', format: audioFormat },
] as const;
