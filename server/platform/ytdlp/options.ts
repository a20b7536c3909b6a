import type { Settings } from '#contract/settings.ts';
import type { CookieJar } from './cookie-jar.ts';
import { progressTemplate } from './progress.ts';
import type { Failure } from './failure.ts';
import type { Program } from './find-ytdlp.ts';
import type { OfferedSound } from './sounds.ts';

/** yt-dlp with its environment. */
export interface Ytdlp {
  program: Program;
  /** URL of the forward proxy. */
  proxyUrl: string;
  /** Disables certificate checks behind the proxy. */
  insecure: boolean;
  cacheFolder: string;
  /** Path of Node, which runs scripts of sites. */
  node: string;
  /** Folder with the wrappers of ffmpeg and ffprobe. */
  ffmpegFolder: string | null;
  /** PATH of yt-dlp (path-folder.ts). */
  path: string;
  /** Folders of Python packages that were installed for a yt-dlp without them (python-packages.ts); null if not. */
  packages: { solver: string | null; impersonation: string | null };
  /** curl_cffi is installed, so yt-dlp can look like a browser. */
  canImpersonate: boolean;
  /** Hosts whose pages admit only browsers; completed by `isForBrowsers`. */
  browserHosts: Set<string>;
  /** Stored cookies; null without a login. */
  jar: CookieJar | null;
  /** Clients of YouTube as which yt-dlp asks for a video, comma-separated; null for its own choice. */
  playerClient: string | null;
  /** Proof of origin for YouTube: a token of the user, and a service that creates tokens with its plugin. */
  poToken: { token: string | null; provider: { url: string; pluginsFolder: string } | null };
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '');

/** Sites whose extractors never impersonate a browser. */
const isWithoutImpersonation = (url: string) => /(^|\.)(youtube\.com|youtu\.be)$/.test(hostOf(url));

/**
 * Environment of yt-dlp for a URL; without one, with all packages. curl_cffi doubles the time of a start, so YouTube, which does not need it,
 * goes without. The working folder, which has files of sites, is not searched for packages.
 */
export function environmentOf({ path, packages }: Pick<Ytdlp, 'path' | 'packages'>, url = ''): Record<string, string> {
  const folders = [packages.solver, isWithoutImpersonation(url) ? null : packages.impersonation].filter((one) => one !== null);
  return { PATH: path, PYTHONSAFEPATH: '1', ...(folders.length > 0 && { PYTHONPATH: folders.join(':') }) };
}

const potProviderArgument = '--extractor-args=youtubepot-bgutilhttp:base_url=';

/** Options of every call, without user input. */
export function alwaysOptions({ program, proxyUrl, insecure, cacheFolder, node, ffmpegFolder, poToken }: Ytdlp): string[] {
  const { provider } = poToken;
  return [
    '--ignore-config',
    '--no-plugin-dirs',
    ...(provider ? [`--plugin-dirs=${provider.pluginsFolder}`, `${potProviderArgument}${escaped(provider.url)}`] : []),
    '--no-update',
    '--no-exec',
    '--no-mtime',
    `--cache-dir=${cacheFolder}`,
    '--color=never',
    '--newline',
    `--proxy=${proxyUrl}`,
    '--socket-timeout=20',
    '--retries=5',
    '--extractor-retries=3',
    '--fragment-retries=10',
    // Older versions do not have these options.
    ...(program.hasRuntimes ? ['--no-remote-components', '--no-js-runtimes', `--js-runtimes=node:${node}`] : []),
    ...(insecure ? ['--no-check-certificates'] : []),
    ...(ffmpegFolder ? [`--ffmpeg-location=${ffmpegFolder}`] : []),
  ];
}

type Downloads = Settings['downloads'];

// Commas and semicolons separate values and arguments.
const escaped = (text: string) => text.replace(/[;,\\]/g, '\\$&');

const cleanList = (text: string) => text.replace(/\s+/g, '');

const noPoToken: Ytdlp['poToken'] = { token: null, provider: null };

/**
 * Arguments of the YouTube extractor. Commas and semicolons in values are escaped. `needsMedia`: with a service for PO tokens,
 * yt-dlp requests one for every client, also where it does not know yet that YouTube requires one.
 */
export function extractorArguments(
  { extractor_lang, comment_max, comment_sort, player_client }: Partial<Downloads>,
  { token, provider }: Ytdlp['poToken'] = noPoToken,
  { needsMedia = false } = {},
): string[] {
  const parts = [
    extractor_lang && `lang=${cleanList(extractor_lang)}`,
    comment_max && `max_comments=${cleanList(comment_max)}`,
    comment_max && comment_sort && `comment_sort=${comment_sort}`,
    player_client && `player_client=${cleanList(player_client)}`,
    token && `po_token=${token}`,
    provider && needsMedia && 'fetch_pot=always',
  ].filter(Boolean);
  return parts.length > 0 ? [`--extractor-args=youtube:${parts.join(';')}`] : [];
}

/** Options of one download that override the settings. */
export interface Choice {
  format: string | null;
  /** Downloads audio only. */
  audioOnly: boolean;
}

// m4a plays everywhere. If a site has no separate audio, it is extracted without re-encoding.
const soundFormat = 'bestaudio[ext=m4a]/bestaudio/best';

/** Live streams and premieres are not recorded while they run; the complete video is downloaded afterwards. */
export const skipLiveStreams = '--match-filters=live_status!=?is_live & live_status!=?is_upcoming & live_status!=?post_live';

// YouTube marks automatic captions in the original language with `-orig`.
const subtitleLanguages = (languages: string) =>
  cleanList(languages)
    .split(',')
    .map((language) => (language === 'original' ? '.*-orig' : language))
    .join(',');

/**
 * Stops before yt-dlp downloads a format with another program or a connection that bypasses the proxy: rtmpdump, mplayer, mpv,
 * WebSockets.
 */
const skipNonProxyFormats = "--break-match-filters=protocol!~=?'(^|\\+)(rtmp|rtsp|mms|websocket|fc2_live)'";
/** Message of yt-dlp in that case. */
export const bypassesProxy = /does not pass filter \(protocol\b.*\), skipping/;

/** Options for subtitles and comments. */
function subtitleAndCommentOptions({ subtitle, subtitle_source, comment_max }: Downloads): string[] {
  return [
    ...(subtitle
      ? ['--write-subs', `--sub-langs=${subtitleLanguages(subtitle)},-live_chat`, '--sub-format=json3/vtt/srt/best']
      : []),
    ...(subtitle && subtitle_source === 'auto' ? ['--write-auto-subs'] : []),
    ...(comment_max ? ['--write-comments'] : []),
  ];
}

// Never --ignore-no-formats-error: with it, a deleted video would look like one without metadata.
/** Options to download everything except the media. */
export const detailOptions = (settings: Downloads, poToken = noPoToken): string[] => [
  '--no-playlist',
  '--skip-download',
  '--no-simulate',
  '--write-info-json',
  '--write-thumbnail',
  '--output=%(id)s.%(ext)s',
  ...subtitleAndCommentOptions(settings),
  ...extractorArguments(settings, poToken),
];

/** Options of every transfer of media. `isLive`: fragments that the site has lost are left out. */
const transferOptions = ({ limit_speed, throttledratelimit }: Downloads, { isLive = false } = {}) => [
  '--no-playlist',
  '--no-overwrites',
  '--continue',
  isLive ? '--skip-unavailable-fragments' : '--abort-on-unavailable-fragments',
  '--no-simulate',
  '--progress',
  '--no-quiet',
  `--progress-template=${progressTemplate}`,
  skipNonProxyFormats,
  ...(limit_speed ? [`--limit-rate=${limit_speed}K`] : []),
  ...(throttledratelimit ? [`--throttled-rate=${throttledratelimit}K`] : []),
];

/** Options to download one sound into `sound-<format>.<extension>`. Its format has another id if the site lists others meanwhile. */
export const soundOptions = (
  settings: Downloads,
  { formatId, language }: Pick<OfferedSound, 'formatId' | 'language'>,
  poToken = noPoToken,
): string[] => [
  ...transferOptions(settings),
  `--format=${formatId}[language=${language}]`,
  '--output=sound-%(format_id)s.%(ext)s',
  ...extractorArguments(settings, poToken, { needsMedia: true }),
];

/** Options to download a copy as H.264 and AAC into `small.mp4`. `height`: of the highest picture, in pixels. */
export function smallCopyOptions(
  settings: Downloads,
  { height, hasSound }: { height: number; hasSound: boolean },
  poToken = noPoToken,
): string[] {
  const picture = `[height<=${height}][vcodec~='^(avc1|h264)']`;
  const sound = "[acodec~='^(mp4a|aac)']";
  return [
    ...transferOptions(settings),
    skipLiveStreams,
    `--format=${hasSound ? `bv*${picture}+ba${sound}/b${picture}${sound}` : `bv*${picture}`}`,
    '--format-sort=hdr:SDR',
    '--merge-output-format=mp4',
    '--output=small.%(ext)s',
    ...extractorArguments(settings, poToken, { needsMedia: true }),
  ];
}

/** Order of formats. What the user has written comes first; yt-dlp alone prefers HDR. */
function sortOptions({ format_sort, prefer_hdr }: Downloads): string[] {
  const fields = [format_sort && cleanList(format_sort), !prefer_hdr && 'hdr:SDR'].filter(Boolean);
  return fields.length > 0 ? [`--format-sort=${fields.join()}`] : [];
}

/** Options that choose what is downloaded. */
function formatOptions(settings: Downloads, { format, audioOnly }: Choice): string[] {
  const chosen = format ?? (audioOnly ? soundFormat : settings.format);
  return [...(chosen ? [`--format=${chosen}`] : []), ...sortOptions(settings)];
}

/** Fields of the JSON that `choiceOptions` prints. */
const printedFields = 'format_id,width,height,fps,vcodec,dynamic_range,tbr,vbr,filesize,filesize_approx,requested_formats';

/**
 * Options that print what a download would choose from an info.json, without a request. If nothing in it is what the user wants, the
 * fields are empty.
 */
export const choiceOptions = (settings: Downloads, choice: Choice): string[] => [
  '--simulate',
  '--ignore-no-formats-error',
  '--no-check-formats',
  `--print=%(.{${printedFields}})j`,
  ...formatOptions(settings, choice),
];

/** Options of a download: settings of the user, each as the value of one option. */
export function downloadOptions(settings: Downloads, { format, audioOnly }: Choice, poToken = noPoToken): string[] {
  return [
    ...transferOptions(settings),
    '--write-info-json',
    '--write-thumbnail',
    '--output=%(id)s.%(ext)s',
    skipLiveStreams,
    ...(audioOnly ? ['--extract-audio', '--audio-format=best'] : []),
    // mp4 if the codecs allow it, so that every browser plays it; otherwise mkv.
    '--merge-output-format=mp4/mkv',
    ...formatOptions(settings, { format, audioOnly }),
    ...(settings.add_metadata ? ['--embed-metadata', '--embed-chapters'] : []),
    ...(settings.add_thumbnail ? ['--embed-thumbnail'] : []),
    ...subtitleAndCommentOptions(settings),
    ...extractorArguments(settings, poToken, { needsMedia: true }),
  ];
}

/** Only streams that run are recorded; of others only the metadata are written. */
const skipOthers = '--match-filters=live_status=is_live';

/** Options to record a running stream from its start, each format into `<id>.f<format>.<extension>`. */
export const recordingOptions = (settings: Downloads, format: string | null, poToken = noPoToken): string[] => [
  ...transferOptions(settings, { isLive: true }),
  '--live-from-start',
  '--write-info-json',
  '--write-thumbnail',
  '--output=%(id)s.%(ext)s',
  skipOthers,
  '--merge-output-format=mp4/mkv',
  ...formatOptions(settings, { format, audioOnly: false }),
  ...extractorArguments(settings, poToken, { needsMedia: true }),
];

/** Options to write a chat into `chat.live_chat.json`: the replay of a past stream, or that of a running one until it ends. */
export const chatOptions = (settings: Downloads, { isLive }: { isLive: boolean }, poToken = noPoToken): string[] => [
  '--no-playlist',
  '--skip-download',
  '--no-simulate',
  '--progress',
  '--no-quiet',
  `--progress-template=${progressTemplate}`,
  isLive ? skipOthers : skipLiveStreams,
  '--write-subs',
  '--sub-langs=live_chat',
  '--output=chat.%(ext)s',
  ...extractorArguments(settings, poToken),
];

const isSecret = (option: string) =>
  option.startsWith('--proxy=') || option.includes('po_token=') || option.startsWith(potProviderArgument);
// Quoted as in a shell, which is the format of yt-dlp configurations.
const quoted = (option: string) => `'${option.replaceAll("'", `'"'"'`)}'`;

/**
 * Splits options into arguments and a configuration for stdin. All users of a machine can read the arguments of processes, so the
 * passwords of the forward proxy and of the service for PO tokens, and a PO token, are passed on stdin.
 */
export const withoutSecrets = (options: readonly string[]): { args: string[]; input: string } => ({
  args: ['--config-locations=-', ...options.filter((option) => !isSecret(option))],
  input: options
    .filter(isSecret)
    .map((option) => `${quoted(option)}\n`)
    .join(''),
});

/**
 * Returns arguments, configuration and environment of a call for one URL. With `infoPath`, an info.json, yt-dlp asks the site only
 * for media, and for the URL if that fails.
 */
export function callOptions(ytdlp: Ytdlp, url: string, options: readonly string[], infoPath?: string) {
  // Not for all hosts, because some reject a browser (https://github.com/yt-dlp/yt-dlp/issues/11335).
  const asBrowser = ytdlp.browserHosts.has(hostOf(url)) ? ['--extractor-args=generic:impersonate'] : [];
  const { args, input } = withoutSecrets([...alwaysOptions(ytdlp), ...asBrowser, ...options]);
  const from = infoPath === undefined ? ['--', url] : [`--load-info-json=${infoPath}`];
  return { args: [...args, ...from], input, env: environmentOf(ytdlp, url) };
}

/** Returns whether a call failed because the host admits only browsers, and may succeed as one: call it again then. */
export function isForBrowsers({ canImpersonate, browserHosts }: Ytdlp, url: string, failure: Failure): boolean {
  if (failure.kind !== 'impersonation' || !canImpersonate || browserHosts.has(hostOf(url))) return false;
  browserHosts.add(hostOf(url));
  return true;
}
