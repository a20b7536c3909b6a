/**
 * Errors of video pages with the original texts of the site. `saying` is the beginning of yt-dlp's message after `ERROR:
 * [youtube] <id>: `, observed with 2025.04.30 and 2026.10.26.
 */
interface Refusal {
  status: 'LOGIN_REQUIRED' | 'ERROR' | 'UNPLAYABLE' | 'LIVE_STREAM_OFFLINE' | 'OK';
  reason?: string;
  /** Second sentence, in the error panel of the page. */
  subreason?: string;
  /** More fields of `playabilityStatus`. */
  more?: object;
  saying: string;
  /** Message of 2025.04.30 if different. */
  olderSaying?: string;
}

const UNAVAILABLE = 'Video unavailable';

function refusal(status: Refusal['status'], reason: string, saying = reason): Refusal {
  return { status, reason, saying };
}

function unavailable(subreason: string, status: Refusal['status'] = 'ERROR'): Refusal {
  return { status, reason: UNAVAILABLE, subreason, saying: `${UNAVAILABLE}. ${subreason}` };
}

export const failures = {
  deleted: refusal('ERROR', UNAVAILABLE),
  removedByUploader: unavailable('This video has been removed by the uploader'),
  private: {
    status: 'LOGIN_REQUIRED',
    reason: 'Private video',
    subreason: "Sign in if you've been granted access to this video",
    saying: "Private video. Sign in if you've been granted access to this video",
  },
  accountTerminated: unavailable(
    'This video is no longer available because the YouTube account associated with this video has been terminated.',
  ),
  termsViolated: unavailable("This video has been removed for violating YouTube's Terms of Service"),
  members: refusal(
    'UNPLAYABLE',
    'Join this channel to get access to members-only content like this video, and other exclusive perks.',
  ),
  membersLevel: refusal(
    'UNPLAYABLE',
    "This video is available to this channel's members on level: Crew (or any higher level). Join this channel to get access to members-only content and other exclusive perks.",
  ),
  copyright: unavailable('This video is no longer available due to a copyright claim by Example Records'),
  geoBlocked: {
    status: 'UNPLAYABLE',
    reason: UNAVAILABLE,
    subreason: 'The uploader has not made this video available in your country',
    saying: 'The uploader has not made this video available in your country',
    olderSaying: 'Video unavailable. The uploader has not made this video available in your country',
  },
  geoClaimed: unavailable(
    'This video contains content from Example Records, who has blocked it in your country on copyright grounds',
    'UNPLAYABLE',
  ),
  ageGated: {
    status: 'LOGIN_REQUIRED',
    reason: 'Sign in to confirm your age',
    subreason: 'This video may be inappropriate for some users.',
    more: { desktopLegacyAgeGateReason: 1 },
    saying: 'Sign in to confirm your age. This video may be inappropriate for some users.',
  },
  botCheck: refusal('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot'),
  rateLimited: refusal(
    'UNPLAYABLE',
    "This content isn't available, try again later.",
    "This content isn't available, try again later. The current session has been rate-limited by YouTube for up to an hour.",
  ),
  captcha: {
    status: 'LOGIN_REQUIRED',
    reason: 'Confirm you are not a robot',
    more: { errorScreen: { playerCaptchaViewModel: { kind: 'captcha' } } },
    saying: 'Confirm you are not a robot. YouTube is requiring a captcha challenge before playback',
  },
  premium: unavailable('This video is only available to Music Premium members', 'UNPLAYABLE'),
  paid: refusal('UNPLAYABLE', 'This video requires payment to watch.'),
  recordingGone: refusal('LIVE_STREAM_OFFLINE', 'This live stream recording is not available.'),
  error: refusal('ERROR', 'An error occurred. Please try again later.'),
  drm: { status: 'OK', saying: 'This video is DRM protected' },
  wrongVideo: { status: 'OK', saying: 'All player responses are invalid. Your IP is likely being blocked by Youtube' },
  notJson: { status: 'OK', saying: 'Failed to extract any player response' },
  serverError: {
    status: 'OK',
    saying: 'Unable to download API page: HTTP Error 500',
    olderSaying: 'Failed to extract any player response',
  },
  noFormats: { status: 'OK', saying: 'No video formats found!' },
} as const satisfies Record<string, Refusal>;

export type Failure = keyof typeof failures;

/** Returns the playability status of a failing video. */
export function refusalStatus(failure: Failure): object {
  const refused: Refusal = failures[failure];
  return {
    status: refused.status,
    ...(refused.reason ? { reason: refused.reason } : {}),
    ...(refused.subreason
      ? {
          errorScreen: {
            playerErrorMessageRenderer: {
              reason: { simpleText: refused.reason },
              subreason: { simpleText: refused.subreason },
            },
          },
        }
      : {}),
    ...refused.more,
  };
}
