import { renderMessages } from '../messages/render.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FailureKind } from '#contract/download.ts';
import { settings, type Settings } from '#contract/settings.ts';
import { ProcessError } from '../process/process-error.ts';
import { failureOf } from './failure.ts';
import { readInfo, siteOf } from './info.ts';
import { alwaysOptions, detailOptions, downloadOptions, extractorArguments } from './options.ts';
import { readProgress } from './progress.ts';
import { publicChannelId, publicId } from './public-id.ts';

const initial = Object.fromEntries(
  Object.entries(settings.downloads).map(([key, setting]) => [key, setting.initial]),
) as Settings['downloads'];

describe('classification of failures', () => {
  // Original messages of 2025.04.30 and 2026.10.26.
  test.each([
    ['Private video. Sign in if you’ve been granted access to this video. Use --cookies-from-browser …', 'private'],
    ['Video unavailable', 'gone'],
    ['Video unavailable. This video has been removed by the uploader', 'gone'],
    [
      'Video unavailable. This video is no longer available because the YouTube account associated with this video has been terminated.',
      'gone',
    ],
    ["Video unavailable. This video has been removed for violating YouTube's Terms of Service", 'gone'],
    ["YouTube said: This account has been terminated for violating YouTube's Community Guidelines.", 'gone'],
    ['YouTube said: The playlist does not exist.', 'gone'],
    ['YouTube said: This playlist is private.', 'private'],
    ['Requested entity was not found.', 'gone'],
    ['Join this channel to get access to members-only content like this video, and other exclusive perks.', 'members-only'],
    ["This video is available to this channel's members on level: Crew (or any higher level). Join this channel", 'members-only'],
    ['Video unavailable. This video is no longer available due to a copyright claim by Example Records', 'gone'],
    ['The uploader has not made this video available in your country', 'geo'],
    [
      'Video unavailable. This video contains content from Example Records, who has blocked it in your country on copyright grounds',
      'geo',
    ],
    ['Sign in to confirm your age. This video may be inappropriate for some users. Use --cookies-from-browser …', 'age'],
    ['Sign in to confirm you’re not a bot. Use --cookies-from-browser …', 'blocked'],
    ['Confirm you are not a robot. YouTube is requiring a captcha challenge before playback', 'blocked'],
    ['All player responses are invalid. Your IP is likely being blocked by Youtube', 'blocked'],
    [
      "This content isn't available, try again later. The current session has been rate-limited by YouTube for up to an hour.",
      'rate-limited',
    ],
    [
      'Unable to download API page: HTTP Error 429: Too Many Requests (caused by <HTTPError 429: Too Many Requests>)',
      'rate-limited',
    ],
    ['unable to download video data: HTTP Error 429: Too Many Requests', 'rate-limited'],
    ['Video unavailable. This video is only available to Music Premium members', 'paid'],
    ['This video requires payment to watch.', 'paid'],
    ['This video is DRM protected', 'paid'],
    ['This live stream recording is not available.', 'not-yet'],
    ['This live event will begin in 5 hours.', 'not-yet'],
    ['Premieres in 2 days', 'not-yet'],
    ['The channel is not currently live', 'not-yet'],
    ['An error occurred. Please try again later.', 'network'],
    ['Failed to extract any player response; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues', 'ytdlp'],
    ['No video formats found!; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues', 'ytdlp'],
    ['Requested format is not available. Use --list-formats for a list of available formats', 'format'],
    ['unable to download video data: HTTP Error 403: Forbidden', 'network'],
    ['Unable to download API page: HTTP Error 500: Internal Server Error (caused by <HTTPError 500>)', 'network'],
    [
      "Unable to download API page: ('Unable to connect to proxy', RemoteDisconnected('Remote end closed connection without response'))",
      'network',
    ],
    ['Incomplete YouTube ID short. URL https://www.youtube.com/watch?v=short looks truncated.', 'refused'],
    ["Postprocessing: To ignore this, add a trailing '?' to the map.", 'incomplete'],
    ['unable to write data: [Errno 28] No space left on device', 'disk-full'],
    ["'c.txt' does not look like a Netscape format cookies file", 'cookie'],
    ['Cookies file must be Netscape formatted, not JSON. See  https://github.com/yt-dlp/yt-dlp/wiki/FAQ', 'cookie'],
  ])('classifies %s as %s', (words, kind) => {
    const failure = failureOf(`WARNING: something else\nERROR: [youtube] abc: ${words}\n`);
    expect(failure.kind).toBe(kind);
    expect(renderMessages(failure.message)).toMatch(/^([A-Z]|yt-dlp).*\.$/);
    expect(renderMessages(failure.message)).not.toMatch(/--|github|ERROR/);
  });

  const traceback = (exception: string) =>
    [
      'Traceback (most recent call last):',
      '  File "/srv/reelkeep/data/tools/yt-dlp/yt_dlp/YoutubeDL.py", line 2659, in build_format_selector',
      "    raise syntax_error('No space left on device; private network', (0, 0))",
      exception,
    ].join('\n');

  test.each([
    [
      'SyntaxError: Invalid format specification: Missing closing/opening brackets or parenthesis',
      'format',
      /format is not valid/,
    ],
    ["KeyError: 'formats'", 'ytdlp', /Updating yt-dlp/],
    ['OSError: [Errno 28] No space left on device', 'disk-full', /disk is full/],
    ['AttributeError: module has no attribute', 'ytdlp', /yt-dlp crashed/],
  ])('classifies a traceback by its exception, not by its paths: %s', (exception, kind, expectedMessage) => {
    const failure = failureOf(traceback(exception));
    expect([failure.kind, renderMessages(failure.message)]).toEqual([kind, expect.stringMatching(expectedMessage)]);
  });

  test('ignores stack frames above the last ERROR line', () => {
    const stderr = `${traceback("KeyError: 'x'")}\nERROR: [youtube] abc: Private video. Sign in\n  File "/srv/reelkeep/a.py", line 1`;
    expect(failureOf(stderr).kind).toBe('private');
  });

  test('classifies by the last of several ERROR lines', () => {
    expect(failureOf('ERROR: [youtube] a: Video unavailable\nERROR: [youtube] b: Private video').kind).toBe('private');
  });

  test.each([
    ['Unable to download webpage: HTTP Error 429: Too Many Requests', 'rate-limited'],
    ['[youtube] abc: Sign in to confirm you’re not a bot', 'blocked'],
    ['[youtube] The read operation timed out. Retrying (3/3)...', 'network'],
    ['[youtube] abc: nsig extraction failed: Some formats may be missing', 'challenge'],
  ])('explains a failed extraction by a warning of the same run: %s', (warning, kind) => {
    const error =
      'ERROR: [youtube] abc: Failed to extract any player response; please report this issue on https://github.com/yt-dlp';
    expect(failureOf(`WARNING: [youtube] ${warning}\n${error}`).kind).toBe(kind);
  });

  // Original warnings, with the versions of yt-dlp that print them.
  const skipped: [versions: string, warning: string, kind: FailureKind][] = [
    [
      '2025.11.12 to 2026.10.26',
      '[youtube] [jsc] Remote component challenge solver script (node) was skipped. It may be required to solve JS challenges. You can enable the download with  --remote-components ejs:npm',
      'challenge',
    ],
    [
      '2025.11.12 to 2026.10.26',
      '[youtube] No supported JavaScript runtime could be found. Only deno is enabled by default; to use another runtime add  --js-runtimes RUNTIME[:PATH]  to your command/config.',
      'challenge',
    ],
    [
      '2025.11.12 to 2026.10.26',
      '[youtube] [jsc:node] Challenge solver lib script version 0.7.0 is not supported (source: python package, variant: ScriptVariant.MINIFIED, supported version: 0.8.0)',
      'challenge',
    ],
    [
      '2025.11.12 to 2026.10.26',
      '[youtube] abc: n challenge solving failed: Some formats may be missing. Ensure you have a supported JavaScript runtime and challenge solver script distribution installed.',
      'challenge',
    ],
    ['2025.11.12 to 2026.10.26', '[youtube] abc: Signature solving failed: Some formats may be missing. Ensure you', 'challenge'],
    ['2025.04.30', '[youtube] abc: nsig extraction failed: Some formats may be missing', 'challenge'],
    [
      '2025.04.30 to 2026.10.26',
      '[youtube] abc: Some tv_samsung client https formats have been skipped as they are missing a URL. YouTube may have enabled the SABR-only streaming experiment for the current session. See  https://github.com/yt-dlp/yt-dlp/issues/12482  for more details',
      'sabr',
    ],
    [
      '2025.04.30 to 2026.10.26',
      '[youtube] abc: mweb client https formats require a GVS PO Token which was not provided. They will be skipped as they may yield HTTP Error 403.',
      'token',
    ],
    [
      '2025.11.12 to 2026.10.26',
      '[youtube] abc: There are missing subtitles languages because a PO token was not provided. Subtitles for these languages are missing: en.',
      'token',
    ],
    [
      '2025.04.30 to 2026.10.26',
      '[TikTok] The extractor is attempting impersonation, but no impersonate target is available. If you encounter errors, then see  https://github.com/yt-dlp/yt-dlp#impersonation  for information on installing the required dependencies',
      'impersonation',
    ],
  ];

  test.each(skipped)('explains missing formats by a warning of %s: %s', (_, warning, kind) => {
    for (const error of [
      '[youtube] abc: No video formats found!; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues?q=',
      '[youtube] abc: Requested format is not available. Use --list-formats for a list of available formats',
      'unable to download video data: HTTP Error 403: Forbidden',
    ])
      expect(failureOf(`WARNING: ${warning}\nERROR: ${error}`).kind).toBe(kind);
    expect(failureOf(`WARNING: ${warning}\nERROR: [youtube] abc: Private video`).kind).toBe('private');
  });

  test('an unsolved challenge precedes its consequences', () => {
    const warnings = [skipped[6], skipped[7], skipped[3]].map((row) => `WARNING: ${row![1]}\n`).join('');
    expect(failureOf(`${warnings}ERROR: [youtube] abc: No video formats found!`).kind).toBe('challenge');
  });

  test('a page that admits only browsers wants impersonation', () => {
    const error =
      'ERROR: [generic] Got HTTP Error 403 caused by Cloudflare anti-bot challenge; see  https://github.com/yt-dlp/yt-dlp#impersonation  for how to install the required impersonation dependency, and try again with  --extractor-args "generic:impersonate"';
    expect(failureOf(error).kind).toBe('impersonation');
  });

  test('a time-out on the way does not explain a format that is not available', () => {
    const stderr =
      'WARNING: [youtube] The read operation timed out. Retrying (1/3)...\nERROR: [youtube] abc: Requested format is not available.';
    expect(failureOf(stderr).kind).toBe('format');
  });

  test('a warning does not change a known error', () => {
    const warning = 'WARNING: [youtube] Unable to download webpage: HTTP Error 429: Too Many Requests';
    expect(failureOf(`${warning}\nERROR: [youtube] abc: Private video`).kind).toBe('private');
  });

  test.each(['HTTP Error 470: None', '<urlopen error Tunnel connection failed: 470 >', 'CONNECT tunnel failed, response 470'])(
    'reports a link into the local network only if our proxy rejected it: %s',
    (words) => {
      const failure = failureOf(`ERROR: [generic] x: Unable to download webpage: ${words}`);
      expect([failure.kind, failure.message.id]).toEqual(['refused', 'failure.local-network']);
    },
  );

  test('a missing channel tab is no error', () => {
    expect(failureOf('ERROR: [youtube:tab] @x: This channel does not have a shorts tab')).toMatchObject({ isNoTab: true });
    expect(failureOf('ERROR: [youtube] x: Video unavailable').isNoTab).toBeUndefined();
  });

  test('shows an unknown error without secrets', () => {
    const { kind, message } = failureOf('ERROR: [site] x: Odd thing at http://user:secret@127.0.0.1:1/ happened');
    expect(kind).toBe('unknown');
    expect(renderMessages(message)).toContain('Odd thing');
    expect(renderMessages(message)).not.toContain('secret');
  });

  test('distinguishes a missing program from a hanging one', () => {
    expect(failureOf(new ProcessError('yt-dlp', { reason: 'missing' })).kind).toBe('ytdlp');
    expect(failureOf(new ProcessError('yt-dlp', { reason: 'silent' })).kind).toBe('network');
  });
});

describe('public ids', () => {
  test('are unchanged for YouTube and prefixed for other sites', () => {
    expect(publicId('youtube', '-dash_id-01')).toBe('-dash_id-01');
    expect(publicId('vimeo', '12345')).toBe('vimeo.12345');
    expect(publicId(siteOf('VimeoReview'), '12345')).toBe('vimeo.12345');
    expect(publicChannelId('youtube', 'UCabcdefghijklmnopqrstuv')).toBe('UCabcdefghijklmnopqrstuv');
  });

  test('are safe, short and unique for any input', () => {
    const anything = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' });
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        for (const id of [publicId('site', a), publicChannelId('site', a)]) {
          expect(id).toMatch(/^site\.[-\w.]+$/);
          expect(id.length).toBeLessThanOrEqual(120);
          expect(id).not.toContain('..');
        }
        if (a !== b) expect(publicId('site', a)).not.toBe(publicId('site', b));
      }),
    );
  });
});

describe('options of yt-dlp', () => {
  const ytdlp = {
    program: { command: 'yt-dlp', version: '2026.10.26', hasRuntimes: true },
    proxyUrl: 'http://u:p@127.0.0.1:1',
    insecure: false,
    cacheFolder: '/cache',
    node: '/node',
    ffmpegFolder: '/bounded',
    path: '/bounded',
    packages: { solver: null, impersonation: null },
    canImpersonate: false,
    browserHosts: new Set<string>(),
    jar: null,
    playerClient: null,
    poToken: { token: null, provider: null },
  };
  const never =
    /^--(exec(?!$)|exec$|downloader|external-downloader|use-postprocessor|netrc|cookies-from-browser|load-info|batch-file|config-location|alias|print-to-file|write-link|write-url-link|enable-file-urls|client-certificate|geo-verification-proxy|compat-options|plugin-dirs|update$)/;

  test('always include the security restrictions', () => {
    const always = alwaysOptions(ytdlp);
    for (const one of [
      '--ignore-config',
      '--no-plugin-dirs',
      '--no-remote-components',
      '--no-update',
      '--no-exec',
      `--proxy=${ytdlp.proxyUrl}`,
      '--js-runtimes=node:/node',
    ])
      expect(always).toContain(one);
    expect(always).not.toContain('--no-check-certificates');
    expect(alwaysOptions({ ...ytdlp, program: { ...ytdlp.program, hasRuntimes: false } }).join(' ')).not.toContain('js-runtimes');
  });

  test('contain user input only as the value of one option', () => {
    const words = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('--exec=id', '-x', 'a --exec b', ';rm -rf /', 'a;b=c', '--'),
    );
    fc.assert(
      fc.property(
        fc.record({ format: words, format_sort: words, subtitle: words, extractor_lang: words, comment_max: words }),
        (overrides) => {
          const options = downloadOptions({ ...initial, ...overrides }, { format: null, audioOnly: false });
          for (const option of options) {
            expect(option).toMatch(/^--[a-z]/);
            expect(option.split('=')[0]).not.toMatch(never);
          }
          expect(options.filter((option) => option.startsWith('--format=')).length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test('a language cannot add another argument of the extractor', () =>
    expect(extractorArguments({ extractor_lang: 'de, en' })).toEqual(['--extractor-args=youtube:lang=de,en']));

  test('name the chosen clients of YouTube', () => {
    const chosen = { ...initial, player_client: 'default, -web' };
    const argument = '--extractor-args=youtube:player_client=default,-web';
    expect(downloadOptions(chosen, { format: null, audioOnly: false })).toContain(argument);
    expect(detailOptions(chosen)).toContain(argument);
    expect(downloadOptions(initial, { format: null, audioOnly: false }).join(' ')).not.toContain('player_client');
  });
});

describe('metadata of a video', () => {
  const minimalInfo = { id: 'abc', extractor_key: 'Youtube', webpage_url: 'https://www.youtube.com/watch?v=abc' };

  test('is limited in size', () => {
    const info = readInfo({
      ...minimalInfo,
      title: ` ${'t'.repeat(5000)}\0\ud800`,
      description: 'd'.repeat(100_000),
      duration: -3,
      view_count: Number.NaN,
      like_count: 12.6,
      timestamp: 99_999_999_999_999,
      upload_date: '20250314',
      tags: ['a', 7, 'a', 'b', null],
      chapters: [
        { title: 'x', start_time: 5, end_time: 2 },
        { title: 'b', start_time: 9, end_time: 12 },
        'no',
        { title: null, start_time: 0, end_time: 9 },
      ],
      thumbnail: 'javascript:alert(1)',
      comments: [{ id: '1', text: 'hi', author: 'a' }, { id: '', text: 'x' }, { text: 'y' }, 5],
      width: 'wide',
    });
    expect(info.title).toHaveLength(1000);
    expect(info.description).toHaveLength(50_000);
    expect(info).toMatchObject({
      durationSeconds: null,
      views: null,
      likes: 13,
      publishedAt: Date.UTC(2025, 2, 14) / 1000,
      tags: ['a', 'b'],
      thumbnailUrl: null,
      width: null,
    });
    expect(info.chapters).toEqual([
      { title: '', start: 0, end: 9 },
      { title: 'b', start: 9, end: 12 },
    ]);
    expect(info.comments).toHaveLength(1);
  });

  test('has a kind', () => {
    const kindOf = (more: object) => readInfo({ ...minimalInfo, ...more }).kind;
    expect(kindOf({})).toBe('videos');
    expect(kindOf({ live_status: 'was_live' })).toBe('streams');
    expect(kindOf({ original_url: 'https://www.youtube.com/shorts/abc' })).toBe('shorts');
    expect(kindOf({ width: 360, height: 640, duration: 30 })).toBe('shorts');
    expect(kindOf({ width: 360, height: 640, duration: 600 })).toBe('videos');
  });

  test.each([null, 7, 'text', [], {}, { id: 5 }, { title: 'no id' }])('rejects %j', (json) =>
    expect(() => readInfo(json)).toThrow(),
  );

  test('never throws unexpected errors for any input', () => {
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom(...Object.keys(minimalInfo), 'title', 'duration', 'comments', 'chapters', 'tags', 'timestamp'),
        }),
        (anything) => {
          try {
            expect(readInfo({ ...anything, id: 'x' }).siteId).toBe('x');
          } catch (error) {
            expect((error as Error).name).toBe('ZodError');
          }
        },
      ),
    );
  });
});

describe('a progress line', () => {
  const line = (json: object | string) => `reelkeep-progress ${typeof json === 'string' ? json : JSON.stringify(json)}`;

  test('is parsed', () =>
    expect(readProgress(line({ downloaded_bytes: 25, total_bytes: 100, speed: 10, eta: 8 }))).toEqual({
      isFinished: false,
      fraction: 0.25,
      downloadedBytes: 25,
      totalBytes: 100,
      bytesPerSecond: 10,
      secondsLeft: 8,
    }));

  test.each(['', '[download] 5%', line('{"half'), line('null'), line('"x"'), line('[1')])('%j is not parsed', (text) =>
    expect(readProgress(text)).toBeNull(),
  );

  test('omits invalid numbers', () =>
    expect(readProgress(line({ downloaded_bytes: -5, total_bytes: 'many', speed: null, eta: -1 }))).toMatchObject({
      fraction: null,
      downloadedBytes: 0,
      totalBytes: null,
      secondsLeft: null,
    }));
});
