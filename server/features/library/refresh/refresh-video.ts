import { message } from '#contract/messages.ts';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { refreshWantedBranding } from '../../../archive/video/dearrow.ts';
import { fetchSponsorblockAndVotes, isSameLength, sponsorblockOf } from '../../../archive/sites/sponsorblock-and-votes.ts';
import { writeSubtitles } from '../../../archive/publish/subtitle-files.ts';
import { normalizeText } from '../../../platform/lib/normalize-text.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { compareFiles, fingerprint, writeAtomically } from '../../../platform/files/files.ts';
import { localPathOrNull } from '../../../platform/storage/file-store.ts';
import { deletePendingFiles, scheduleDeletion } from '../../../archive/storage/pending-deletions.ts';
import { beginUpload, commitUpload, putFiles, stemOf, uniquePart, type UploadedFile } from '../../../archive/storage/upload.ts';
import { vttOf } from '../../../platform/media/subtitle.ts';
import { makeThumbnail } from '../../../platform/media/thumbnail.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import type { TaskWork } from '../../../platform/context/task.ts';
import { saveComments } from '../../../archive/video/save-comments.ts';
import { saveTextHistory, replaceThumbnail } from '../../../archive/video/metadata-history.ts';
import { storedMusic } from '../../../archive/video/music.ts';
import { transcriptLines, saveTranscriptOf } from '../../../archive/video/save-transcript.ts';
import { thumbnailPath } from '../../../archive/storage/thumbnail-path.ts';
import { fetchDetails, type FetchedDetails } from '../../../platform/ytdlp/fetch-video.ts';
import { ytdlpSession } from '../../../archive/sites/ytdlp-session.ts';
import { makeLookupFolder } from '../../../archive/sites/lookup-folder.ts';
import { findUpgrade } from './find-upgrade.ts';

interface Refreshed {
  id: string;
  title: string;
  site: string;
  siteId: string;
  url: string | null;
  channelId: string;
  mediaPath: string;
  durationSeconds: number;
  live: string | null;
}

interface SavedSubtitles {
  tracks: {
    row: { lang: string; source: 'user' | 'auto' | 'file'; name: string; path: string };
    lines: ReturnType<typeof transcriptLines>;
  }[];
  /** To be ended in the transaction that writes the rows; null if nothing was uploaded. */
  upload: { id: string; paths: string[] } | null;
  /** Files in the bucket that they replace. */
  replaced: string[];
}

/** Uploads subtitles that have changed under new names. */
async function uploadSubtitles(
  app: AppContext,
  video: Refreshed,
  folder: string,
  written: Awaited<ReturnType<typeof writeSubtitles>>,
) {
  const { db, files } = app;
  const rows = await db.selectFrom('subtitle').select(['lang', 'path']).where('videoId', '=', video.id).execute();
  const paths = new Map<string, string>();
  const uploaded: UploadedFile[] = [];
  const replaced: string[] = [];
  for (const { lang, file } of written) {
    const local = join(folder, file);
    const before = rows.find((row) => row.lang === lang)?.path;
    const copy = before === undefined ? null : await localPathOrNull(files, before);
    if (before !== undefined && copy && (await compareFiles(copy, local)) !== 'different') {
      paths.set(lang, before);
      continue;
    }
    const path = `${stemOf(video.mediaPath)}.${uniquePart()}.${lang}.vtt`;
    uploaded.push({ local, path, ...(await fingerprint(local)) });
    paths.set(lang, path);
    if (before !== undefined) replaced.push(before);
  }
  const [first] = uploaded;
  const upload = first ? { id: first.path, paths: uploaded.map(({ path }) => path) } : null;
  if (upload) await beginUpload(app, { ...upload, number: 0 });
  await putFiles(app, uploaded);
  return { paths, upload, replaced };
}

/** Saves the current subtitles next to the media file. Subtitles that the site no longer offers stay. */
async function refreshSubtitles(
  app: AppContext,
  video: Refreshed,
  { folder, subtitles }: Details,
  work: TaskWork<unknown>,
): Promise<SavedSubtitles> {
  const written = await writeSubtitles(folder, subtitles, work.skip);
  const inBucket = app.files.isRemote ? await uploadSubtitles(app, video, folder, written) : null;
  const stem = stemOf(video.mediaPath);
  const tracks = await Promise.all(
    written.map(async ({ lang, source, name, cues }) => {
      const path = inBucket?.paths.get(lang) ?? `${stem}.${lang}.vtt`;
      if (!inBucket) await writeAtomically(join(app.config.mediaFolder, path), vttOf(cues, lang));
      return { row: { lang, source, name, path }, lines: transcriptLines(lang, cues) };
    }),
  );
  return { tracks, upload: inBucket?.upload ?? null, replaced: inBucket?.replaced ?? [] };
}

type Details = FetchedDetails & { folder: string };

/** Deletes subtitles of a video that was deleted during the lookup, unless it was restored with its own. */
async function withdraw({ db, files }: AppContext, paths: string[]) {
  const rows = await db.selectFrom('subtitle').select('path').where('path', 'in', paths.concat('')).execute();
  const kept = new Set(rows.map(({ path }) => path));
  for (const path of paths) if (!kept.has(path)) await files.remove(path);
}

/** Returns whether the video still exists. */
async function writeAll(app: AppContext, video: Refreshed, details: Details, work: TaskWork<unknown>): Promise<boolean> {
  const { db, now } = app;
  const { info } = details;
  const { downloads } = await readSettings(app.db);
  const { segments, votes } = await fetchSponsorblockAndVotes(app, video, work.signal);
  // Those of another edit of the video would skip the wrong parts of the file.
  const isOtherEdit = segments?.isEdited || !isSameLength(info.durationSeconds ?? video.durationSeconds, video.durationSeconds);
  const sponsorblock = segments && !isOtherEdit ? sponsorblockOf(segments, now()) : null;
  const { tracks, upload, replaced } = await refreshSubtitles(app, video, details, work);

  const isThere = await inTransaction(db, async (tx) => {
    if (upload) await commitUpload(tx, upload.id);
    if (!(await tx.selectFrom('video').select('id').where('id', '=', video.id).executeTakeFirst())) {
      if (upload) await scheduleDeletion(tx, upload.paths);
      return false;
    }
    await scheduleDeletion(tx, replaced);
    await saveTextHistory(tx, { id: video.id, title: info.title, description: info.description }, now());
    await tx
      .updateTable('video')
      .set({
        title: info.title,
        sortTitle: normalizeText(info.title),
        description: info.description,
        ...(info.publishedAt !== null && { publishedAt: info.publishedAt }),
        categories: JSON.stringify(info.categories),
        tags: JSON.stringify(info.tags),
        chapters: JSON.stringify(info.chapters),
        ...(info.music && { music: storedMusic(info.music) }),
        // Fields that the site omits keep their previous values.
        ...(info.views !== null && { viewCount: info.views }),
        ...((info.likes ?? votes?.likes) !== undefined && { likeCount: info.likes ?? votes!.likes }),
        ...(votes && { dislikeCount: votes.dislikes, averageRating: votes.rating }),
        ...(sponsorblock && { sponsorblock: JSON.stringify(sponsorblock) }),
        isActive: 1,
        unavailableSince: null,
        unavailableReason: null,
        refreshedAt: now(),
      })
      .where('id', '=', video.id)
      .execute();
    for (const { row, lines } of tracks) {
      await tx
        .insertInto('subtitle')
        .values({ videoId: video.id, ...row })
        .onConflict((c) => c.columns(['videoId', 'lang']).doUpdateSet(row))
        .execute();
      if (downloads.subtitle_index) await saveTranscriptOf(tx, video.id, { lang: row.lang, lines });
    }
    if (downloads.comment_max !== null) await saveComments(tx, video.id, info.comments);
    return true;
  });
  if (app.files.isRemote) await deletePendingFiles(app, isThere ? replaced : (upload?.paths ?? []));
  else if (!isThere) await withdraw(app, tracks.map(({ row }) => row.path)); // prettier-ignore
  return isThere;
}

async function refreshPicture(app: AppContext, id: string, source: string | null, signal: AbortSignal) {
  const { tools, config, log } = app;
  if (!source || !tools.ffmpeg) return;
  const made = `${join(config.cacheFolder, thumbnailPath(id))}.new`;
  try {
    await mkdir(dirname(made), { recursive: true });
    await makeThumbnail(tools.ffmpeg, source, made, signal);
    await replaceThumbnail(app, id, made);
  } catch (error) {
    signal.throwIfAborted();
    log.info({ id, err: error }, 'cannot refresh the thumbnail');
  }
}

/**
 * Refreshes the metadata of a video from its site: texts, counts, chapters, subtitles, comments, thumbnail. Earlier texts are
 * kept in the history, and user data is kept. Returns whether the video still exists.
 * @throws YtdlpFailed if the lookup fails.
 */
export async function refreshVideo(app: AppContext, video: Refreshed, work: TaskWork<unknown>): Promise<boolean> {
  if (!video.url) return true;
  const settings = await readSettings(app.db);
  const folder = await makeLookupFolder(app);
  try {
    const options = { url: video.url, folder, settings: settings.downloads, signal: work.signal };
    const details = await fetchDetails(await ytdlpSession(app), options);
    if (details.info.site === video.site && details.info.siteId !== video.siteId)
      throw new MessageError(message('refresh.other-video', { id: details.info.siteId }));
    const isThere = await writeAll(app, video, { ...details, folder }, work);
    if (!isThere) return false;
    await refreshWantedBranding(app, video, work.signal);
    await findUpgrade(app, video, { ...details, folder }, { settings, work });
    await refreshPicture(app, video.id, details.thumbnailPath, work.signal);
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
