import { access, constants, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refreshNewChannel } from '../channel/refresh-channel.ts';
import { scratchFolder } from '../child/scratch.ts';
import { bringIn } from '../download/bring-in.ts';
import { isPaused } from '../download/site-pause.ts';
import { lookInside, type Inside } from '../media/inside.ts';
import { exists } from '../media/shelf.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import { checkFile, isAsLong, readable, whyNotAsLong } from './import-check.ts';
import type { Group } from './import-groups.ts';
import { identify, type Candidate, type Way } from './import-identify.ts';
import { removeOriginals } from './import-journal.ts';
import { readLocal, type Local } from './import-local.ts';
import { askSite, metadataOf, type Told } from './import-metadata.ts';
import { prepare, type Recognised } from './import-prepare.ts';
import type { Importing } from './importing.ts';

/** What came of one file: it was (or would be) brought in, recognised in this way; or its video was in the archive before. */
export type Outcome = { what: 'brought in'; way: Way } | { what: 'there already' };

const nobodyTells =
  'Nothing tells which video it is. Put its info.json beside it, or write the id in brackets at the end of its name, as in “Title [dQw4w9WgXcQ].mp4”.';

/** Asks the site whether the end of a name is an id, which it is when the video there is as long as the file. */
async function confirm(importing: Importing, candidate: Candidate, foundSeconds: number): Promise<Told> {
  const { id } = candidate;
  let told: Told;
  try {
    told = await askSite(importing, candidate);
  } catch (problem) {
    importing.work.signal.throwIfAborted();
    throw new Error(
      `${nobodyTells} (Its name ends like the id ${id}, but the site does not confirm it: ${(problem as Error).message})`,
      { cause: problem },
    );
  }
  const seconds = told.info.durationSeconds;
  if (seconds !== null && isAsLong(foundSeconds, { seconds, cutSeconds: 0 })) return told;
  throw new Error(
    `Please confirm: it may be ${id}, “${told.info.title}”, but that is not as long. If it is, write “[${id}]” at the end of its name and import it with ignore_error.`,
  );
}

/** Throws when the file is not as long as the video; only says so when that is to be ignored. */
function checkLength(
  { work }: Importing,
  { path }: Group,
  { found, expected }: { found: number; expected: Parameters<typeof isAsLong>[1] },
) {
  const why = whyNotAsLong(found, expected);
  if (!why) return;
  if (!work.input.ignore_error) throw new Error(why);
  work.skip(
    path,
    `It lasts ${Math.round(found)} s, the video ${Math.round(expected.seconds ?? 0)} s; it was taken all the same.`,
  );
}

/** Whether a video is in the archive with its file: one that is only known, as from a backup, may well get it. */
async function isThere({ archive: { db, config }, seen }: Importing, id: string): Promise<boolean> {
  if (seen.ids.has(id)) return true;
  const video = await db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst();
  return video !== undefined && (await exists(join(config.mediaFolder, video.mediaPath)));
}

/** Finds out everything about a file; null when its video is in the archive already. */
async function recognise(
  importing: Importing,
  group: Group,
  { inside, local, candidate }: { inside: Inside; local: Local; candidate: Candidate },
): Promise<Recognised | null> {
  const { ffmpeg, work } = importing;
  const found = await checkFile(ffmpeg, join(group.folder, group.media), work.signal);
  const told =
    candidate.way === 'ending'
      ? await confirm(importing, candidate, found.durationSeconds)
      : await metadataOf(importing, candidate, local);
  const id = candidate.id ?? wireId(told.info.site, told.info.siteId);
  if (candidate.id === null && (await isThere(importing, id))) return null;
  const expected = { seconds: told.info.durationSeconds, cutSeconds: local.cutSeconds };
  checkLength(importing, group, { found: found.durationSeconds, expected });
  if (found.hasVideo && !found.hasAudio && told.info.wantsAudio) work.skip(group.path, 'It has no sound.');
  return { id, group, inside, local, told, found };
}

/** Only looks: everything that can be told without asking the site, which is asked about unsure names alone. */
async function lookOnly(importing: Importing, group: Group, local: Local, candidate: Candidate): Promise<Outcome> {
  const { ffmpeg, work, seen } = importing;
  const { durationSeconds } = await checkFile(ffmpeg, join(group.folder, group.media), work.signal);
  if (candidate.way === 'ending') await confirm(importing, candidate, durationSeconds);
  const expected = { seconds: (local.info ?? local.noted?.told?.info)?.durationSeconds ?? null, cutSeconds: local.cutSeconds };
  checkLength(importing, group, { found: durationSeconds, expected });
  if (candidate.id) seen.ids.add(candidate.id);
  return { what: 'brought in', way: candidate.way };
}

/** Brings in what is known, and only then takes the originals away. */
async function take(importing: Importing, one: Recognised) {
  const { archive, work, seen } = importing;
  const { id, group, told } = one;
  const { info } = told;
  work.report({ messages: ['Bringing it in.'] });
  await bringIn(
    archive,
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
    (place, signal) => prepare({ ...importing, work: { ...work, signal } }, one, place),
  );
  seen.ids.add(id);
  work.signal.throwIfAborted();
  try {
    await removeOriginals(archive, id);
  } catch (problem) {
    const code = (problem as NodeJS.ErrnoException).code ?? 'unknown';
    work.skip(group.path, `It is in the archive now, but cannot be removed from the import folder (${code}).`);
  }
  if (seen.channels.has(info.channelId) || (await isPaused(archive.db, info.site, archive.now()))) return;
  seen.channels.add(info.channelId);
  if (archive.tools.ytdlp) await refreshNewChannel(archive, info.channelId, work.signal);
}

/**
 * Brings one file of the import folder into the archive, with all that stands beside it; or only says what would become of it.
 * Throws the sentence why it was left where it is; then nothing has changed.
 */
export async function importOne(importing: Importing, group: Group): Promise<Outcome> {
  const { ffmpeg, work } = importing;
  const path = join(group.folder, group.media);
  await access(path, constants.R_OK); // ffprobe would only say that it is no video
  const folder = await scratchFolder();
  try {
    const inside = await readable(lookInside(ffmpeg, path, work.signal));
    const local = await readLocal(importing, group, { inside, folder });
    const candidate = identify(group, local, inside);
    if (!candidate) throw new Error(nobodyTells);
    if (candidate.id && (await isThere(importing, candidate.id))) return { what: 'there already' };
    if (work.input.dry_run) return await lookOnly(importing, group, local, candidate);
    const one = await recognise(importing, group, { inside, local, candidate });
    if (!one) return { what: 'there already' };
    await take(importing, one);
    return { what: 'brought in', way: candidate.way };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
