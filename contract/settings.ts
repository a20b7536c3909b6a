// Plain data, so that the web app builds forms from it without loading zod.

interface About {
  label: string;
  help?: string;
  unit?: string;
  /** Has no effect unless this key of the same section is set. */
  needs?: string;
  /** Has no effect unless `needs` has this value. */
  needsValue?: string;
}

/** An application setting: bounds, default and label. */
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
const phrase = { kind: 'text', max: 500, orEmpty: true, initial: null } as const;
const span = { kind: 'integer', min: 1, max: 100_000_000, orEmpty: true, initial: null } as const;
const listing = { kind: 'integer', min: 0, max: 100_000, orEmpty: true } as const;

/** All application settings by section, with the names of the API. */
export const settings = {
  subscriptions: {
    channel_size: {
      ...listing,
      initial: 50,
      label: 'Newest videos to check',
      help: 'Per channel and scan. 0 skips videos, empty checks all.',
    },
    live_channel_size: {
      ...listing,
      initial: 50,
      label: 'Newest streams to check',
      help: 'Per channel and scan. 0 skips streams, empty checks all.',
    },
    shorts_channel_size: {
      ...listing,
      initial: 50,
      label: 'Newest shorts to check',
      help: 'Per channel and scan. 0 skips shorts, empty checks all.',
    },
    playlist_size: {
      ...listing,
      initial: 50,
      label: 'Playlist entries to check',
      help: 'Empty or 0 checks all.',
    },
    auto_start: { kind: 'switch', initial: false, label: 'Download new videos automatically' },
    extract_flat: {
      kind: 'switch',
      initial: false,
      label: 'Quick add',
      help: 'Uses list data only; faster, fewer details.',
    },
  },
  downloads: {
    limit_speed: { kind: 'integer', min: 1, max: 10_000_000, orEmpty: true, initial: null, label: 'Speed limit', unit: 'KB/s' },
    throttledratelimit: {
      kind: 'integer',
      min: 1,
      max: 10_000_000,
      orEmpty: true,
      initial: null,
      label: 'Throttling threshold',
      unit: 'KB/s',
      help: 'Below this speed, yt-dlp assumes throttling and extracts the video again.',
    },
    sleep_interval: {
      kind: 'integer',
      min: 0,
      max: 86_400,
      orEmpty: true,
      initial: 10,
      label: 'Delay between requests',
      unit: 's',
      help: 'Randomized ±50%. Below 10 s you risk being blocked.',
    },
    autodelete_days: {
      kind: 'integer',
      min: 0,
      max: 36_500,
      orEmpty: true,
      zeroIsEmpty: true,
      initial: null,
      label: 'Delete after watching',
      unit: 'days',
      help: 'Empty or 0 = never.',
    },
    autodelete_min_size: {
      kind: 'integer',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      orEmpty: true,
      zeroIsEmpty: true,
      initial: null,
      label: 'Delete only watched videos larger than',
      unit: 'bytes',
      needs: 'autodelete_days',
    },
    autodelete_available_only: {
      kind: 'switch',
      initial: false,
      label: 'Delete only watched videos that are still available at the source',
      needs: 'autodelete_days',
    },
    format: {
      kind: 'text',
      max: 500,
      pattern: `^(?!-$)[^${unprintable}]+$`, // with "-" yt-dlp prompts for a format
      orEmpty: true,
      initial: null,
      label: 'Format',
      help: 'yt-dlp format string. Empty = best quality.',
    },
    format_sort: {
      kind: 'text',
      max: 500,
      pattern: `^${sortField}(,${sortField})*$`, // syntax of yt-dlp; an invalid value makes every download fail
      orEmpty: true,
      initial: null,
      label: 'Format sort order',
      help: 'For example res:1080,vcodec:h264.',
    },
    add_metadata: { kind: 'switch', initial: false, label: 'Embed metadata in the file' },
    add_thumbnail: { kind: 'switch', initial: false, label: 'Embed the thumbnail in the file' },
    subtitle: {
      kind: 'text',
      max: 500,
      pattern: `^[^${unprintable}]+$`,
      orEmpty: true,
      initial: 'en,original',
      label: 'Subtitle languages',
      help: 'Comma-separated, for example en,de. “original” is the language of the video, “all” is every language.',
    },
    subtitle_source: {
      kind: 'choice',
      of: ['user', 'auto'],
      orEmpty: true,
      initial: 'auto',
      label: 'Include automatic captions',
      needs: 'subtitle',
      help: 'Used when there are no human subtitles.',
    },
    subtitle_index: { kind: 'switch', initial: true, label: 'Make spoken words searchable', needs: 'subtitle' },
    comment_max: {
      kind: 'text',
      max: 100,
      pattern: '^\\s*(\\d+|all)(\\s*,\\s*(\\d+|all)){0,3}\\s*$',
      orEmpty: true,
      initial: null,
      label: 'Comments',
      help: 'max-comments,max-parents,max-replies,max-replies-per-thread',
    },
    comment_sort: {
      kind: 'choice',
      of: ['top', 'new'],
      orEmpty: true,
      initial: 'top',
      label: 'Comment order',
      needs: 'comment_max',
    },
    cookie_import: { kind: 'switch', initial: false, label: 'Use the stored cookies' },
    potoken: { kind: 'switch', initial: false, label: 'Use the PO token' },
    po_tokens: {
      kind: 'choice',
      of: ['auto', 'always', 'never', 'provider'],
      initial: 'auto',
      label: 'PO tokens',
      help: 'YouTube requires them for some formats. “Automatic” creates them for an hour after a download failed without one.',
    },
    pot_provider_url: {
      kind: 'text',
      max: 500,
      pattern: '^https?://\\S+$',
      orEmpty: true,
      initial: null,
      label: 'PO token provider',
      needs: 'po_tokens',
      needsValue: 'provider',
      help: 'Address of a bgutil-ytdlp-pot-provider 2, for example http://bgutil:4416.',
    },
    pot_provider_proxy: {
      kind: 'text',
      max: 500,
      pattern: '^https?://\\S+$',
      orEmpty: true,
      initial: null,
      label: 'Proxy of the provider',
      needs: 'po_tokens',
      needsValue: 'provider',
      help: 'A proxy that the provider can reach, for example http://user:password@proxy:3128. Empty = it connects directly.',
    },
    extractor_lang: {
      kind: 'text',
      max: 50,
      pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]+)*(\\s*,\\s*[a-zA-Z]{2,3}(-[a-zA-Z0-9]+)*)*$',
      orEmpty: true,
      initial: null,
      label: 'Title language',
      help: 'Two-letter code, for example en.',
    },
    player_client: {
      kind: 'text',
      max: 200,
      pattern: '^\\s*-?[a-z0-9_]+(\\s*,\\s*-?[a-z0-9_]+)*\\s*$',
      orEmpty: true,
      initial: null,
      label: 'YouTube clients',
      help: 'For experts. Empty = yt-dlp’s choice (2026.10.26: tv_samsung, visionos, web; with cookies: web_embedded, tv_samsung, web). Useful if a failure names a client: default,-web leaves one out; default,mweb adds one that needs PO tokens.',
    },
    integrate_ryd: { kind: 'switch', initial: false, label: 'Return YouTube Dislike' },
    integrate_sponsorblock: { kind: 'switch', initial: false, label: 'SponsorBlock' },
  },
  scans: {
    feed_minutes: {
      kind: 'integer',
      min: 5,
      max: 10_080,
      orEmpty: true,
      initial: 30,
      label: 'Check feeds every',
      unit: 'minutes',
      help: 'Finds new uploads between scans. Empty = only on schedule.',
    },
  },
  rules: {
    title_include: {
      ...phrase,
      label: 'Title must contain',
      help: 'Any of these phrases, separated by commas, or a /regular expression/.',
    },
    title_exclude: {
      ...phrase,
      label: 'Title must not contain',
      help: 'Any of these phrases, separated by commas, or a /regular expression/.',
    },
    min_seconds: { ...span, label: 'Minimum length', unit: 's' },
    max_seconds: { ...span, label: 'Maximum length', unit: 's' },
    published_after: {
      kind: 'day',
      orEmpty: true,
      initial: null,
      label: 'Published on or after',
    },
    skip_members_only: { kind: 'switch', initial: false, label: 'Skip members-only videos' },
    keep_newest: {
      ...span,
      label: 'Keep only the newest',
      unit: 'videos',
      help: 'Per channel or playlist. Older videos are not downloaded, and are deleted unless protected.',
    },
    keep_days: {
      ...span,
      label: 'Delete videos older than',
      unit: 'days',
      help: 'By publication date. Older videos are not downloaded, and are deleted unless protected.',
    },
  },
  queue: {
    at_once: { kind: 'integer', min: 1, max: 8, initial: 1, label: 'Parallel downloads' },
    per_site: {
      kind: 'integer',
      min: 1,
      max: 4,
      initial: 1,
      label: 'Parallel downloads per site',
      help: 'With more than one you risk being blocked.',
    },
    audio_only: {
      kind: 'switch',
      initial: false,
      label: 'Audio only',
      help: 'Saves no video track. Channels can override this.',
    },
    reserve: {
      kind: 'integer',
      min: 0,
      max: 100_000,
      initial: 5,
      label: 'Minimum free space',
      unit: 'GB',
      help: 'Downloads stop when less space is left.',
    },
    quota: {
      kind: 'integer',
      min: 1,
      max: 100_000_000,
      orEmpty: true,
      initial: null,
      label: 'Size of the bucket',
      unit: 'GB',
      help: 'Downloads stop before videos and trash exceed it. Empty = unlimited.',
    },
    login_egress: {
      kind: 'text',
      max: 64,
      pattern: '^[\\w.:-]+$',
      orEmpty: true,
      initial: null,
      label: 'Network address of the login',
      help: 'Only the servers of this address use the cookies and the PO token.',
    },
  },
  trash: {
    days: {
      kind: 'integer',
      min: 0,
      max: 3650,
      initial: 7,
      label: 'Keep deleted videos in the trash for',
      unit: 'days',
      help: 'Until then they can be restored. 0 turns the trash off: files are deleted immediately.',
    },
  },
  ytdlp: {
    updates: {
      kind: 'choice',
      of: ['auto', 'on', 'off'],
      initial: 'auto',
      label: 'Update yt-dlp automatically',
      help: '“Automatic” updates it unless the system provides yt-dlp.',
    },
    pinned: {
      kind: 'text',
      max: 20,
      pattern: '^\\d{4}\\.\\d{2}\\.\\d{2}[\\d.]*$',
      orEmpty: true,
      initial: null,
      label: 'Pinned yt-dlp version',
      help: 'For example 2026.10.26. Empty = newest.',
    },
  },
  application: {
    enable_snapshot: { kind: 'switch', initial: true, label: 'Daily snapshots' },
    setup_done: { kind: 'switch', initial: false, label: 'First-run questions answered' },
    enable_cast: {
      kind: 'switch',
      initial: false,
      label: 'Casting',
      help: 'Plays on TVs. Chromium browsers load Google’s Cast sender on pages opened from then on.',
    },
    address: {
      kind: 'text',
      max: 500,
      pattern: '^https?://[^\\s/?#]+[^\\s?#]*$',
      orEmpty: true,
      initial: null,
      label: 'Address of this archive',
      help: 'Where phones and podcast apps reach it, for example https://videos.example.org. Empty = the address in your browser.',
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
