import type { Settings } from '#contract/settings.ts';
import type { Jar } from './jar.ts';
import { progressTemplate } from './progress.ts';
import type { Program } from './program.ts';

/** yt-dlp, and what it needs around it. */
export interface Ytdlp {
  program: Program;
  /** The proxy through which everything goes out. */
  gate: string;
  /** Certificates behind that proxy are not checked. */
  insecure: boolean;
  cacheFolder: string;
  /** The Node that runs the sites' scripts. */
  node: string;
  /** A folder with ffmpeg and ffprobe as yt-dlp may call them. */
  ffmpegFolder: string | null;
  /** The cookies of a person who is logged in; null: nobody is. */
  jar: Jar | null;
  /** What proves to YouTube where its player runs: a token, or a provider of tokens with the plugin that asks it. */
  poToken: { token: string | null; providerUrl: string | null; pluginsFolder: string | null };
}

/** What every call of yt-dlp is given, of which nothing comes from people. */
export function alwaysOptions({ program, gate, insecure, cacheFolder, node, ffmpegFolder, poToken }: Ytdlp): string[] {
  const { providerUrl, pluginsFolder } = poToken;
  return [
    '--ignore-config',
    '--no-plugin-dirs',
    ...(providerUrl && pluginsFolder
      ? [`--plugin-dirs=${pluginsFolder}`, `--extractor-args=youtubepot-bgutilhttp:base_url=${escaped(providerUrl)}`]
      : []),
    '--no-update',
    '--no-exec',
    '--no-mtime',
    `--cache-dir=${cacheFolder}`,
    '--color=never',
    '--newline',
    `--proxy=${gate}`,
    '--socket-timeout=20',
    '--retries=5',
    '--extractor-retries=3',
    '--fragment-retries=10',
    // Older ones have neither the site's scripts outside of them nor the option.
    ...(program.options.has('--no-remote-components') ? ['--no-remote-components'] : []),
    ...(program.options.has('--js-runtimes') ? ['--no-js-runtimes', `--js-runtimes=node:${node}`] : []),
    ...(insecure ? ['--no-check-certificates'] : []),
    ...(ffmpegFolder ? [`--ffmpeg-location=${ffmpegFolder}`] : []),
  ];
}

type Downloads = Settings['downloads'];

// A comma or a semicolon would begin another value, or another argument.
const escaped = (text: string) => text.replace(/[;,\\]/g, '\\$&');

const cleanList = (text: string) => text.replace(/\s+/g, '');

/** Arguments of YouTube's extractor; commas and semicolons of a value would end it, so they are escaped. */
export function extractorArguments(
  { extractor_lang, comment_max, comment_sort }: Partial<Downloads>,
  poToken: string | null = null,
): string[] {
  const parts = [
    extractor_lang && `lang=${cleanList(extractor_lang)}`,
    comment_max && `max_comments=${cleanList(comment_max)}`,
    comment_max && comment_sort && `comment_sort=${comment_sort}`,
    poToken && `po_token=${poToken}`,
  ].filter(Boolean);
  return parts.length > 0 ? [`--extractor-args=youtube:${parts.join(';')}`] : [];
}

/** What one download is given instead of what the settings say. */
export interface Choice {
  format: string | null;
  /** No picture is kept. */
  audioOnly: boolean;
}

// m4a plays everywhere; where a site has no sound by itself, it is taken out of the whole without encoding it anew.
const soundFormat = 'bestaudio[ext=m4a]/bestaudio/best';

/** What is live or still to come is not recorded while it runs: the whole of it is fetched when it is over. */
export const whenItIsOver = '--match-filters=live_status!=?is_live & live_status!=?is_upcoming & live_status!=?post_live';

/** What is fetched beside the media. */
function besideOptions({ subtitle, subtitle_source, comment_max }: Downloads): string[] {
  return [
    ...(subtitle ? ['--write-subs', `--sub-langs=${cleanList(subtitle)},-live_chat`, '--sub-format=json3/vtt/best'] : []),
    ...(subtitle && subtitle_source === 'auto' ? ['--write-auto-subs'] : []),
    ...(comment_max ? ['--write-comments'] : []),
  ];
}

// Never --ignore-no-formats-error: with it, a video that is gone would look like one that says nothing of itself.
/** What is given when all but the media is wanted. */
export const detailOptions = (settings: Downloads, poToken: string | null = null): string[] => [
  '--no-playlist',
  '--skip-download',
  '--no-simulate',
  '--write-info-json',
  '--write-thumbnail',
  '--output=%(id)s.%(ext)s',
  ...besideOptions(settings),
  ...extractorArguments(settings, poToken),
];

/** What a download is given beyond that: the person's settings, each as the value of one option. */
export function downloadOptions(settings: Downloads, { format, audioOnly }: Choice, poToken: string | null = null): string[] {
  const chosen = format ?? (audioOnly ? soundFormat : settings.format);
  return [
    '--no-playlist',
    '--no-overwrites',
    '--continue',
    '--abort-on-unavailable-fragments',
    '--write-info-json',
    '--write-thumbnail',
    '--no-simulate',
    '--progress',
    '--no-quiet',
    `--progress-template=${progressTemplate}`,
    '--output=%(id)s.%(ext)s',
    whenItIsOver,
    ...(audioOnly ? ['--extract-audio', '--audio-format=best'] : []),
    // mp4 when the codecs fit into it, so that every browser plays it; else a container that takes anything.
    '--merge-output-format=mp4/mkv',
    ...(chosen ? [`--format=${chosen}`] : []),
    ...(settings.format_sort ? [`--format-sort=${cleanList(settings.format_sort)}`] : []),
    ...(settings.limit_speed ? [`--limit-rate=${settings.limit_speed}K`] : []),
    ...(settings.throttledratelimit ? [`--throttled-rate=${settings.throttledratelimit}K`] : []),
    ...(settings.add_metadata ? ['--embed-metadata', '--embed-chapters'] : []),
    ...(settings.add_thumbnail ? ['--embed-thumbnail'] : []),
    ...besideOptions(settings),
    ...extractorArguments(settings, poToken),
  ];
}

const isSecret = (option: string) => option.startsWith('--proxy=') || option.includes('po_token=');
// As a shell would quote it, which is how yt-dlp reads its configuration.
const quoted = (option: string) => `'${option.replaceAll("'", `'"'"'`)}'`;

/**
 * Options as they are given to yt-dlp: everybody on a machine may read the arguments of every program, so the password of the
 * gate and a PO token are told on stdin, as a configuration.
 */
export const discreetly = (options: readonly string[]): { args: string[]; input: string } => ({
  args: ['--config-locations=-', ...options.filter((option) => !isSecret(option))],
  input: options
    .filter(isSecret)
    .map((option) => `${quoted(option)}\n`)
    .join(''),
});
