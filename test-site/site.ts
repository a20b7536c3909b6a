/** The test site: a proxy on loopback that serves a small internet from a catalogue. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Answer, SiteContext, SiteRequest } from './answer.ts';
import { notFound } from './answer.ts';
import { aCatalogue } from './builders.ts';
import type { Catalogue } from './catalogue.ts';
import { applyFault } from './faults.ts';
import { startProxy } from './proxy.ts';
import { send } from './send.ts';
import { bilibili } from './services/bilibili.ts';
import { botguard } from './services/botguard.ts';
import { clips } from './services/clips.ts';
import { dislikes, redirect, releases, sponsorblock } from './services/community.ts';
import { members } from './services/members.ts';
import { peertube } from './services/peertube.ts';
import { ytdlpReleases } from './services/ytdlp-releases.ts';
import { pictures } from './services/pictures.ts';
import { youtube } from './youtube/site.ts';

export interface TestSite {
  /** `http://127.0.0.1:<port>`, for yt-dlp's `--proxy`, together with `--no-check-certificates`. */
  proxyUrl: string;
  port: number;
  /** PEM certificate of all its hosts. */
  certificate: string;
  /** The last 2,000 requests, oldest first. */
  requests: { method: string; host: string; path: string; body: string }[];
  /** Read at every request: a test may change it at any time. */
  catalogue: Catalogue;
  close(): Promise<void>;
}

const REQUESTS_KEPT = 2000;

const hosts: [RegExp, (request: SiteRequest, context: SiteContext) => Answer | Promise<Answer>][] = [
  [/(^|\.)(youtube\.com|googlevideo\.com|youtubei\.googleapis\.com)$/, youtube],
  [/(^|\.)(ytimg\.com|yt3\.googleusercontent\.com|ggpht\.com)$/, pictures],
  [/^(www\.google\.com|jnn-pa\.googleapis\.com)$/, botguard],
  [/^clips\.example$/, clips],
  [/^tube\.example$/, peertube],
  [/^(www|api)\.bilibili\.com$/, bilibili],
  [/^sponsor\.ajay\.app$/, sponsorblock],
  [/^returnyoutubedislikeapi\.com$/, dislikes],
  [/^releases\.example$/, releases],
  [/^members\.example$/, members],
  [/^github\.com$/, ytdlpReleases],
  [/^evil\.example$/, redirect],
];

/**
 * Starts the site on 127.0.0.1, on `port` or a free one. Media are generated on first request and cached in `media` (default: a
 * temporary folder), where later runs find them.
 */
export async function startTestSite(options: { catalogue?: Catalogue; media?: string; port?: number } = {}): Promise<TestSite> {
  const catalogue = options.catalogue ?? aCatalogue();
  const context: SiteContext = {
    catalogue,
    mediaFolder: options.media ?? path.join(tmpdir(), 'reelkeep-testSite'),
    cuts: new Map(),
  };
  const requests: TestSite['requests'] = [];
  const proxy = await startProxy(async (request, response) => {
    requests.push({
      method: request.method,
      host: request.host,
      path: request.url.pathname + request.url.search,
      body: request.body,
    });
    if (requests.length > REQUESTS_KEPT) requests.shift();
    const handle = hosts.find(([host]) => host.test(request.host))?.[1];
    await send(
      request,
      response,
      applyFault(request, catalogue.faults) ?? (await handle?.(request, context)) ?? notFound(),
      context.cuts,
    );
  }, options.port);
  const { port, certificate } = proxy;
  return { proxyUrl: `http://127.0.0.1:${port}`, port, certificate, requests, catalogue, close: () => proxy.close() };
}
