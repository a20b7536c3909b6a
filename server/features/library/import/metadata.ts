import { message, type Message } from '#contract/messages.ts';
import { MessageError, messagesOf } from '../../../platform/messages/message-error.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import { classifyDownloadError } from '../../../archive/publish/classify-error.ts';
import { jitteredDelay } from '../../../archive/sites/jittered-delay.ts';
import { isCoolingDown, startCooldown } from '../../../archive/sites/site-cooldowns.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import { isGoneFailure } from '../../../archive/sites/mark-unavailable.ts';
import type { VideoInfo } from '../../../platform/ytdlp/info.ts';
import { YtdlpFailed } from '../../../platform/ytdlp/failure.ts';
import { lookUpFully } from '../../../platform/ytdlp/listing.ts';
import { publicId } from '../../../platform/ytdlp/public-id.ts';
import { ytdlpSession } from '../../../archive/sites/ytdlp-session.ts';
import type { Candidate } from './identify.ts';
import type { Sidecars } from './sidecars.ts';
import type { ImportContext } from './context.ts';

/** Metadata of a video and its source. */
export interface ImportedMetadata {
  info: VideoInfo;
  from: 'file' | 'site';
  /** yt-dlp's JSON if the site returned it. */
  json: unknown;
}

/** Looks a video up at its site. Throws the reason as a message if that fails. */
export async function fetchSiteMetadata(importing: ImportContext, { url, site, id }: Candidate): Promise<ImportedMetadata> {
  const { app, work } = importing;
  const ytdlp = await ytdlpSession(app);
  if (await isCoolingDown(app, site)) throw new MessageError(message('scan.paused', { site }));
  const { downloads } = await readSettings(app.db);
  if (importing.seen.requests++ > 0) await jitteredDelay(downloads.sleep_interval, work.signal);
  let answer;
  try {
    answer = await lookUpFully(ytdlp, url, { lang: downloads.extractor_lang, signal: work.signal });
  } catch (problem) {
    work.signal.throwIfAborted();
    const failure = classifyDownloadError(problem);
    await startCooldown(app, site, failure);
    throw new MessageError(failure.message, { cause: problem });
  }
  const { info, json } = answer;
  if (id !== null && publicId(info.site, info.siteId) !== id)
    throw new MessageError(message('failure.other-added', { id: info.siteId }));
  return { info, json, from: 'site' };
}

/** Returns the remedy for a failed lookup. */
async function adviceFor({ db }: ImportContext['app'], { id }: Candidate): Promise<Message> {
  const known = id && (await db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst());
  return known ? message('import.restore-file', { path: known.mediaPath }) : message('import.info-helps');
}

/**
 * Returns another program's metadata if the lookup failed. That metadata rarely names the channel, so incomplete metadata is used
 * only if the user prefers it or the site says that the video is unavailable; otherwise the next import queries the site again.
 */
function notedInstead({ noted }: Sidecars, preferLocal: boolean, problem: unknown): ImportedMetadata | null {
  if (!noted?.metadata) return null;
  const { cause } = problem as Error;
  const isGone = cause instanceof YtdlpFailed && isGoneFailure(cause.failure.kind);
  return noted.isWhole || preferLocal || isGone ? { ...noted.metadata, from: 'file' } : null;
}

/**
 * Loads metadata from the site, or from the info.json if it is preferred or the lookup fails. Metadata of other programs is the
 * last resort. Comments are kept from any source.
 * @throws MessageError if no source has metadata.
 */
export async function metadataOf(importing: ImportContext, candidate: Candidate, local: Sidecars): Promise<ImportedMetadata> {
  const { work, app } = importing;
  const { info, noted } = local;
  const comments = info?.comments ?? noted?.metadata?.info.comments ?? [];
  const { prefer_local: preferLocal } = work.input;
  if (info && preferLocal) return { info, from: 'file', json: null };
  if (!info && noted?.metadata && (noted.url === '' || (noted.isWhole && preferLocal)))
    return { ...noted.metadata, from: 'file' };
  try {
    const metadata = await fetchSiteMetadata(importing, candidate);
    return {
      ...metadata,
      info: { ...metadata.info, comments: metadata.info.comments.length > 0 ? metadata.info.comments : comments },
    };
  } catch (problem) {
    work.signal.throwIfAborted();
    const why = messagesOf(problem);
    const instead = info ? null : notedInstead(local, preferLocal, problem);
    if (instead) return instead;
    if (!info) throw new MessageError([...why, await adviceFor(app, candidate)], { cause: problem });
    app.log.info({ id: candidate.id, why: renderMessages(why) }, 'using the metadata of the info.json');
    return { info, from: 'file', json: null };
  }
}
