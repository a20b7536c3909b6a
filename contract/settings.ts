// Plain data on purpose: the web builds its forms from it without carrying a validator to the browser.

interface About {
  label: string;
  help?: string;
  unit?: string;
  /** Only has an effect when this key of the same section is set. */
  needs?: string;
}

/** One setting of the application: what it may be, what it is until somebody chooses, and how it is shown. */
export type Setting = About &
  (
    | { kind: 'integer'; min: number; max: number; orEmpty?: true; zeroIsEmpty?: true; initial: number | null }
    | { kind: 'switch'; initial: boolean }
    | { kind: 'choice'; of: readonly string[]; orEmpty?: true; initial: string | null }
    | { kind: 'text'; max: number; pattern?: string; orEmpty: true; initial: string | null }
    | { kind: 'day'; orEmpty: true; initial: string | null }
  );

// It is one value of one option of yt-dlp, so whatever can be printed may be in it. Escapes that every reader of the API's
// description knows, for \p{Cc} and \p{Cs}.
const unprintable = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff';
const sortField = ` *(\\+?\\w+ *([~:][^,${unprintable}]*)?)?`;
const phrase = { kind: 'text', max: 500, orEmpty: true, initial: null } as const;
const span = { kind: 'integer', min: 1, max: 100_000_000, orEmpty: true, initial: null } as const;
const listing = { kind: 'integer', min: 0, max: 100_000, orEmpty: true } as const;

/** Every setting of the application, by section, as the API names them. */
export const settings = {
  subscriptions: {
    channel_size: {
      ...listing,
      initial: 50,
      label: 'Videos to look at',
      help: 'Newest of each channel in a scan; 0 leaves videos out, empty looks at all.',
    },
    live_channel_size: {
      ...listing,
      initial: 50,
      label: 'Streams to look at',
      help: 'Newest of each channel in a scan; 0 leaves streams out, empty looks at all.',
    },
    shorts_channel_size: {
      ...listing,
      initial: 50,
      label: 'Shorts to look at',
      help: 'Newest of each channel in a scan; 0 leaves shorts out, empty looks at all.',
    },
    playlist_size: {
      ...listing,
      initial: 50,
      label: 'Playlist entries to look at',
      help: 'Empty or 0 looks at all of them.',
    },
    auto_start: { kind: 'switch', initial: false, label: 'Download what a scan finds at once' },
    extract_flat: {
      kind: 'switch',
      initial: false,
      label: 'Fast adding',
      help: 'Takes what the listing tells, without opening each video.',
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
      label: 'Throttled below',
      unit: 'KB/s',
      help: 'Slower than this counts as throttled: the video is looked up anew.',
    },
    sleep_interval: {
      kind: 'integer',
      min: 0,
      max: 86_400,
      orEmpty: true,
      initial: 10,
      label: 'Pause between requests',
      unit: 's',
      help: 'Varied by half each way; under 10 invites a block.',
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
      help: 'Empty or 0 deletes nothing.',
    },
    format: {
      kind: 'text',
      max: 500,
      pattern: `^(?!-$)[^${unprintable}]+$`, // by a dash alone yt-dlp asks at the keyboard
      orEmpty: true,
      initial: null,
      label: 'Format',
      help: "In yt-dlp's format language; empty takes the best.",
    },
    format_sort: {
      kind: 'text',
      max: 500,
      pattern: `^${sortField}(,${sortField})*$`, // as yt-dlp has it; what else it is given it refuses for every video
      orEmpty: true,
      initial: null,
      label: 'Format order',
      help: 'For example res:1080,vcodec:h264.',
    },
    add_metadata: { kind: 'switch', initial: false, label: 'Embed metadata in the file' },
    add_thumbnail: { kind: 'switch', initial: false, label: 'Embed the thumbnail in the file' },
    subtitle: {
      kind: 'text',
      max: 500,
      pattern: `^[^${unprintable}]+$`,
      orEmpty: true,
      initial: null,
      label: 'Subtitle languages',
      help: 'Comma separated, for example en,de; all takes every one.',
    },
    subtitle_source: {
      kind: 'choice',
      of: ['user', 'auto'],
      orEmpty: true,
      initial: null,
      label: 'Subtitle source',
      needs: 'subtitle',
      help: 'auto also takes automatic captions where there are no written ones.',
    },
    subtitle_index: { kind: 'switch', initial: false, label: 'Search in subtitles', needs: 'subtitle' },
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
    cookie_import: { kind: 'switch', initial: false, label: 'Use the stored cookie' },
    potoken: { kind: 'switch', initial: false, label: 'Use the PO token' },
    pot_provider_url: {
      kind: 'text',
      max: 500,
      pattern: '^https?://\\S+$',
      orEmpty: true,
      initial: null,
      label: 'PO token provider',
    },
    extractor_lang: {
      kind: 'text',
      max: 50,
      pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]+)*(\\s*,\\s*[a-zA-Z]{2,3}(-[a-zA-Z0-9]+)*)*$',
      orEmpty: true,
      initial: null,
      label: 'Language of titles',
      help: 'A two-letter code.',
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
      label: 'Look for new uploads every',
      unit: 'minutes',
      help: 'Reads the small feeds that sites offer; empty leaves it to the schedule.',
    },
  },
  rules: {
    title_include: {
      ...phrase,
      label: 'Only titles with',
      help: 'One of these phrases, separated by commas; or /a regular expression/.',
    },
    title_exclude: { ...phrase, label: 'No titles with', help: 'Any of these phrases, or /a regular expression/.' },
    min_seconds: { ...span, label: 'Not shorter than', unit: 's' },
    max_seconds: { ...span, label: 'Not longer than', unit: 's' },
    published_after: {
      kind: 'day',
      orEmpty: true,
      initial: null,
      label: 'Not published before',
    },
    skip_members_only: { kind: 'switch', initial: false, label: 'Leave out what is for members only' },
    keep_newest: {
      ...span,
      label: 'Keep only the newest',
      unit: 'videos',
      help: 'Of each source. Older ones are not fetched, and deleted unless marked to be kept.',
    },
    keep_days: {
      ...span,
      label: 'Keep only the last',
      unit: 'days',
      help: 'By the day of publication. Older ones are not fetched, and deleted unless marked to be kept.',
    },
  },
  queue: {
    at_once: { kind: 'integer', min: 1, max: 8, initial: 1, label: 'Downloads at once' },
    per_site: {
      kind: 'integer',
      min: 1,
      max: 4,
      initial: 1,
      label: 'Of one site at once',
      help: 'More than one invites a block.',
    },
    audio_only: {
      kind: 'switch',
      initial: false,
      label: 'Sound only',
      help: 'Keeps no picture. A channel may choose otherwise.',
    },
    reserve: {
      kind: 'integer',
      min: 0,
      max: 100_000,
      initial: 5,
      label: 'Space to leave free',
      unit: 'GB',
      help: 'No download begins below that.',
    },
  },
  bin: {
    days: {
      kind: 'integer',
      min: 0,
      max: 3650,
      initial: 7,
      label: 'Deleted videos rest in the bin for',
      unit: 'days',
      help: 'Until then they can be put back. With 0 there is no bin: files are deleted at once.',
    },
  },
  ytdlp: {
    updates: {
      kind: 'choice',
      of: ['auto', 'on', 'off'],
      initial: 'auto',
      label: 'Keep yt-dlp up to date',
      help: 'auto does so unless the machine has one of its own.',
    },
    pinned: {
      kind: 'text',
      max: 20,
      pattern: '^\\d{4}\\.\\d{2}\\.\\d{2}[\\d.]*$',
      orEmpty: true,
      initial: null,
      label: 'Only this version of yt-dlp',
      help: 'Such as 2026.10.26; empty takes the newest.',
    },
  },
  application: {
    enable_snapshot: { kind: 'switch', initial: true, label: 'Daily snapshots' },
    enable_cast: {
      kind: 'switch',
      initial: false,
      label: 'Casting',
      help: "Plays on televisions. Chromium browsers load Google's sender for it, on pages opened from then on.",
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

/** The settings as they stand: section, key, value. */
export type Settings = {
  [Section in keyof typeof settings]: {
    [Key in keyof (typeof settings)[Section]]: ValueOf<(typeof settings)[Section][Key]>;
  };
};
