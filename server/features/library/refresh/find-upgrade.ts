import { readFile } from 'node:fs/promises';
import { message } from '#contract/messages.ts';
import type { Settings } from '#contract/settings.ts';
import { readOverridesOf } from '../../../archive/settings/store.ts';
import { ytdlpSession } from '../../../archive/sites/ytdlp-session.ts';
import { isBetterQuality, isSameEdit } from '../../../archive/video/quality.ts';
import { storedQuality } from '../../../archive/video/stored-quality.ts';
import { keyOfUpgrade, parseUpgradeLog, upgradeOf, type Upgrade } from '../../../archive/video/upgrade.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import type { TaskWork } from '../../../platform/context/task.ts';
import { chooseFormat, listedPictures } from '../../../platform/ytdlp/choose-format.ts';
import type { FetchedDetails } from '../../../platform/ytdlp/fetch-video.ts';
import { readJson } from '../../../platform/ytdlp/info.ts';

interface Refreshed {
  id: string;
  title: string;
  url: string | null;
  channelId: string;
  mediaPath: string;
  durationSeconds: number;
  /** Set if its stream was recorded. */
  live: string | null;
}

type Lookup = FetchedDetails & { folder: string };

/** Returns the better version that a download with the present settings would fetch; null if there is none. */
async function betterVersion(
  app: AppContext,
  video: Refreshed,
  { infoPath, folder }: Lookup,
  { downloads, queue }: Settings,
  signal: AbortSignal,
): Promise<Upgrade | null> {
  const overrides = await readOverridesOf(app.db, video.channelId);
  if ((overrides.upgrade ?? downloads.upgrade) === 'off') return null;
  const stored = await storedQuality(app, video);
  if (!stored) return null;
  const wanted = { prefersHdr: downloads.prefer_hdr };
  const json = readJson(await readFile(infoPath, 'utf8'));
  // For most videos the site lists nothing better, so that yt-dlp needs not be started.
  if (!listedPictures(json).some((one) => isBetterQuality(one, stored, wanted))) return null;
  const choice = { format: overrides.download_format ?? null, audioOnly: queue.audio_only };
  const session = await ytdlpSession(app);
  const chosen = await chooseFormat(session, { url: video.url!, json, folder, settings: downloads, choice, signal });
  return chosen && isBetterQuality(chosen.picture, stored, wanted) ? upgradeOf(chosen.picture, chosen.sizeBytes) : null;
}

/**
 * Compares the formats of a lookup with the file of a video: notes a better version, and the length at the source if the video was edited
 * there. Asks no site. A better version of another length is not noted, since it is another edit.
 */
export async function findUpgrade(
  app: AppContext,
  video: Refreshed,
  details: Lookup,
  { settings, work }: { settings: Settings; work: TaskWork<unknown> },
): Promise<void> {
  const { durationSeconds, live } = details.info;
  if (live === 'live' || live === 'upcoming') return;
  const isEdited =
    durationSeconds !== null && !isSameEdit(durationSeconds, video.durationSeconds, { wasRecorded: video.live !== null });
  let found: Upgrade | null = null;
  try {
    if (!isEdited) found = await betterVersion(app, video, details, settings, work.signal);
  } catch (error) {
    work.signal.throwIfAborted();
    // The refresh itself has succeeded, and the next one compares again.
    return app.log.warn({ id: video.id, err: error }, 'cannot compare the formats of a video with its file');
  }
  const row = await app.db.selectFrom('video').select(['upgrade', 'upgradeLog']).where('id', '=', video.id).executeTakeFirst();
  if (!row) return;
  const isDeclined = found !== null && parseUpgradeLog(row.upgradeLog).declined === keyOfUpgrade(found);
  const upgrade = found && !isDeclined ? JSON.stringify(found) : null;
  await app.db
    .updateTable('video')
    .set({ upgrade, sourceSeconds: isEdited ? Math.round(durationSeconds) : null })
    .where('id', '=', video.id)
    // Another download may have replaced the file meanwhile.
    .where('mediaPath', '=', video.mediaPath)
    .where('durationSeconds', '=', video.durationSeconds)
    .execute();
  if (upgrade && row.upgrade === null)
    work.note({ kind: 'new', what: video.title, videoId: video.id, why: message('upgrade.found', { height: found!.height }) });
}
