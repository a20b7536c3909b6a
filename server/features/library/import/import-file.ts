import { message } from '#contract/messages.ts';
import { access, constants, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refreshNewChannel } from '../../../archive/channel/refresh-channel.ts';
import { MessageError, messagesOf } from '../../../platform/messages/message-error.ts';
import { createTempDir } from '../../../platform/process/temp-dir.ts';
import { ingestLocalFile } from '../../../archive/publish/ingest-local-file.ts';
import { isCoolingDown } from '../../../archive/sites/site-cooldowns.ts';
import { readContainerMetadata, type ContainerMetadata } from '../../../platform/media/container-metadata.ts';
import { exists } from '../../../platform/files/files.ts';
import { publicId } from '../../../platform/ytdlp/public-id.ts';
import { checkFile, hasExpectedDuration, readable, durationMismatch } from './verify-duration.ts';
import type { FileGroup } from './group-files.ts';
import { identify, type Candidate, type IdentifiedBy } from './identify.ts';
import { deleteOriginals } from './delete-originals.ts';
import { readSidecars, type Sidecars } from './sidecars.ts';
import { fetchSiteMetadata, metadataOf, type ImportedMetadata } from './metadata.ts';
import { buildManifest, type RecognizedFile } from './build-manifest.ts';
import type { ImportContext } from './context.ts';

/** Result for one file: imported (in a dry run: importable) with the identification method, or already in the archive. */
export type ImportOutcome = { what: 'brought in'; way: IdentifiedBy; id: string | null } | { what: 'there already' };

const unidentified = message('import.unidentified');

/** Asks the site whether the end of a file name is an id: the video with this id must be as long as the file. */
async function confirm(importing: ImportContext, candidate: Candidate, foundSeconds: number): Promise<ImportedMetadata> {
  const { id } = candidate;
  let metadata: ImportedMetadata;
  try {
    metadata = await fetchSiteMetadata(importing, candidate);
  } catch (problem) {
    importing.work.signal.throwIfAborted();
    throw new MessageError([unidentified, message('import.unconfirmed', { id: id ?? '', why: messagesOf(problem) })], {
      cause: problem,
    });
  }
  const seconds = metadata.info.durationSeconds;
  if (seconds !== null && hasExpectedDuration(foundSeconds, { seconds, cutSeconds: 0 })) return metadata;
  throw new MessageError(message('import.confirm', { id: id ?? '', title: metadata.info.title }));
}

/** Throws if the file is not as long as the video; only reports it if the user ignores differences. */
function checkLength(
  { work }: ImportContext,
  { path }: FileGroup,
  { found, expected }: { found: number; expected: Parameters<typeof hasExpectedDuration>[1] },
) {
  const why = durationMismatch(found, expected);
  if (!why) return;
  if (!work.input.ignore_error) throw new MessageError(why);
  work.skip(path, message('import.length-differs', { found: Math.round(found), expected: Math.round(expected.seconds ?? 0) }));
}

/** Whether the archive has a video with its file. A video without a file, as after a restore, can be imported. */
async function isThere({ app: { db, config }, seen }: ImportContext, id: string): Promise<boolean> {
  if (seen.ids.has(id)) return true;
  const video = await db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst();
  return video !== undefined && (await exists(join(config.mediaFolder, video.mediaPath)));
}

/** Identifies a file and loads its metadata; null if its video is already in the archive. */
async function recognise(
  importing: ImportContext,
  group: FileGroup,
  { inside, local, candidate }: { inside: ContainerMetadata; local: Sidecars; candidate: Candidate },
): Promise<RecognizedFile | null> {
  const { ffmpeg, work } = importing;
  const found = await checkFile(ffmpeg, join(group.folder, group.media), work.signal);
  const metadata =
    candidate.way === 'ending'
      ? await confirm(importing, candidate, found.durationSeconds)
      : await metadataOf(importing, candidate, local);
  const id = candidate.id ?? publicId(metadata.info.site, metadata.info.siteId);
  if (candidate.id === null && (await isThere(importing, id))) return null;
  const expected = { seconds: metadata.info.durationSeconds, cutSeconds: local.cutSeconds };
  checkLength(importing, group, { found: found.durationSeconds, expected });
  if (found.hasVideo && !found.hasAudio && metadata.info.wantsAudio) work.skip(group.path, message('import.no-audio'));
  return { id, group, inside, local, metadata, found };
}

/** Dry run: reports what is known locally. The site is queried only for uncertain file names. */
async function lookOnly(
  importing: ImportContext,
  group: FileGroup,
  local: Sidecars,
  candidate: Candidate,
): Promise<ImportOutcome> {
  const { ffmpeg, work, seen } = importing;
  const { durationSeconds } = await checkFile(ffmpeg, join(group.folder, group.media), work.signal);
  if (candidate.way === 'ending') await confirm(importing, candidate, durationSeconds);
  const expected = {
    seconds: (local.info ?? local.noted?.metadata?.info)?.durationSeconds ?? null,
    cutSeconds: local.cutSeconds,
  };
  checkLength(importing, group, { found: durationSeconds, expected });
  if (candidate.id) seen.ids.add(candidate.id);
  return { what: 'brought in', way: candidate.way, id: candidate.id };
}

/** Publishes an identified file, then deletes the originals. */
async function take(importing: ImportContext, one: RecognizedFile) {
  const { app, work, seen } = importing;
  const { id, group, metadata } = one;
  const { info } = metadata;
  work.report({ messages: [message('import.running')] });
  await ingestLocalFile(
    app,
    {
      id,
      site: info.site,
      siteId: info.siteId,
      url: info.url,
      title: info.title,
      channelId: info.channelId,
      channelName: info.channelName,
      kind: 'unknown',
      durationSeconds: info.durationSeconds === null ? null : Math.round(info.durationSeconds),
      publishedAt: info.publishedAt,
    },
    work.signal,
    (place, signal) => buildManifest({ ...importing, work: { ...work, signal } }, one, place),
  );
  seen.ids.add(id);
  work.signal.throwIfAborted();
  try {
    await deleteOriginals(app, id);
  } catch (problem) {
    const code = (problem as NodeJS.ErrnoException).code ?? 'unknown';
    work.skip(group.path, message('import.not-deleted', { code }));
  }
  if (seen.channels.has(info.channelId) || (await isCoolingDown(app, info.site))) return;
  seen.channels.add(info.channelId);
  if (app.tools.ytdlp) await refreshNewChannel(app, info.channelId, work.signal);
}

/**
 * Imports one file with its sidecars, or in a dry run reports the result.
 * @throws MessageError with the reason why the file was not imported; nothing has changed then.
 */
export async function importFile(importing: ImportContext, group: FileGroup): Promise<ImportOutcome> {
  const { ffmpeg, work } = importing;
  const path = join(group.folder, group.media);
  await access(path, constants.R_OK); // ffprobe would report an unreadable file as "not a video"
  const folder = await createTempDir();
  try {
    const inside = await readable(readContainerMetadata(ffmpeg, path, work.signal));
    const local = await readSidecars(importing, group, { inside, folder });
    const candidate = identify(group, local, inside);
    if (!candidate) throw new MessageError(unidentified);
    if (candidate.id && (await isThere(importing, candidate.id))) return { what: 'there already' };
    if (work.input.dry_run) return await lookOnly(importing, group, local, candidate);
    const one = await recognise(importing, group, { inside, local, candidate });
    if (!one) return { what: 'there already' };
    await take(importing, one);
    return { what: 'brought in', way: candidate.way, id: one.id };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
