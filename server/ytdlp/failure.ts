import type { FailureKind } from '#contract/download.ts';
import { ChildFailed } from '../child/child-failed.ts';

/** Why a site, or yt-dlp, did not give what was asked for. */
export interface Failure {
  kind: FailureKind;
  /** For people: what happened, whether it mends itself, what to do. */
  message: string;
  /** "This channel does not have a … tab": an ordinary answer. */
  isNoTab?: true;
  /** As the site says, or guesses: it may be there in so many seconds. */
  againInSeconds?: number;
}

/** yt-dlp ended without what was asked for. */
export class YtdlpFailed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, options?: { cause: unknown }) {
    super(failure.message, options);
    this.failure = failure;
  }
}

type Row = [pattern: RegExp, kind: FailureKind, message: string];

// The words of yt-dlp 2025.04.30 to 2026.10.26, first match wins: what is said beside a general word goes before it.
const table: Row[] = [
  [
    /No space left on device|Disk quota exceeded|Errno 28\b/i,
    'disk-full',
    'The disk is full. Make room, then try again; what was fetched so far is kept.',
  ],
  [
    /not a bot|not a robot|captcha/i,
    'blocked',
    'The site asks for a proof that no robot is calling, so it turns this server away. Wait some hours; a longer pause between downloads (under Settings) prevents it.',
  ],
  [
    /IP is likely being blocked|All player responses are invalid/i,
    'blocked',
    'The site seems to block the address of this server. Wait some hours, or let downloads go out by another way (REELKEEP_PROXY).',
  ],
  [
    /rate-limited|HTTP Error 429|Too Many Requests/i,
    'rate-limited',
    'The site says that it was asked too often. It lets go by itself, mostly within an hour; a longer pause between downloads prevents it.',
  ],
  [
    /Netscape|cookies? file|cookies are no longer valid|HTTP Error 401/i,
    'cookie',
    'The site asks for a login, or the stored one has ended. Store a fresh cookie (under Settings).',
  ],
  [
    /members[- ]only|available to this channel's members|Join this channel|channel members on level/i,
    'members-only',
    'Only members of the channel may see it. With the cookie of a member (under Settings) it can be fetched.',
  ],
  [
    /confirm your age|age[- ]restricted|inappropriate for some users/i,
    'age',
    'It is only for grown-ups who are logged in. With the cookie of one (under Settings) it can be fetched.',
  ],
  [
    /Private video|This video is private|playlist is private|is private/i,
    'private',
    'It is private. Only whom its owner lets in may see it; with the cookie of one of them (under Settings) it can be fetched.',
  ],
  [
    /Music Premium|requires payment|requires? (a )?purchase|rent(al)? /i,
    'paid',
    'It has to be paid for, so it cannot be fetched.',
  ],
  [/DRM/i, 'paid', 'It is protected against copying (DRM), so it cannot be fetched.'],
  [
    /in your country|geo[- ]?restrict|not available from your location|blocked it in your/i,
    'geo',
    'It may not be seen in the country of this server. Downloads can go out elsewhere (REELKEEP_PROXY).',
  ],
  [
    /will begin in|Premieres in|live event will|not yet available|Premiere will begin/i,
    'not-yet',
    'It has not begun yet. It is fetched when it is over.',
  ],
  [/is not currently live|live stream recording is not available/i, 'not-yet', 'There is no recording to fetch, now or not yet.'],
  [
    /account (associated with this video )?has been terminated/i,
    'gone',
    'The account that it belonged to has been closed, and everything with it.',
  ],
  [
    /copyright claim|copyright grounds|copyright infringement/i,
    'gone',
    'It was taken down for copyright. It will hardly come back.',
  ],
  [/violating YouTube.s/i, 'gone', 'The site removed it for breaking its rules. It will hardly come back.'],
  [
    /removed by the uploader|has been removed|no longer available|does not exist|was not found|entity was not found|HTTP Error 404|HTTP Error 410|This playlist does not exist|Video unavailable/i,
    'gone',
    'It is not there any more, or never was. Check the link; what is gone cannot be fetched.',
  ],
  [
    /Requested format is not available|No video formats found|requested format/i,
    'format',
    'The site does not offer the format that is set. Choose another under Settings, or leave the format empty.',
  ],
  [
    /Postprocessing|ffmpeg|Conversion failed/i,
    'incomplete',
    'What arrived could not be put together. Try again; if it stays so, choose another format.',
  ],
  [
    /Unsupported URL|is not a valid URL|looks truncated|Incomplete YouTube ID/i,
    'refused',
    'yt-dlp finds no video behind this link. Check it.',
  ],
  [
    /downloads may not reach|downloads may reach|is no host name|addresses? of the local network|Tunnel connection failed: 403|private network|Reelkeep/i,
    'refused',
    'It leads into the local network, where downloads may not go unless the configuration allows it (REELKEEP_ALLOW_PRIVATE).',
  ],
  [/HTTP Error 403/i, 'network', 'The site refused to send the file (403), as it does when a link has grown old. Try again.'],
  [
    /Unable to connect to proxy|Tunnel connection failed: 5\d\d|ProxyError|Name or service not known|getaddrinfo|Temporary failure in name resolution|Connection refused|Network is unreachable|timed out|Remote end closed|Connection reset|IncompleteRead|bytes read|HTTP Error 5\d\d|SSL|EOF occurred|unable to connect|TransportError|was not found\.$/i,
    'network',
    'The site could not be reached, or the connection broke. Try again; what was fetched so far is kept.',
  ],
  [/An error occurred\. Please try again later/i, 'network', 'The site says that an error occurred. Try again later.'],
  [
    /please report this issue|Failed to extract|Unable to extract|KeyError|Traceback|TypeError/i,
    'ytdlp',
    'yt-dlp does not understand what the site answered: the site has changed. A newer yt-dlp usually mends it.',
  ],
];

// "This live event will begin in 5 hours.", "Premieres in 2 days", "… in a few moments"
const begins = /(?:begin|begins|Premieres) in (\d+) (minute|hour|day)/i;
const unitSeconds: Record<string, number> = { minute: 60, hour: 3600, day: 86_400 };

function beginsIn(words: string): number | undefined {
  const found = begins.exec(words);
  return found ? Number(found[1]) * unitSeconds[found[2]!.toLowerCase()]! : undefined;
}

const noTab = /This channel does not have a (\w+) tab/i;

/** What yt-dlp said last, without what is for its own users. */
const lastError = (words: string): string => {
  const lines = words.trim().split('\n');
  const line = lines.findLast((one) => one.startsWith('ERROR:')) ?? lines.at(-1) ?? '';
  return line
    .replace(/^ERROR:\s*/, '')
    .replace(/;? ?please report this issue.*$/is, '')
    .replace(/\s*Use --\S+.*$/s, '')
    .replace(/https?:\/\/\S*@\S+/g, '')
    .trim()
    .slice(0, 300);
};

/** Says why, from the last words of yt-dlp or from how it ended. What is not recognised keeps its own words. */
export function failureOf(how: string | ChildFailed): Failure {
  if (typeof how !== 'string') {
    if (how.reason === 'missing') return { kind: 'ytdlp', message: 'yt-dlp could not be started. Is it still installed?' };
    if (how.reason === 'silent')
      return { kind: 'network', message: 'Nothing came for ten minutes. Try again; what was fetched so far is kept.' };
    if (how.reason === 'time') return { kind: 'network', message: 'The site took too long to answer. Try again later.' };
  }
  const words = typeof how === 'string' ? how : how.lastWords;
  // Killed, it had no time to say why; what it said before is about something else.
  if (typeof how !== 'string' && how.signal && !/^ERROR/m.test(words))
    return {
      kind: 'unknown',
      message: `yt-dlp died (${how.signal}), as it does when memory runs out. It is tried again; what was fetched so far is kept.`,
    };
  const error =
    words
      .split('\n')
      .filter((line) => line.includes('ERROR'))
      .join('\n') || words;
  const missing = noTab.exec(error);
  if (missing) return { kind: 'gone', message: `The channel has no ${missing[1]}.`, isNoTab: true };
  for (const [pattern, kind, message] of table) {
    if (!pattern.test(error)) continue;
    const againInSeconds = kind === 'not-yet' ? beginsIn(error) : undefined;
    return { kind, message, ...(againInSeconds !== undefined && { againInSeconds }) };
  }
  const said = lastError(words);
  return { kind: 'unknown', message: said ? `yt-dlp says: ${said}` : 'It did not work, and nothing says why. Try again.' };
}

/** Turns a child that failed into YtdlpFailed; everything else (a stop, for one) stays what it is. */
export function asYtdlpFailed(error: unknown): unknown {
  return error instanceof ChildFailed ? new YtdlpFailed(failureOf(error), { cause: error }) : error;
}
