import { z } from 'zod';
import type { Sponsorblock } from '#contract/video.ts';
import type { Archive } from '../archive.ts';
import { overwritesOf } from '../channel/overwrites.ts';
import { currentSettings } from '../settings/read.ts';

// What volunteers know of YouTube's videos. Both services are asked for this one video, and never for anything else;
// that they do not answer is no reason to keep a video from the archive.

const answerMs = 10_000;

async function ask({ tools, log }: Archive, url: URL, signal: AbortSignal): Promise<unknown> {
  try {
    const answer = await tools.gate.fetch(url.href, { signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]) });
    if (answer.status === 404) return null; // nobody has said anything yet
    if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
    return await answer.json();
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ host: url.host, err: error }, 'a community service did not answer');
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

// As the API of SponsorBlock has it: https://wiki.sponsor.ajay.app/w/API_Docs
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

/** The segments of a video; null when the service did not answer. */
async function fetchSponsorblock(archive: Archive, siteId: string, signal: AbortSignal): Promise<Sponsorblock | null> {
  const url = new URL(`${archive.config.sponsorblockUrl}/api/skipSegments`);
  url.searchParams.set('videoID', siteId);
  for (const category of categories) url.searchParams.append('category', category);
  const answer = await ask(archive, url, signal);
  if (answer === undefined) return null;
  const segments = Segments.catch([]).parse(answer ?? []);
  return {
    is_enabled: true,
    last_refresh: archive.now(),
    segments,
  };
}

// As the API of Return YouTube Dislike has it: https://returnyoutubedislike.com/docs
const Votes = z.object({ likes: z.int().min(0).catch(0), dislikes: z.int().min(0), rating: z.number().min(0).max(5).catch(0) });

/** What people think of a video; null when the service did not answer, or does not know the video. */
async function fetchVotes(archive: Archive, siteId: string, signal: AbortSignal) {
  const url = new URL(`${archive.config.dislikesUrl}/votes`);
  url.searchParams.set('videoId', siteId);
  return Votes.nullable()
    .catch(null)
    .parse((await ask(archive, url, signal)) ?? null);
}

/** What is known of a video, as far as that is wanted for it: by its channel's own choice, else by that for all. */
export async function fetchCommunity(
  archive: Archive,
  { site, siteId, channelId }: { site: string; siteId: string; channelId: string },
  signal: AbortSignal,
) {
  if (site !== 'youtube') return { sponsorblock: null, votes: null };
  const { downloads } = await currentSettings(archive);
  const own = await overwritesOf(archive.db, channelId);
  const wantsSegments = own.integrate_sponsorblock ?? downloads.integrate_sponsorblock;
  return {
    sponsorblock: wantsSegments ? await fetchSponsorblock(archive, siteId, signal) : null,
    votes: downloads.integrate_ryd ? await fetchVotes(archive, siteId, signal) : null,
  };
}
