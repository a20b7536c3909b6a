/** The stand-in: a loopback proxy behind which stands a small internet made of a catalogue. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Answer, Ground, Visit } from './answer.ts';
import { notFound } from './answer.ts';
import { aCatalogue } from './builders.ts';
import type { Catalogue } from './catalogue.ts';
import { spoil } from './faults.ts';
import { startProxy } from './proxy.ts';
import { send } from './send.ts';
import { clips } from '#standin/others/clips.ts';
import { dislikes, elsewhere, releases, sponsorblock } from '#standin/others/community.ts';
import { members } from '#standin/others/members.ts';
import { ytdlpReleases } from '#standin/others/ytdlp-releases.ts';
import { pictures } from '#standin/others/pictures.ts';
import { youtube } from '#standin/youtube/site.ts';

export interface Standin {
  /** `http://127.0.0.1:<port>`, for yt-dlp's `--proxy`, together with `--no-check-certificates`. */
  proxyUrl: string;
  port: number;
  /** What was asked so far, oldest first, the last 2,000. */
  requests: { method: string; host: string; path: string }[];
  /** Read at every request: a test may change it at any time. */
  catalogue: Catalogue;
  close(): Promise<void>;
}

const REQUESTS_KEPT = 2000;

const hosts: [RegExp, (visit: Visit, ground: Ground) => Answer | Promise<Answer>][] = [
  [/(^|\.)(youtube\.com|googlevideo\.com|youtubei\.googleapis\.com)$/, youtube],
  [/(^|\.)(ytimg\.com|yt3\.googleusercontent\.com|ggpht\.com)$/, pictures],
  [/^clips\.example$/, clips],
  [/^sponsor\.ajay\.app$/, sponsorblock],
  [/^returnyoutubedislikeapi\.com$/, dislikes],
  [/^releases\.example$/, releases],
  [/^members\.example$/, members],
  [/^github\.com$/, ytdlpReleases],
  [/^evil\.example$/, elsewhere],
];

/**
 * Starts the site on 127.0.0.1, on `port` or a free one. Media are made at the first request for them and kept in
 * `media` (a folder under the system's temporary one unless said), where later runs find them.
 */
export async function startStandin(options: { catalogue?: Catalogue; media?: string; port?: number } = {}): Promise<Standin> {
  const catalogue = options.catalogue ?? aCatalogue();
  const ground: Ground = { catalogue, mediaFolder: options.media ?? path.join(tmpdir(), 'reelkeep-standin'), cuts: new Map() };
  const requests: Standin['requests'] = [];
  const proxy = await startProxy(async (visit, response) => {
    requests.push({ method: visit.method, host: visit.host, path: visit.url.pathname + visit.url.search });
    if (requests.length > REQUESTS_KEPT) requests.shift();
    const there = hosts.find(([host]) => host.test(visit.host))?.[1];
    await send(visit, response, spoil(visit, catalogue.faults) ?? (await there?.(visit, ground)) ?? notFound(), ground.cuts);
  }, options.port);
  return { proxyUrl: `http://127.0.0.1:${proxy.port}`, port: proxy.port, requests, catalogue, close: () => proxy.close() };
}
