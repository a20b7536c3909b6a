import { basename, extname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { leavingOf } from '../bin/files.ts';
import { overwritesOf } from '../channel/overwrites.ts';
import { refreshNewChannel } from '../channel/refresh-channel.ts';
import { mediaEndings } from '../library/walk-media.ts';
import { checkWhole } from '../media/probe.ts';
import { exists, fingerprint, syncFile, syncFolder, Taken } from '../media/shelf.ts';
import { currentSettings } from '../settings/read.ts';
import type { Work } from '../task/task.ts';
import { knownVideoIds } from '../video/known.ts';
import { fetchVideo } from '../ytdlp/fetch-video.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { fetchCommunity } from './community.ts';
import { makeFolder } from './incoming.ts';
import { readManifest, writeManifest, type Manifest } from './manifest.ts';
import { progressLine } from './progress-line.ts';
import { recordOf } from './record.ts';
import { shelve } from './shelve.ts';
import { removeItem, type QueueItem } from './store.ts';
import { writeSubtitles } from './subtitle-files.ts';

/** The site answered with another video than the one that was asked for. */
export class OtherVideo extends Error {}

/** Fetches one video into the item's folder, checks it and writes its manifest. */
async function fetchChecked(archive: Archive, item: QueueItem, work: Work<unknown>, folder: string): Promise<Manifest> {
  const { signal, report } = work;
  const { downloads, queue } = await currentSettings(archive);
  const own = await overwritesOf(archive.db, item.channelId);
  const { ffmpeg } = archive.tools;
  if (!ffmpeg) throw new Error('ffmpeg is not there, so nothing can be checked.');

  report({ messages: [item.title, 'Looking it up.'] });
  const fetched = await fetchVideo(await ytdlpOf(archive), {
    url: item.url,
    folder,
    settings: downloads,
    choice: { format: own.download_format ?? null, audioOnly: queue.audio_only },
    signal,
    onProgress: (now) =>
      report({ messages: [item.title, progressLine(now)], ...(now.fraction !== null && { progress: now.fraction }) }),
    onStage: (stage) => report({ messages: [item.title, stage] }),
  });
  const { info } = fetched;
  if (wireId(info.site, info.siteId) !== item.id)
    throw new OtherVideo(
      `The site answered with another video (${info.siteId}) than the one asked for. Nothing was archived; add that one by its own link if you want it.`,
    );

  report({ messages: [info.title, 'Checking what arrived.'], progress: 1 });
  const announced = { announcedSeconds: info.durationSeconds, wantsAudio: info.wantsAudio, wantsVideo: info.wantsVideo };
  const [probe, media] = await Promise.all([
    checkWhole(ffmpeg, fetched.mediaPath, announced, signal),
    fingerprint(fetched.mediaPath, signal), // a large file is read once, while ffprobe looks at it
    syncFile(fetched.mediaPath),
  ]);
  const subtitles = await writeSubtitles(folder, fetched.subtitles, work.skip);

  const { site, siteId } = info;
  const community = await fetchCommunity(archive, { site, siteId, channelId: item.channelId }, signal);

  const { channel, video } = recordOf({
    item,
    info,
    probe,
    media,
    extension: extname(fetched.mediaPath),
    subtitles,
    ...community,
    hasLines: downloads.subtitle_index,
    hasComments: downloads.comment_max !== null,
    now: archive.now(),
  });
  const stem = video.mediaPath.slice(0, -extname(video.mediaPath).length);
  const sidecar = async (name: string, to: string) => {
    const path = join(folder, name);
    await syncFile(path);
    return { from: name, to, ...(await fingerprint(path)) };
  };
  const files = await Promise.all([
    sidecar(basename(fetched.infoPath), `${stem}.info.json`),
    ...subtitles.map(({ file, lang }) => sidecar(file, `${stem}.${lang}.vtt`)),
  ]);
  files.push({ from: basename(fetched.mediaPath), to: video.mediaPath, ...media });
  await syncFolder(folder);
  signal.throwIfAborted();

  const manifest: Manifest = {
    version: 1,
    number: item.number,
    isForced: item.isForced === 1,
    files,
    thumbnail: fetched.thumbnailPath && basename(fetched.thumbnailPath),
    channel,
    video,
  };
  await writeManifest(folder, manifest);
  return manifest;
}

/** Throws Taken where a file that no row names stands for this video already, before it is fetched in vain: after a restore many may. */
async function refuseTaken(archive: Archive, { id, channelId }: QueueItem): Promise<void> {
  const paths = [...mediaEndings].map((ending) => `${channelId}/${id}${ending}`);
  const leaving = await leavingOf(archive, paths);
  for (const path of paths.filter((one) => !leaving.has(one))) {
    const full = join(archive.config.mediaFolder, path);
    if (await exists(full)) throw new Taken(full);
  }
}

/**
 * Archives one item of the queue: fetched into a folder of its own, checked, then brought to the shelf with every row
 * that belongs to it (docs/architecture.md, "From a link to the shelf"). A stop is heard until the manifest is written;
 * from there on it is finished, now or at the next start. Throws why it could not be done.
 */
export async function archiveVideo(archive: Archive, item: QueueItem, work: Work<unknown>): Promise<void> {
  if (item.isForced === 0 && (await knownVideoIds(archive, [item.id])).size > 0) {
    await removeItem(archive.db, item.number); // somebody brought it in by another way meanwhile
    return;
  }
  const folder = await makeFolder(archive, item.number);
  const whole = await readManifest(folder);
  if (!whole && item.isForced === 0) await refuseTaken(archive, item);
  const manifest = whole ?? (await fetchChecked(archive, item, work, folder));
  work.report({ messages: [manifest.video.title, 'Moving it to the shelf.'], progress: 1 });
  await shelve(archive, folder, manifest);
  await refreshNewChannel(archive, manifest.channel.id, work.signal);
}
