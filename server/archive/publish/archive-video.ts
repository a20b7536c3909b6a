import { MessageError, messagesOf } from '../../platform/messages/message-error.ts';
import { message, type Message } from '#contract/messages.ts';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { filesMovingToTrash, newTrashFolder } from '../storage/trash-files.ts';
import { readOverridesOf, readSettings } from '../settings/store.ts';
import { refreshNewChannel } from '../channel/refresh-channel.ts';
import { mediaEndings } from '../storage/walk.ts';
import { verifyComplete } from '../../platform/media/probe.ts';
import { exists, fingerprint, syncFile, syncFolder, PathTakenError } from '../../platform/files/files.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { existingIds } from '../video/store.ts';
import { parseLimitation } from '../video/limitation.ts';
import type { Recording } from '../video/recording.ts';
import { isBetterQuality, isSameEdit, type Quality } from '../video/quality.ts';
import { qualityOf, storedQuality } from '../video/stored-quality.ts';
import { storedSounds } from '../video/stream-rows.ts';
import type { ArchivedVideo } from '../video/save-archived.ts';
import { announcedPicture } from '../../platform/ytdlp/choose-format.ts';
import { fetchVideo } from '../../platform/ytdlp/fetch-video.ts';
import { readJson } from '../../platform/ytdlp/info.ts';
import { publicId } from '../../platform/ytdlp/public-id.ts';
import { ytdlpSession } from '../sites/ytdlp-session.ts';
import { refreshWantedBranding } from '../video/dearrow.ts';
import { fetchSponsorblockAndVotes, sponsorblockOf } from '../sites/sponsorblock-and-votes.ts';
import { makeWorkDir } from './work-dir.ts';
import { prepareCollected, type CollectedChat } from '../chat/prepare-chat.ts';
import { replayTime } from '../chat/replay-time.ts';
import { readManifest, removeDownload, type Manifest } from './manifest.ts';
import { stageReport, transferReport } from './download-report.ts';
import { buildVideoRow } from './build-video-row.ts';
import { finishUpload, publish, recordManifest } from './publish.ts';
import { newStem, stemOf } from '../storage/upload.ts';
import { removeItem, type QueueItem } from '../queue/claims.ts';
import { writeSubtitles } from './subtitle-files.ts';

/** Fetches a video: as a download (`fetchVideo`), or by recording a stream. */
export type Fetching = (
  ...to: Parameters<typeof fetchVideo>
) => Promise<Awaited<ReturnType<typeof fetchVideo>> & { recording?: Recording; chat?: CollectedChat }>;

/** The site returned another video than the requested one. */
export class DuplicateVideoError extends MessageError {}

/** Returns the file that a download may replace, with its quality; null if the item replaces any file, or none. */
async function replacedFile(app: AppContext, { id, isForced }: QueueItem) {
  if (isForced < 2) return null;
  const row = await app.db
    .selectFrom('video')
    .select(['id', 'mediaPath', 'durationSeconds', 'limitation', 'live'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const sounds = await storedSounds(app.db, id);
  return { ...row, sounds: sounds.length, quality: await storedQuality(app, row), limitation: parseLimitation(row.limitation) };
}
type ReplacedFile = NonNullable<Awaited<ReturnType<typeof replacedFile>>>;

/** Returns why a download does not replace a file that it was to replace by a better one; null if it does. */
function whyKept(
  { video, quality }: { video: ArchivedVideo; quality: Quality | null },
  stored: ReplacedFile,
  wanted: { prefersHdr: boolean },
): Message | null {
  const lengths = { came: video.durationSeconds, stored: stored.durationSeconds };
  if (!isSameEdit(lengths.came, lengths.stored, { wasRecorded: stored.live !== null })) return message('upgrade.edited', lengths);
  const isBetter = quality !== null && (stored.quality === null || isBetterQuality(quality, stored.quality, wanted));
  const sounds = video.streams.filter(({ type }) => type === 'audio').length;
  return isBetter && sounds >= stored.sounds ? null : message('upgrade.kept');
}

/** Records that a download was no better than the present file. */
const keepFile = ({ db, tools, now }: AppContext, { id, limitation }: ReplacedFile) =>
  db
    .updateTable('video')
    .set({
      upgrade: null,
      ...(limitation && {
        limitation: JSON.stringify({ ...limitation, ytdlp: tools.ytdlp?.version ?? '', at: now() }),
      }),
    })
    .where('id', '=', id)
    .execute();

/**
 * Downloads one video into the work folder of its item, verifies it and writes its manifest. Returns the reason if it was to replace
 * a file by a better one and is none: the present file is kept then.
 */
async function downloadAndVerify(
  app: AppContext,
  item: QueueItem,
  work: TaskWork<unknown>,
  { folder, fetch }: { folder: string; fetch: Fetching },
): Promise<Manifest | { kept: Message }> {
  const { signal, report } = work;
  const { downloads, queue, trash } = await readSettings(app.db);
  const overrides = await readOverridesOf(app.db, item.channelId);
  const { ffmpeg } = app.tools;
  if (!ffmpeg) throw new MessageError(message('download.missing-tool', { tool: 'ffmpeg' }));

  report(stageReport(item, message('download.metadata')));
  const fetched = await fetch(await ytdlpSession(app), {
    url: item.url,
    folder,
    settings: downloads,
    choice: { format: overrides.download_format ?? null, audioOnly: queue.audio_only },
    signal,
    onProgress: (now) => report(transferReport(item, now)),
    onStage: (stage) => report(stageReport(item, stage)),
  });
  const { info } = fetched;
  if (publicId(info.site, info.siteId) !== item.id)
    throw new DuplicateVideoError(message('failure.other-video', { id: info.siteId }));

  const languages = overrides.audio_languages ?? downloads.audio_languages;
  const withAutoDubs = overrides.audio_auto_dubs ?? downloads.audio_auto_dubs;
  const settings = { ...downloads, audio_languages: languages, audio_auto_dubs: withAutoDubs };
  // A recording has the sound of the stream; its version at the site may differ.
  const { mediaPath, sounds } =
    languages && fetch === fetchVideo
      ? await (await import('./add-sounds.ts')).addSounds(app, { item, url: item.url, folder, fetched, settings }, work)
      : { mediaPath: fetched.mediaPath, sounds: [] };
  report({ ...stageReport({ ...item, title: info.title }, message('download.checking')), progress: 1 });
  const expected = { announcedSeconds: info.durationSeconds, wantsAudio: info.wantsAudio, wantsVideo: info.wantsVideo };
  const [probe, media] = await Promise.all([
    verifyComplete(ffmpeg, mediaPath, expected, signal),
    fingerprint(mediaPath, signal), // while ffprobe runs, so that a large file is read from disk once
    syncFile(mediaPath),
  ]);
  const subtitles = await writeSubtitles(folder, fetched.subtitles, work.skip);

  const replaced = await replacedFile(app, item);
  const picture = probe.streams.find(({ type }) => type === 'video');
  const limitation: ArchivedVideo['limitation'] = fetched.limitedBy && {
    failure: fetched.limitedBy,
    height: Math.min(picture?.width ?? 0, picture?.height ?? 0),
    ytdlp: app.tools.ytdlp?.version ?? '',
    at: app.now(),
    tries: replaced?.limitation?.tries ?? 0,
  };

  const { site, siteId } = info;
  const { durationSeconds } = probe;
  const { segments, votes } = await fetchSponsorblockAndVotes(
    app,
    { site, siteId, channelId: item.channelId, durationSeconds },
    signal,
  );

  const chatAt = (overrides.live_chat ?? downloads.live_chat) ? replayTime(info, app.now()) : null;
  const { channel, video } = buildVideoRow({
    item,
    info,
    probe,
    sounds: [info.sound, ...sounds],
    media,
    stem: newStem(app, info.channelId, item.id),
    extension: extname(mediaPath),
    subtitles,
    limitation,
    recording: fetched.recording ?? null,
    sponsorblock: segments && sponsorblockOf(segments, app.now()),
    votes,
    hasLines: downloads.subtitle_index,
    hasComments: downloads.comment_max !== null,
    now: app.now(),
  });
  if (replaced && item.isForced === 2) {
    const announced = announcedPicture(readJson(await readFile(fetched.infoPath, 'utf8')));
    const quality = picture ? qualityOf({ ...picture, dynamicRange: picture.format?.dynamicRange }, announced) : null;
    const kept = whyKept({ video, quality }, replaced, { prefersHdr: downloads.prefer_hdr });
    if (kept) {
      await keepFile(app, replaced);
      return { kept };
    }
  }
  const stem = stemOf(video.mediaPath);
  // Its replay is fetched later: a recording does not fail of its chat.
  const chat =
    fetched.chat &&
    (await prepareCollected(fetched.chat, { startedAt: fetched.recording?.startedAt ?? null, folder, stem, signal }).catch(
      (cause: unknown) => {
        signal.throwIfAborted();
        work.skip(info.title, [message('live.chat-failed'), ...messagesOf(cause)], { videoId: item.id, cause });
        return null;
      },
    ));
  const sidecar = async (name: string, to: string) => {
    const path = join(folder, name);
    await syncFile(path);
    return { from: name, to, ...(await fingerprint(path)) };
  };
  const files = await Promise.all([
    sidecar(basename(fetched.infoPath), `${stem}.info.json`),
    ...subtitles.map(({ file, lang }) => sidecar(file, `${stem}.${lang}.vtt`)),
  ]);
  if (chat) files.push(chat.file);
  files.push({ from: basename(mediaPath), to: video.mediaPath, ...media });
  await syncFolder(folder);
  signal.throwIfAborted();

  const manifest: Manifest = {
    version: 1,
    number: item.number,
    isForced: item.isForced !== 0,
    ...(replaced && trash.days > 0 && { replacedFolder: newTrashFolder() }),
    files,
    thumbnail: fetched.thumbnailPath && basename(fetched.thumbnailPath),
    channel,
    video: { ...video, ...(chat && { chat: chat.chat }), ...(chatAt !== null && { chatAt }) },
  };
  await recordManifest(app, folder, manifest);
  return manifest;
}

/**
 * Checks before the download that no file without a row has the target name; after a restore there may be many.
 * @throws PathTakenError
 */
async function ensurePathsFree(app: AppContext, { id, channelId }: QueueItem): Promise<void> {
  const paths = [...mediaEndings].map((ending) => `${channelId}/${id}${ending}`);
  const movingToTrash = await filesMovingToTrash(app, paths);
  for (const path of paths.filter((one) => !movingToTrash.has(one))) {
    const full = join(app.config.mediaFolder, path);
    if (await exists(full)) throw new PathTakenError(full);
  }
}

/** Fetches the small copy of a video that was just archived, if the settings want one. A failure is reported only. */
async function addWantedCopy(app: AppContext, { id, title, channelId, url }: QueueItem, work: TaskWork<unknown>): Promise<void> {
  const { downloads } = await readSettings(app.db);
  const wanted = (await readOverridesOf(app.db, channelId)).small_copy ?? downloads.small_copy;
  if (wanted === 'off') return;
  const { addSmallCopyOf } = await import('./add-small-copy.ts');
  await addSmallCopyOf(app, id, { url, height: Number(wanted), isFresh: true, settings: downloads }, work).catch(
    (cause: unknown) => {
      work.signal.throwIfAborted();
      work.skip(title, [message('copy.missing'), ...messagesOf(cause)], { videoId: id, cause });
    },
  );
}

/**
 * Archives one queue item: downloads it into a work folder, verifies it, and publishes it with all its rows
 * (docs/architecture.md, "A download"). The signal stops it until the manifest is written; after that it is completed, now or at
 * the next start. It also stops an upload to a bucket, which is continued later. Returns why the present file was kept, if the
 * download was to replace it by a better one.
 * @throws the reason of the failure
 */
export async function archiveVideo(
  app: AppContext,
  item: QueueItem,
  work: TaskWork<unknown>,
  fetch: Fetching = fetchVideo,
): Promise<Message | null> {
  const isArchived = (await existingIds(app.db, [item.id])).size > 0;
  // It was archived in another way meanwhile; or the video that was to become better was deleted.
  if (item.isForced === 0 ? isArchived : item.isForced > 1 && !isArchived) {
    await removeItem(app.db, item);
    return null;
  }
  const uploaded = await finishUpload(app, item);
  if (uploaded) {
    await refreshNewChannel(app, uploaded.channel.id, work.signal);
    return null;
  }
  const folder = await makeWorkDir(app, item.number);
  const existing = await readManifest(folder);
  if (!existing && item.isForced === 0 && !app.files.isRemote) await ensurePathsFree(app, item);
  const manifest = existing ?? (await downloadAndVerify(app, item, work, { folder, fetch }));
  if ('kept' in manifest) {
    await removeItem(app.db, item);
    await removeDownload(folder);
    return manifest.kept;
  }
  work.report({ ...stageReport({ ...item, title: manifest.video.title }, message('download.publishing')), progress: 1 });
  await publish(app, folder, manifest, { lease: item, signal: work.signal });
  await addWantedCopy(app, item, work);
  await refreshWantedBranding(app, manifest.video, work.signal);
  await refreshNewChannel(app, manifest.channel.id, work.signal);
  return null;
}
