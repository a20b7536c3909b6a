import { z } from 'zod';
import type { Sponsorblock } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readOverridesOf, readSettings } from '../settings/store.ts';

// Community data of YouTube videos. Both services are queried only for the video being archived; their failures do not prevent
// archiving.

const timeoutMs = 10_000;

async function fetchJson({ tools, log }: AppContext, url: URL, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await tools.proxy.fetch(url.href, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
    if (response.status === 404) return null; // no data for this video
    if (!response.ok) throw new Error(`the service answered ${response.status}`);
    return await response.json();
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ host: url.host, err: error }, 'a community service did not respond');
    return undefined;
  }
}

const categories = [
  'sponsor',
  'selfpromo',
  'interaction',
  'intro',
  'outro',
  'preview',
  'music_offtopic',
  'poi_highlight',
  'filler',
];

// API of SponsorBlock: https://wiki.sponsor.ajay.app/w/API_Docs
const Segments = z.array(
  z.object({
    UUID: z.string(),
    category: z.string(),
    actionType: z.string(),
    segment: z.tuple([z.number().min(0), z.number().min(0)]),
    videoDuration: z.number().catch(0),
    votes: z.int().catch(0),
    locked: z.int().catch(0),
  }),
);

/** Returns the segments of a video, or null if the service did not respond. */
async function fetchSponsorblock(app: AppContext, siteId: string, signal: AbortSignal): Promise<Sponsorblock | null> {
  const url = new URL(`${app.config.sponsorblockUrl}/api/skipSegments`);
  url.searchParams.set('videoID', siteId);
  for (const category of categories) url.searchParams.append('category', category);
  const response = await fetchJson(app, url, signal);
  if (response === undefined) return null;
  const segments = Segments.catch([]).parse(response ?? []);
  return {
    is_enabled: true,
    last_refresh: app.now(),
    segments,
  };
}

// API of Return YouTube Dislike: https://returnyoutubedislike.com/docs
const Votes = z.object({ likes: z.int().min(0).catch(0), dislikes: z.int().min(0), rating: z.number().min(0).max(5).catch(0) });

/** Returns the votes of a video, or null if the service did not respond or does not know the video. */
async function fetchVotes(app: AppContext, siteId: string, signal: AbortSignal) {
  const url = new URL(`${app.config.dislikesUrl}/votes`);
  url.searchParams.set('videoId', siteId);
  return Votes.nullable()
    .catch(null)
    .parse((await fetchJson(app, url, signal)) ?? null);
}

/** Fetches the community data that are enabled in the settings, or by an override of the channel. */
export async function fetchSponsorblockAndVotes(
  app: AppContext,
  { site, siteId, channelId }: { site: string; siteId: string; channelId: string },
  signal: AbortSignal,
) {
  if (site !== 'youtube') return { sponsorblock: null, votes: null };
  const { downloads } = await readSettings(app.db);
  const overrides = await readOverridesOf(app.db, channelId);
  const wantsSegments = overrides.integrate_sponsorblock ?? downloads.integrate_sponsorblock;
  return {
    sponsorblock: wantsSegments ? await fetchSponsorblock(app, siteId, signal) : null,
    votes: downloads.integrate_ryd ? await fetchVotes(app, siteId, signal) : null,
  };
}
