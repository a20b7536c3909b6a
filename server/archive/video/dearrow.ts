import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { message } from '#contract/messages.ts';
import type { Sponsorblock } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { extractFrame } from '../../platform/media/thumbnail.ts';
import { plainText } from '../../platform/lib/plain-text.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { readOverridesOf, readSettings } from '../settings/store.ts';
import { cancelDeletion } from '../storage/pending-deletions.ts';
import { communityThumbnailPath } from '../storage/community-thumbnail-path.ts';
import { noBranding, parseBranding, storedBranding, type Branding } from './branding.ts';
import { fetchJson, hashPrefix, isSameLength } from '../sites/sponsorblock-and-votes.ts';

// Titles and pictures of YouTube videos by viewers, from the server of SponsorBlock. Pictures are frames of the archived file: no image
// service is asked. API: https://wiki.sponsor.ajay.app/w/API_Docs/DeArrow

const Vote = { original: z.boolean().catch(false), votes: z.number().catch(-1), locked: z.boolean().catch(false) };
const Title = z.object({ ...Vote, title: z.string() });
const Picture = z.object({ ...Vote, timestamp: z.number().min(0).nullable().catch(null) });
const Found = z.object({
  titles: z.array(z.unknown()).catch([]),
  thumbnails: z.array(z.unknown()).catch([]),
  videoDuration: z.number().nullable().catch(null),
});

const maxTitle = 300;
/** Returns a submitted title as plain text; null if nothing is left. `>` marks words whose case must not be changed. */
const plainTitle = (title: string): string | null =>
  plainText(title.slice(0, 10 * maxTitle).replace(/(^|\s)>(?=\S)/g, '$1'), maxTitle);

// Only the first entry counts, and only if it is locked or not voted down.
function trusted<T extends { original: boolean; votes: number; locked: boolean }>(
  Entry: z.ZodType<T>,
  entries: unknown[],
): T | null {
  const first = Entry.safeParse(entries[0]).data;
  return first && !first.original && (first.locked || first.votes >= 0) ? first : null;
}

interface BrandedVideo {
  id: string;
  siteId: string;
  mediaPath: string;
  /** Length of the file. */
  durationSeconds: number;
  sponsorblock: string | null;
  branding: string | null;
}

/** Asks the service about a video; null if it did not respond. `thumbSeconds` is a time in the file. */
async function fetchBranding(
  app: AppContext,
  { siteId, durationSeconds }: BrandedVideo,
  signal: AbortSignal,
): Promise<Branding | null> {
  const response = await fetchJson(app, new URL(`${app.config.sponsorblockUrl}/api/branding/${hashPrefix(siteId)}`), signal);
  if (response === undefined) return null;
  const all = z
    .record(z.string(), z.unknown())
    .catch({})
    .parse(response ?? {});
  const found = Found.safeParse(all[siteId]).data;
  if (!found) return noBranding;
  const { titles, thumbnails, videoDuration } = found;
  const seconds = trusted(Picture, thumbnails)?.timestamp ?? null;
  const isOfThisEdit = !videoDuration || isSameLength(videoDuration, durationSeconds);
  const title = trusted(Title, titles)?.title;
  return {
    title: title === undefined ? null : plainTitle(title),
    thumbSeconds: seconds !== null && isOfThisEdit && seconds < durationSeconds ? seconds : null,
  };
}

/** Whether a time is in a sponsored segment, whose picture would advertise. */
function isSponsored(sponsorblock: string | null, seconds: number): boolean {
  if (sponsorblock === null) return false;
  const { segments } = JSON.parse(sponsorblock) as Sponsorblock;
  return segments.some(({ category, segment: [from, to] }) => category === 'sponsor' && seconds >= from && seconds <= to);
}

/**
 * Draws the frame that viewers have chosen from the file.
 * @throws if the file is missing or unreadable, or ffmpeg is
 */
export async function drawCommunityThumbnail(
  app: AppContext,
  { id, mediaPath, seconds }: { id: string; mediaPath: string; seconds: number },
  signal: AbortSignal,
): Promise<void> {
  const { tools, files, db } = app;
  if (!tools.ffmpeg) throw new MessageError(message('download.missing-tool', { tool: 'ffmpeg' }));
  const path = inCache(communityThumbnailPath(id));
  const target = resolveStoredPath(app, path);
  const media = await localPathOrNull(files, mediaPath, signal);
  if (!media) throw new MessageError(message('files.missing'));
  await inTransaction(db, (tx) => cancelDeletion(tx, [path])); // of an earlier copy of the video
  await mkdir(dirname(target), { recursive: true });
  await extractFrame(tools.ffmpeg, media, seconds, target, signal);
  await files.save(path, signal);
}

/** Returns the time of the frame that is there afterwards; null if there is none. A failure is only logged: the refresh tries again. */
async function drawIfChanged(
  app: AppContext,
  video: BrandedVideo,
  { stored, found }: { stored: number | null; found: number | null },
  signal: AbortSignal,
): Promise<number | null> {
  if (found === stored || found === null) return found;
  try {
    await drawCommunityThumbnail(app, { ...video, seconds: found }, signal);
    return found;
  } catch (error) {
    signal.throwIfAborted();
    app.log.info({ id: video.id, err: error }, 'cannot draw the thumbnail that viewers have chosen');
    return null;
  }
}

/**
 * Fetches title and picture by viewers of an archived video, and draws and stores them. Returns false, without a change, if the service
 * did not respond.
 */
export async function refreshBranding(app: AppContext, id: string, signal: AbortSignal): Promise<boolean> {
  const { db, files } = app;
  const video = await db
    .selectFrom('video')
    .select(['id', 'siteId', 'mediaPath', 'durationSeconds', 'sponsorblock', 'branding'])
    .where('id', '=', id)
    .where('site', '=', 'youtube')
    .executeTakeFirst();
  if (!video) return true;
  const found = await fetchBranding(app, video, signal);
  if (!found) return false;
  const stored = parseBranding(video.branding).thumbSeconds;
  const wanted = found.thumbSeconds !== null && isSponsored(video.sponsorblock, found.thumbSeconds) ? null : found.thumbSeconds;
  const thumbSeconds = await drawIfChanged(app, video, { stored, found: wanted }, signal);
  const branding = storedBranding({ title: found.title, thumbSeconds });
  const { numUpdatedRows } = await db
    .updateTable('video')
    .set({ branding })
    .where('id', '=', id)
    .where('mediaPath', '=', video.mediaPath)
    .executeTakeFirst();
  // Nothing shows the frame of a video that was deleted meanwhile, or of which there is none any more.
  if (thumbSeconds === null ? stored !== null : numUpdatedRows === 0n) await files.remove(inCache(communityThumbnailPath(id)));
  return true;
}

/** Whether titles and pictures by viewers are wanted for the videos of a channel, by the settings or an override of the channel. */
export async function wantsBranding({ db }: Pick<AppContext, 'db'>, channelId: string): Promise<boolean> {
  const { downloads } = await readSettings(db);
  return (await readOverridesOf(db, channelId)).integrate_dearrow ?? downloads.integrate_dearrow;
}

/** Fetches title and picture by viewers of a video that was archived or looked up, if they are wanted. */
export async function refreshWantedBranding(
  app: AppContext,
  { id, channelId }: { id: string; channelId: string },
  signal: AbortSignal,
): Promise<void> {
  if (await wantsBranding(app, channelId)) await refreshBranding(app, id, signal);
}
