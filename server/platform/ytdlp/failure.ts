import { message, type Message } from '#contract/messages.ts';
import { MessageError } from '../messages/message-error.ts';
import type { FailureKind } from '#contract/download.ts';
import { ProcessError } from '../process/process-error.ts';
import { proxyStatus } from '../egress/status.ts';

/** Why a site or yt-dlp failed. */
export interface Failure {
  kind: FailureKind;
  /** Message for users: the problem, whether it is retried, and the remedy. */
  message: Message;
  /** "This channel does not have a … tab", which is no error. */
  isNoTab?: true;
  /** Estimated seconds until the video is available. */
  againInSeconds?: number;
}

/** yt-dlp failed. */
export class YtdlpFailed extends MessageError {
  readonly failure: Failure;
  constructor(failure: Failure, options?: { cause: unknown }) {
    super(failure.message, options);
    this.failure = failure;
  }
}

type Row = [pattern: RegExp, kind: FailureKind, message: Message];

// How yt-dlp reports that the forward proxy rejected a plain request or a tunnel (urllib, requests and curl_cffi).
const proxyStatusPattern = (status: number) =>
  new RegExp(`(HTTP Error|Tunnel connection failed:|CONNECT tunnel failed, response) ${status}\\b`);

// Messages of yt-dlp 2025.04.30 to 2026.10.26. The first match wins, so special cases precede general ones.
const table: Row[] = [
  [proxyStatusPattern(proxyStatus.refused), 'refused', message('failure.local-network')],
  [proxyStatusPattern(proxyStatus.nameNotFound), 'network', message('failure.name-not-found')],
  [/No space left on device|Disk quota exceeded|Errno 28\b/i, 'disk-full', message('failure.disk-full')],
  [
    /challenge solving failed|Signature solving failed|nsig extraction failed|No supported JavaScript runtime|may be required to solve JS challenges|is not supported \(source/i,
    'challenge',
    message('failure.challenge'),
  ],
  [/requires? an? (\w+ )?PO Token|PO Token (which )?was not provided/i, 'token', message('failure.token')],
  [/SABR/, 'sabr', message('failure.sabr')],
  [
    /Cloudflare anti-bot challenge|attempting impersonation|impersonate target/i,
    'impersonation',
    message('failure.impersonation'),
  ],
  [/not a bot|not a robot|captcha/i, 'blocked', message('failure.bot-check')],
  [/IP is likely being blocked|All player responses are invalid/i, 'blocked', message('failure.ip-blocked')],
  [/rate-limited|HTTP Error 429|Too Many Requests/i, 'rate-limited', message('failure.rate-limited')],
  [/Netscape|cookies? file|cookies are no longer valid|HTTP Error 401/i, 'cookie', message('failure.cookie')],
  [
    /members[- ]only|available to this channel's members|Join this channel|channel members on level/i,
    'members-only',
    message('failure.members-only'),
  ],
  [/confirm your age|age[- ]restricted|inappropriate for some users/i, 'age', message('failure.age')],
  [/Private video|This video is private|playlist is private|is private/i, 'private', message('failure.private')],
  [/Music Premium|requires payment|requires? (a )?purchase|rent(al)? /i, 'paid', message('failure.paid')],
  [/DRM/i, 'paid', message('failure.drm')],
  [/in your country|geo[- ]?restrict|not available from your location|blocked it in your/i, 'geo', message('failure.geo')],
  [/will begin in|Premieres in|live event will|not yet available|Premiere will begin/i, 'not-yet', message('failure.not-yet')],
  [/is not currently live|live stream recording is not available/i, 'not-yet', message('failure.no-recording')],
  [/account (associated with this video )?has been terminated/i, 'gone', message('failure.account-closed')],
  [/copyright claim|copyright grounds|copyright infringement/i, 'gone', message('failure.copyright')],
  [/violating YouTube.s/i, 'gone', message('failure.terms-violation')],
  [
    /removed by the uploader|has been removed|no longer available|does not exist|was not found|entity was not found|HTTP Error 404|HTTP Error 410|This playlist does not exist|Video unavailable/i,
    'gone',
    message('failure.not-found'),
  ],
  [/Invalid format specification|invalid format sorting/i, 'format', message('failure.invalid-format')],
  [/No video formats found/i, 'ytdlp', message('failure.no-formats')],
  [/Requested format is not available|requested format/i, 'format', message('failure.format')],
  [/Postprocessing|ffmpeg|Conversion failed/i, 'incomplete', message('failure.merge')],
  [/Unsupported URL|is not a valid URL|looks truncated|Incomplete YouTube ID/i, 'refused', message('failure.no-video-at-link')],
  [/HTTP Error 403/i, 'network', message('failure.forbidden')],
  [
    /Unable to connect to proxy|Tunnel connection failed: 5\d\d|ProxyError|Name or service not known|getaddrinfo|Temporary failure in name resolution|Connection refused|Network is unreachable|timed out|Remote end closed|Connection reset|IncompleteRead|bytes read|HTTP Error 5\d\d|SSL|EOF occurred|unable to connect|TransportError/i,
    'network',
    message('failure.network'),
  ],
  [/An error occurred\. Please try again later/i, 'network', message('failure.site')],
  [/please report this issue|Failed to extract|Unable to extract|KeyError|TypeError/i, 'ytdlp', message('failure.ytdlp')],
];

/** The alternatives of all patterns, one by one: a test looks for them in the source of yt-dlp. */
export const failurePhrases = (): string[] =>
  table.flatMap(([{ source }]) => {
    let depth = 0;
    return source.split(/(\\.|[()|])/).reduce(
      (parts, part) => {
        depth += part === '(' ? 1 : part === ')' ? -1 : 0;
        if (part === '|' && depth === 0) return [...parts, ''];
        return parts.with(-1, parts.at(-1)! + part);
      },
      [''],
    );
  });

// "This live event will begin in 5 hours.", "Premieres in 2 days", "… in a few moments"
const begins = /(?:begin|begins|Premieres) in (\d+) (minute|hour|day)/i;
const unitSeconds: Record<string, number> = { minute: 60, hour: 3600, day: 86_400 };

function beginsIn(words: string): number | undefined {
  const found = begins.exec(words);
  return found ? Number(found[1]) * unitSeconds[found[2]!.toLowerCase()]! : undefined;
}

const needsPycryptodomex = message('failure.pycryptodomex');

const noTab = /This channel does not have a (\w+) tab/i;

/** Returns the last `ERROR:` line of yt-dlp's stderr, without that prefix. */
function lastErrorLine(stderr: string): string | undefined {
  return stderr
    .split('\n')
    .findLast((line) => line.startsWith('ERROR:'))
    ?.replace(/^ERROR:\s*/, '');
}

/**
 * Returns the exception of an uncaught Python traceback (`SyntaxError: …`), or else the last line. Stack frames are never
 * returned: they contain paths, which may contain any word.
 */
function lastLine(stderr: string): string {
  const lines = stderr.trimEnd().split('\n');
  return (
    (isTraceback(stderr) ? lines.findLast((line) => /^[\w.]+(Error|Exception|Interrupt|Exit)\b/.test(line)) : lines.at(-1)) ?? ''
  );
}

const isTraceback = (stderr: string) => /^Traceback \(most recent call last\)/m.test(stderr);

/** Classes of warnings that yt-dlp prints when it leaves out formats. */
const skippedFormats: FailureKind[] = ['challenge', 'token', 'sabr', 'impersonation'];
/** Classes of warnings that explain an error whose cause is unknown. */
const explaining: FailureKind[] = [...skippedFormats, 'blocked', 'rate-limited', 'network'];

function rowOfWarnings(stderr: string, kinds: FailureKind[]): Row | undefined {
  const warnings = stderr.split('\n').filter((line) => line.startsWith('WARNING:'));
  return table.find(([pattern, kind]) => kinds.includes(kind) && warnings.some((line) => pattern.test(line)));
}

/** Returns why formats were skipped in a run that succeeded, or null if none were. Missing subtitles do not count. */
export function skippedFormatsOf(stderr: string): FailureKind | null {
  const lines = stderr.split('\n').filter((line) => !/subtitles/i.test(line));
  return rowOfWarnings(lines.join('\n'), ['challenge', 'token', 'sabr'])?.[1] ?? null;
}

/** Returns the class of warnings that explain an error: any for a general one, and that of missing formats for a missing format. */
function explainedBy(row: Row | undefined): FailureKind[] {
  if (!row || row[1] === 'ytdlp') return explaining;
  return ['failure.format', 'failure.forbidden'].includes(row[2].id) ? skippedFormats : [];
}

/** Formats a message of yt-dlp for users: without secrets in URLs and advice about its command line. */
const readable = (error: string): string =>
  error
    .replace(/;? ?please report this issue.*$/is, '')
    .replace(/\s*Use --\S+.*$/s, '')
    .replace(/https?:\/\/\S*@\S+/g, '')
    .trim()
    .slice(0, 300);

const crashed: Pick<Failure, 'kind' | 'message'> = {
  kind: 'ytdlp',
  message: message('failure.crashed'),
};

/** Classifies a failed run of yt-dlp by its last `ERROR:` line, its warnings, or the exit of the process. */
export function failureOf(how: string | ProcessError): Failure {
  if (typeof how !== 'string') {
    if (how.reason === 'missing') return { kind: 'ytdlp', message: message('failure.no-ytdlp') };
    if (how.reason === 'silent') return { kind: 'network', message: message('failure.no-output') };
    if (how.reason === 'time') return { kind: 'network', message: message('failure.slow') };
  }
  const stderr = typeof how === 'string' ? how : how.lastWords;
  const reported = lastErrorLine(stderr);
  // A killed process could not report the reason; earlier output is about something else.
  if (typeof how !== 'string' && how.signal && reported === undefined)
    return {
      kind: 'unknown',
      message: message('failure.killed', { signal: how.signal }),
    };
  const error = reported ?? lastLine(stderr);
  // yt-dlp only warns about the missing package; the error is that of ffmpeg, which it called instead.
  if (/pycryptodomex is not available/.test(stderr) && /ffmpeg/i.test(error))
    return { kind: 'ytdlp', message: needsPycryptodomex };
  const missing = noTab.exec(error);
  if (missing) return { kind: 'gone', message: message('failure.no-tab', { what: missing[1]! }), isNoTab: true };
  const matched = table.find(([pattern]) => pattern.test(error));
  const row = rowOfWarnings(stderr, explainedBy(matched)) ?? matched;
  if (row) {
    const [, kind, message] = row;
    const againInSeconds = kind === 'not-yet' ? beginsIn(error) : undefined;
    return { kind, message, ...(againInSeconds !== undefined && { againInSeconds }) };
  }
  if (reported === undefined && isTraceback(stderr)) return crashed;
  const words = readable(error);
  return { kind: 'unknown', message: words ? message('failure.reported', { words }) : message('failure.unknown') };
}

/** Converts a ProcessError to YtdlpFailed; other errors, such as an abort, are returned unchanged. */
export function asYtdlpFailed(error: unknown): unknown {
  return error instanceof ProcessError ? new YtdlpFailed(failureOf(error), { cause: error }) : error;
}
