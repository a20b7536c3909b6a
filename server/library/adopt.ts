import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { refreshNewChannel } from '../channel/refresh-channel.ts';
import { saveKnownChannel } from '../channel/save-known.ts';
import { inTransaction } from '../db/db.ts';
import { recordOf } from '../download/record.ts';
import { probe } from '../media/probe.ts';
import { readText } from '../media/read-text.ts';
import { exists, fingerprint } from '../media/shelf.ts';
import { cuesOfVtt } from '../media/subtitle.ts';
import { currentSettings } from '../settings/read.ts';
import type { Work } from '../task/task.ts';
import { saveArchived } from '../video/save-archived.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { readInfo, type VideoInfo } from '../ytdlp/info.ts';
import { lookUp } from '../ytdlp/listing.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import { ytdlpOf } from '../ytdlp-of.ts';

interface How {
  preferLocal: boolean;
  work: Pick<Work<unknown>, 'signal' | 'report' | 'skip'>;
}

const youtubeId = /^[-\w]{11}$/;

/** The id that a file's own name tells: bare as YouTube's are, or at the end in brackets as yt-dlp writes it. */
export const idInName = (path: string): string | null => {
  const stem = basename(path, extname(path));
  return youtubeId.test(stem) ? stem : (/\[([-\w]{11})\]$/.exec(stem)?.[1] ?? null);
};

/** What the file beside it says; null when there is none, or it is that of a channel or a playlist. */
async function localInfo(path: string): Promise<VideoInfo | null> {
  const text = await readText(`${path.slice(0, -extname(path).length)}.info.json`).catch(() => null);
  if (text === null) return null;
  const json = JSON.parse(text) as Record<string, unknown>;
  return ['video', undefined].includes(json['_type'] as string | undefined) ? readInfo(json) : null;
}

/** What is known of a file that stands on the shelf: from beside it, else from its site, whichever is wanted first. */
async function infoOf(archive: Archive, path: string, { preferLocal, work }: How): Promise<VideoInfo> {
  const local = await localInfo(path).catch((problem: unknown) => {
    work.skip(basename(path), `What stands beside it cannot be read: ${(problem as Error).message}`);
    return null;
  });
  if (local && preferLocal) return local;
  const id = idInName(path);
  const url = local?.url || (id && `https://www.youtube.com/watch?v=${id}`);
  if (!url) throw new Error('Nothing tells which video it is: neither its name nor a file beside it. It was left as it is.');
  try {
    const { downloads } = await currentSettings(archive);
    return await lookUp(await ytdlpOf(archive), url, { lang: downloads.extractor_lang, signal: work.signal });
  } catch (problem) {
    work.signal.throwIfAborted();
    if (local) return local; // the site does not know it any more: what stands beside it is all there is
    if (problem instanceof YtdlpFailed)
      throw new Error(`Its site does not tell what it is. ${problem.message}`, { cause: problem });
    throw problem;
  }
}

/** The subtitles that stand beside a file, as they are. */
async function subtitlesBeside(folder: string, stem: string) {
  const found = [];
  for (const name of await readdir(folder)) {
    const lang = name.startsWith(`${stem}.`)
      ? /^([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\.vtt$/.exec(name.slice(stem.length + 1))?.[1]
      : undefined;
    if (!lang) continue;
    const cues = cuesOfVtt(await readFile(join(folder, name), 'utf8'));
    found.push({ lang, source: 'file' as const, name: lang, file: name, cues });
  }
  return found;
}

/**
 * Takes a file into the archive that stands on the shelf without a row: where it stands, and as it is. Throws a sentence when
 * nobody can tell what it is, or it cannot be read.
 */
export async function adoptFile(archive: Archive, path: string, how: How): Promise<string> {
  const { db, config, tools, now, announce } = archive;
  const { work } = how;
  if (!tools.ffmpeg) throw new Error('ffmpeg is not there, so the file cannot be looked into.');
  const full = join(config.mediaFolder, path);
  work.report({ messages: [`Taking in ${basename(path)}.`] });
  const info = await infoOf(archive, full, how);
  const id = wireId(info.site, info.siteId);
  const there = await db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst();
  if (there && (await exists(join(config.mediaFolder, there.mediaPath))))
    throw new Error(`It is ${id}, which is in the archive already (${there.mediaPath}). It was left as it is.`);
  const [looked, media] = await Promise.all([probe(tools.ffmpeg, full, work.signal), fingerprint(full, work.signal)]);
  if (!looked.hasVideo && !looked.hasAudio) throw new Error('It has neither picture nor sound.');
  if (
    info.durationSeconds !== null &&
    Math.abs(looked.durationSeconds - info.durationSeconds) > Math.max(2, info.durationSeconds * 0.02)
  )
    work.skip(
      info.title,
      `Is ${Math.round(looked.durationSeconds)} s long, and ${info.durationSeconds} s at its site. It was taken in all the same.`,
    );
  // When it came here nobody tells but the file itself.
  const downloadedAt = Math.min(now(), Math.floor((await stat(full)).mtimeMs / 1000));
  const { downloads } = await currentSettings(archive);
  const stem = basename(path, extname(path));
  const subtitles = await subtitlesBeside(dirname(full), stem);
  const { channel, video } = recordOf({
    item: { id, kind: 'unknown' },
    info: { ...info, publishedAt: info.publishedAt ?? downloadedAt },
    probe: looked,
    media,
    extension: extname(path),
    subtitles,
    sponsorblock: null,
    votes: null,
    hasLines: downloads.subtitle_index,
    hasComments: info.comments.length > 0,
    now: now(),
  });
  const placed = {
    ...video,
    isKept: 1 as const,
    downloadedAt,
    mediaPath: path,
    subtitles: subtitles.map(({ lang, source, name, file }) => ({ lang, source, name, path: join(dirname(path), file) })),
  };
  await inTransaction(db, async (tx) => {
    await saveKnownChannel(tx, channel, now());
    await saveArchived(tx, placed, now());
    await tx.deleteFrom('download').where('id', '=', id).execute();
  });
  announce('video', 'channel', 'download');
  await refreshNewChannel(archive, channel.id, work.signal);
  return id;
}
