import { failureOfDownload } from '../download/failure.ts';
import { pause } from '../download/pause.ts';
import { isPaused, pauseSite } from '../download/site-pause.ts';
import { currentSettings } from '../settings/read.ts';
import { meansGone } from '../source-gone.ts';
import type { VideoInfo } from '../ytdlp/info.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { lookUpWhole } from '../ytdlp/listing.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import type { Candidate } from './import-identify.ts';
import type { Local } from './import-local.ts';
import type { Importing } from './importing.ts';

/** What is known of a video, and who said so. */
export interface Told {
  info: VideoInfo;
  from: 'file' | 'site';
  /** In yt-dlp's words, when the site said it. */
  json: unknown;
}

/** Asks the site of a video; throws the sentence why it does not tell. */
export async function askSite(importing: Importing, { url, site, id }: Candidate): Promise<Told> {
  const { archive, work } = importing;
  const { db, now } = archive;
  const ytdlp = await ytdlpOf(archive);
  if (await isPaused(db, site, now())) throw new Error(`${site} turned us away, and is left alone for now.`);
  const { downloads } = await currentSettings(archive);
  if (importing.seen.asked++ > 0) await pause(downloads.sleep_interval, work.signal);
  let answer;
  try {
    answer = await lookUpWhole(ytdlp, url, { lang: downloads.extractor_lang, signal: work.signal });
  } catch (problem) {
    work.signal.throwIfAborted();
    const failure = failureOfDownload(problem);
    await pauseSite(db, site, failure, now());
    throw new Error(failure.message, { cause: problem });
  }
  const { info, json } = answer;
  if (id !== null && wireId(info.site, info.siteId) !== id)
    throw new Error(`The site answered with another video (${info.siteId}).`);
  return { info, json, from: 'site' };
}

/** What helps where a site tells nothing, as a sentence. */
async function adviceFor({ db }: Importing['archive'], { id }: Candidate): Promise<string> {
  const known = id && (await db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst());
  return known
    ? `It is known here without its file: put it into the media folder as ${known.mediaPath}, and start “Rescan filesystem” under Settings, Actions.`
    : 'An info.json beside it would tell what the site does not.';
}

/**
 * What another program noted, when its site does not tell. Who videos are of is seldom noted, so a site that only cannot be reached
 * now is no reason: it is asked again the next time.
 */
function notedInstead({ noted }: Local, preferLocal: boolean, problem: unknown): Told | null {
  if (!noted?.told) return null;
  const { cause } = problem as Error;
  const isGone = cause instanceof YtdlpFailed && meansGone(cause.failure.kind);
  return noted.isWhole || preferLocal || isGone ? { ...noted.told, from: 'file' } : null;
}

/**
 * What is known of a video: from its site, or from its info.json when that is preferred or the site does not tell (any more).
 * What another program noted is the last to be believed. Comments are kept from the info.json. Throws a sentence when neither tells anything.
 */
export async function metadataOf(importing: Importing, candidate: Candidate, local: Local): Promise<Told> {
  const { work, archive } = importing;
  const { info, noted } = local;
  const { prefer_local: preferLocal } = work.input;
  if (info && preferLocal) return { info, from: 'file', json: null };
  if (!info && noted?.told && (noted.url === '' || (noted.isWhole && preferLocal))) return { ...noted.told, from: 'file' };
  try {
    const told = await askSite(importing, candidate);
    return {
      ...told,
      info: { ...told.info, comments: told.info.comments.length > 0 ? told.info.comments : (info?.comments ?? []) },
    };
  } catch (problem) {
    work.signal.throwIfAborted();
    const why = (problem as Error).message;
    const instead = info ? null : notedInstead(local, preferLocal, problem);
    if (instead) return instead;
    if (!info) throw new Error(`${why} ${await adviceFor(archive, candidate)}`, { cause: problem });
    archive.log.info({ id: candidate.id, why }, 'what the info.json says is taken');
    return { info, from: 'file', json: null };
  }
}
