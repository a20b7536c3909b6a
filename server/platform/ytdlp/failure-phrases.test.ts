import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { failurePhrases } from './failure.ts';

const packages = join(dirname(process.env.REELKEEP_YTDLP ?? '/'), 'packages/yt_dlp');

// Not in the source of yt-dlp: words of YouTube, of other versions (2025.04.30), of Python, of libraries and of our own proxy.
const fromElsewhere = new Set(
  String.raw`nsig extraction failed
(HTTP Error|Tunnel connection failed:|CONNECT tunnel failed, response) 470\b
(HTTP Error|Tunnel connection failed:|CONNECT tunnel failed, response) 471\b
No space left on device
Errno 28\b
not a bot
not a robot
HTTP Error 429
Too Many Requests
available to this channel's members
Join this channel
channel members on level
inappropriate for some users
Music Premium
requires? (a )?purchase
blocked it in your
will begin in
Premiere will begin
live stream recording is not available
account (associated with this video )?has been terminated
copyright claim
copyright grounds
copyright infringement
violating YouTube.s
removed by the uploader
entity was not found
This playlist does not exist
invalid format sorting
Unable to connect to proxy
Tunnel connection failed: 5\d\d
Name or service not known
Temporary failure in name resolution
Network is unreachable
Remote end closed
Connection reset
EOF occurred
An error occurred\. Please try again later`.split('\n'),
);

// Runs with the newest yt-dlp, so a new release may change the result: then the vanished phrases are only listed.
test.runIf(existsSync(packages))('phrases of failures are in the source of yt-dlp', () => {
  const version = /'(.*)'/.exec(readFileSync(join(packages, 'version.py'), 'utf8'))?.[1];
  const source = globSync('**/*.py', { cwd: packages })
    .map((name) => readFileSync(join(packages, name), 'utf8'))
    .join('\n')
    // Adjacent literals of one message.
    .replaceAll(/'\s*\n\s*f?'/g, '');
  const vanished = failurePhrases().filter((phrase) => !fromElsewhere.has(phrase) && !new RegExp(phrase, 'i').test(source));
  if (version === '2026.10.26') expect(vanished).toEqual([]);
  else if (vanished.length > 0) process.stderr.write(`Not in the source of yt-dlp ${version} any more: ${vanished.join(', ')}\n`);
});
