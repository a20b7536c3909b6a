import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { fetchCommunity } from '../download/community.ts';
import { writeSubtitles } from '../download/subtitle-files.ts';
import { foldText } from '../fold-text.ts';
import { writeWhole } from '../media/shelf.ts';
import { vttOf } from '../media/subtitle.ts';
import { makeThumbnail } from '../media/thumbnail.ts';
import { currentSettings } from '../settings/read.ts';
import type { Work } from '../task/task.ts';
import { saveComments } from '../video/save-comments.ts';
import { keepEarlierWords, replaceThumbnail } from '../video/earlier.ts';
import { linesOf, saveLinesOf } from '../video/lines.ts';
import { thumbnailPath } from '../video/thumbnail-path.ts';
import { fetchDetails, type Fetched } from '../ytdlp/fetch-video.ts';
import { ytdlpOf } from '../ytdlp-of.ts';

interface Refreshed {
  id: string;
  site: string;
  siteId: string;
  url: string | null;
  channelId: string;
  mediaPath: string;
}

/** Writes the subtitles of today beside the media. Those that the site offers no more stay. */
async function refreshSubtitles(archive: Archive, video: Refreshed, { folder, subtitles }: Details, work: Work<unknown>) {
  const written = await writeSubtitles(folder, subtitles, work.skip);
  const stem = video.mediaPath.replace(/\.[^.]+$/, '');
  return Promise.all(
    written.map(async ({ lang, source, name, cues }) => {
      const path = `${stem}.${lang}.vtt`;
      await writeWhole(join(archive.config.mediaFolder, path), vttOf(cues, lang));
      return { row: { lang, source, name, path }, lines: linesOf(lang, cues) };
    }),
  );
}

type Details = Omit<Fetched, 'mediaPath'> & { folder: string };

/** Takes away subtitles of a video that was deleted while its site was asked; unless it is back, with its own. */
async function withdraw({ db, config }: Archive, paths: string[]) {
  const rows = await db.selectFrom('subtitle').select('path').where('path', 'in', paths.concat('')).execute();
  const kept = new Set(rows.map(({ path }) => path));
  for (const path of paths) if (!kept.has(path)) await rm(join(config.mediaFolder, path), { force: true });
}

/** Answers whether the video is still there. */
async function writeAll(archive: Archive, video: Refreshed, details: Details, work: Work<unknown>): Promise<boolean> {
  const { db, now } = archive;
  const { info } = details;
  const { downloads } = await currentSettings(archive);
  const { sponsorblock, votes } = await fetchCommunity(archive, video, work.signal);
  const tracks = await refreshSubtitles(archive, video, details, work);

  const isThere = await inTransaction(db, async (tx) => {
    if (!(await tx.selectFrom('video').select('id').where('id', '=', video.id).executeTakeFirst())) return false;
    await keepEarlierWords(tx, { id: video.id, title: info.title, description: info.description }, now());
    await tx
      .updateTable('video')
      .set({
        title: info.title,
        sortTitle: foldText(info.title),
        description: info.description,
        ...(info.publishedAt !== null && { publishedAt: info.publishedAt }),
        categories: JSON.stringify(info.categories),
        tags: JSON.stringify(info.tags),
        chapters: JSON.stringify(info.chapters),
        // What the site does not tell today is no reason to forget what it told before.
        ...(info.views !== null && { viewCount: info.views }),
        ...((info.likes ?? votes?.likes) !== undefined && { likeCount: info.likes ?? votes!.likes }),
        ...(votes && { dislikeCount: votes.dislikes, averageRating: votes.rating }),
        ...(sponsorblock && { sponsorblock: JSON.stringify(sponsorblock) }),
        isActive: 1,
        goneSince: null,
        goneAs: null,
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
      if (downloads.subtitle_index) await saveLinesOf(tx, video.id, { lang: row.lang, lines });
    }
    if (downloads.comment_max !== null) await saveComments(tx, video.id, info.comments);
    return true;
  });
  if (!isThere) await withdraw(archive, tracks.map(({ row }) => row.path)); // prettier-ignore
  return isThere;
}

async function refreshPicture(archive: Archive, id: string, source: string | null, signal: AbortSignal) {
  const { tools, config, log } = archive;
  if (!source || !tools.ffmpeg) return;
  const made = `${join(config.cacheFolder, thumbnailPath(id))}.new`;
  try {
    await mkdir(dirname(made), { recursive: true });
    await makeThumbnail(tools.ffmpeg, source, made, signal);
    await replaceThumbnail(archive, id, made);
  } catch (error) {
    signal.throwIfAborted();
    log.info({ id, err: error }, 'the thumbnail stays as it was');
  }
}

/**
 * Brings what a site says of a video up to date: words, numbers, chapters, subtitles, comments, picture. What it said before
 * is kept, and so is what people did with the video. Answers whether the video is still there. Throws YtdlpFailed when it cannot be
 * looked up.
 */
export async function refreshVideo(archive: Archive, video: Refreshed, work: Work<unknown>): Promise<boolean> {
  if (!video.url) return true;
  const { downloads } = await currentSettings(archive);
  const parent = join(archive.config.cacheFolder, 'refresh');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, 'one-'));
  try {
    const wish = { url: video.url, folder, settings: downloads, signal: work.signal };
    const details = await fetchDetails(await ytdlpOf(archive), wish);
    if (details.info.site === video.site && details.info.siteId !== video.siteId)
      throw new Error(`The site answered with another video (${details.info.siteId}); nothing was changed.`);
    const isThere = await writeAll(archive, video, { ...details, folder }, work);
    if (isThere) await refreshPicture(archive, video.id, details.thumbnailPath, work.signal);
    return isThere;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
