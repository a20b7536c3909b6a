import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Sponsorblock } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readOverridesOf, readSettings } from '../settings/store.ts';

// Community data of YouTube videos. Both services are queried only for the video being archived; their failures do not prevent
// archiving.

const timeoutMs = 10_000;

export async function fetchJson({ tools, log }: AppContext, url: URL, signal: AbortSignal): Promise<unknown> {
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
const Segment = z.object({
  UUID: z.string().max(200),
  category: z.string().max(50),
  actionType: z.string().max(50),
  segment: z.tuple([z.number().min(0), z.number().min(0)]),
  videoDuration: z.number().catch(0),
  votes: z.int().catch(0),
  locked: z.int().catch(0),
});
const Found = z.array(z.object({ videoID: z.string(), segments: z.array(Segment.nullable().catch(null)) }));

/** The service knows lengths within a second, and that of the file is rounded. */
const maxDifferenceSeconds = 1.5;
/** Whether two lengths in seconds are those of the same edit of a video. */
export const isSameLength = (one: number, other: number) => Math.abs(one - other) <= maxDifferenceSeconds;

// Thousands of ids share these digits, so the service does not learn what is archived.
const prefixLength = 4;
/** First digits of the hash of a video id, by which the services are asked. */
export const hashPrefix = (siteId: string): string => createHash('sha256').update(siteId).digest('hex').slice(0, prefixLength);

/** What the service knows of a video. */
interface FoundSegments {
  /** Those that fit the file. */
  segments: Sponsorblock['segments'];
  /** Some were submitted for another length: the site has edited the video since. */
  isEdited: boolean;
}

/** Returns the segments of a video of YouTube that has this length; null if the service did not respond. */
export async function fetchSegments(
  app: AppContext,
  { siteId, durationSeconds }: { siteId: string; durationSeconds: number },
  signal: AbortSignal,
): Promise<FoundSegments | null> {
  const url = new URL(`${app.config.sponsorblockUrl}/api/skipSegments/${hashPrefix(siteId)}`);
  for (const category of categories) url.searchParams.append('category', category);
  const response = await fetchJson(app, url, signal);
  if (response === undefined) return null;
  const all = Found.catch([]).parse(response ?? []);
  const segments = all.filter(({ videoID }) => videoID === siteId).flatMap((one) => one.segments.filter((each) => each !== null));
  const ofThisEdit = segments.filter(({ videoDuration }) => videoDuration === 0 || isSameLength(videoDuration, durationSeconds));
  return {
    segments: ofThisEdit.filter(({ segment: [from, to] }) => from <= to && to <= durationSeconds + maxDifferenceSeconds),
    isEdited: ofThisEdit.length < segments.length,
  };
}

/** The value that is stored for a video. */
export const sponsorblockOf = ({ segments }: FoundSegments, now: number): Sponsorblock => ({
  is_enabled: true,
  last_refresh: now,
  segments,
});

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

/** Whether the segments of the videos of a channel are wanted, by the settings or an override of the channel. */
export async function wantsSegments({ db }: Pick<AppContext, 'db'>, channelId: string): Promise<boolean> {
  const { downloads } = await readSettings(db);
  return (await readOverridesOf(db, channelId)).integrate_sponsorblock ?? downloads.integrate_sponsorblock;
}

interface ArchivedVideo {
  site: string;
  siteId: string;
  channelId: string;
  /** Length of the file. */
  durationSeconds: number;
}

/** Fetches the community data that are enabled in the settings, or by an override of the channel. */
export async function fetchSponsorblockAndVotes(app: AppContext, video: ArchivedVideo, signal: AbortSignal) {
  const { site, siteId, channelId } = video;
  if (site !== 'youtube') return { segments: null, votes: null };
  const { downloads } = await readSettings(app.db);
  return {
    segments: (await wantsSegments(app, channelId)) ? await fetchSegments(app, video, signal) : null,
    votes: downloads.integrate_ryd ? await fetchVotes(app, siteId, signal) : null,
  };
}
