import { stemOf } from '../../../archive/storage/upload.ts';
import { messagesOf } from '../../../platform/messages/message-error.ts';
import { message } from '#contract/messages.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { refreshNewChannel } from '../../../archive/channel/refresh-channel.ts';
import { upsertChannel } from '../../../archive/channel/upsert-channel.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { buildVideoRow } from '../../../archive/publish/build-video-row.ts';
import { readContainerMetadata } from '../../../platform/media/container-metadata.ts';
import type { Ffmpeg } from '../../../platform/media/ffmpeg.ts';
import { probe } from '../../../platform/media/probe.ts';
import { readText } from '../../../platform/media/read-text.ts';
import { prepareChat } from '../../../archive/chat/prepare-chat.ts';
import { chatEnding, type StoredChat } from '../../../archive/chat/store.ts';
import { makeLookupFolder } from '../../../archive/sites/lookup-folder.ts';
import { exists, fingerprint, removeFolder } from '../../../platform/files/files.ts';
import { cuesOfVtt, generatedNote } from '../../../platform/media/subtitle.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import type { TaskWork } from '../../../platform/context/task.ts';
import { saveArchivedVideo } from '../../../archive/video/save-archived.ts';
import { YtdlpFailed } from '../../../platform/ytdlp/failure.ts';
import { readInfo, type VideoInfo } from '../../../platform/ytdlp/info.ts';
import { lookUp } from '../../../platform/ytdlp/listing.ts';
import { publicId } from '../../../platform/ytdlp/public-id.ts';
import { foreignFieldsOf } from '../import/foreign-metadata.ts';
import { tubearchivistMetadata } from '../import/tubearchivist.ts';
import { ytdlpSession } from '../../../archive/sites/ytdlp-session.ts';

interface How {
  preferLocal: boolean;
  work: Pick<TaskWork<unknown>, 'signal' | 'report' | 'skip'>;
}

const youtubeId = /^[-\w]{11}$/;

/** Reads the video id from a file name: the whole name as for YouTube, or in brackets at the end as yt-dlp writes it. */
export const idInFileName = (path: string): string | null => {
  const stem = basename(path, extname(path));
  return youtubeId.test(stem) ? stem : (/\[([-\w]{11})\]$/.exec(stem)?.[1] ?? null);
};

/** Reads the info.json next to the file; null if there is none, or it belongs to a channel or a playlist. */
async function localInfo(path: string): Promise<VideoInfo | null> {
  const text = await readText(`${path.slice(0, -extname(path).length)}.info.json`).catch(() => null);
  if (text === null) return null;
  const json = JSON.parse(text) as Record<string, unknown>;
  return ['video', undefined].includes(json['_type'] as string | undefined) ? readInfo(json) : null;
}

/** Reads the metadata that TubeArchivist embedded in the file; null if there is none. */
async function embeddedInfo(ffmpeg: Ffmpeg, path: string, signal: AbortSignal) {
  const found = tubearchivistMetadata(await readContainerMetadata(ffmpeg, path, signal));
  if (!found) return null;
  const { metadata } = foreignFieldsOf(found.note, { title: basename(path, extname(path)), page: null });
  return metadata && { info: metadata.info, fetchedAt: found.fetchedAt };
}

interface Known {
  info: VideoInfo;
  /** Download time in epoch seconds; null if unknown. */
  fetchedAt: number | null;
}

/**
 * Loads the metadata of a file in the media folder: from the info.json next to it, from the file itself, or from its site.
 * `preferLocal` decides which comes first.
 */
async function infoOf(app: AppContext, ffmpeg: Ffmpeg, path: string, { preferLocal, work }: How): Promise<Known> {
  const attempt = async <T>(id: 'files.sidecar-unreadable' | 'files.embedded-unreadable', read: () => Promise<T | null>) =>
    read().catch((problem: unknown) => {
      work.signal.throwIfAborted();
      work.skip(basename(path), message(id, { why: messagesOf(problem) }), { cause: problem });
      return null;
    });
  const sidecar = await attempt('files.sidecar-unreadable', () => localInfo(path));
  const embedded = await attempt('files.embedded-unreadable', () => embeddedInfo(ffmpeg, path, work.signal));
  const fetchedAt = embedded?.fetchedAt ?? null;
  const local = sidecar ?? embedded?.info ?? null;
  if (local && preferLocal) return { info: local, fetchedAt };
  const id = idInFileName(path);
  const url = local?.url || (id && `https://www.youtube.com/watch?v=${id}`);
  if (!url) throw new MessageError(message('files.unidentified'));
  try {
    const { downloads } = await readSettings(app.db);
    const info = await lookUp(await ytdlpSession(app), url, { lang: downloads.extractor_lang, signal: work.signal });
    return { info: { ...info, comments: info.comments.length > 0 ? info.comments : (local?.comments ?? []) }, fetchedAt };
  } catch (problem) {
    work.signal.throwIfAborted();
    if (local) return { info: local, fetchedAt }; // the site no longer knows the video, so only local metadata is left
    if (problem instanceof YtdlpFailed)
      throw new MessageError(message('files.no-metadata', { why: problem.messages }), { cause: problem });
    throw problem;
  }
}

/** Reads the subtitle files next to a media file, unchanged. */
async function subtitlesBeside(folder: string, stem: string) {
  const found = [];
  for (const name of await readdir(folder)) {
    const lang = name.startsWith(`${stem}.`)
      ? /^([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\.vtt$/.exec(name.slice(stem.length + 1))?.[1]
      : undefined;
    if (!lang) continue;
    const text = await readFile(join(folder, name), 'utf8');
    const source = text.includes(`NOTE ${generatedNote}`) ? ('generated' as const) : ('file' as const);
    found.push({ lang, source, name: lang, file: name, cues: cuesOfVtt(text) });
  }
  return found;
}

/** Returns the chat next to a media file, if it is as Reelkeep has written it. */
async function chatBeside(app: AppContext, stem: string, signal: AbortSignal): Promise<StoredChat | undefined> {
  const path = `${stem}${chatEnding}`;
  const full = join(app.config.mediaFolder, path);
  if (!(await exists(full))) return undefined;
  const folder = await makeLookupFolder(app);
  try {
    const prepared = await prepareChat([{ path: full, format: 'stored' }], { folder, stem, source: 'replay', signal });
    const isSame = prepared && (await fingerprint(full, signal)).sha256 === prepared.chat.sha256;
    return isSame ? prepared.chat : undefined;
  } finally {
    await removeFolder(folder);
  }
}

/**
 * Adds a file in the media folder that has no row to the archive, without moving or changing it.
 * @throws MessageError if the video cannot be identified or the file cannot be read.
 */
export async function registerFile(app: AppContext, path: string, how: How): Promise<string> {
  const { db, config, tools, now, announce } = app;
  const { work } = how;
  if (!tools.ffmpeg) throw new MessageError(message('files.no-ffmpeg'));
  const full = join(config.mediaFolder, path);
  work.report({ messages: [message('files.adding', { name: basename(path) })] });
  const { info, fetchedAt } = await infoOf(app, tools.ffmpeg, full, how);
  const id = publicId(info.site, info.siteId);
  const existing = await db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst();
  if (existing && (await exists(join(config.mediaFolder, existing.mediaPath))))
    throw new MessageError(message('files.already-archived', { id, path: existing.mediaPath }));
  const [looked, media] = await Promise.all([probe(tools.ffmpeg, full, work.signal), fingerprint(full, work.signal)]);
  if (!looked.hasVideo && !looked.hasAudio) throw new MessageError(message('files.no-media'));
  if (
    info.durationSeconds !== null &&
    Math.abs(looked.durationSeconds - info.durationSeconds) > Math.max(2, info.durationSeconds * 0.02)
  )
    work.skip(
      info.title,
      message('files.length-differs', {
        found: Math.round(looked.durationSeconds),
        expected: Math.round(info.durationSeconds),
      }),
    );
  // Without embedded metadata, the modification time of the file is the best guess.
  const downloadedAt = Math.min(now(), fetchedAt ?? Math.floor((await stat(full)).mtimeMs / 1000));
  const { downloads } = await readSettings(app.db);
  const stem = basename(path, extname(path));
  const subtitles = await subtitlesBeside(dirname(full), stem);
  const { channel, video } = buildVideoRow({
    item: { id, kind: 'unknown' },
    info: { ...info, publishedAt: info.publishedAt ?? downloadedAt },
    probe: looked,
    media,
    stem: stemOf(path),
    extension: extname(path),
    subtitles,
    sponsorblock: null,
    votes: null,
    hasLines: downloads.subtitle_index,
    hasComments: info.comments.length > 0,
    now: now(),
  });
  const chat = await chatBeside(app, stemOf(path), work.signal);
  const placed = {
    ...video,
    ...(chat && { chat }),
    isProtected: 1 as const,
    downloadedAt,
    mediaPath: path,
    subtitles: subtitles.map(({ lang, source, name, file }) => ({ lang, source, name, path: join(dirname(path), file) })),
  };
  await inTransaction(db, async (tx) => {
    await upsertChannel(tx, channel, now());
    await saveArchivedVideo(tx, placed, now());
    await tx.deleteFrom('download').where('id', '=', id).execute();
  });
  announce('video', 'channel', 'download');
  await refreshNewChannel(app, channel.id, work.signal);
  return id;
}
