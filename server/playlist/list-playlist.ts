import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { listEntries, type Entry } from '../ytdlp/listing.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { makePlaylistArt } from './artwork.ts';
import { findSortOrder, hasArchivedEntry, savePlaylist } from './store.ts';

export interface Listed {
  id: string | null;
  /** In the order that people chose for it. */
  entries: Entry[];
}

/**
 * Lists a playlist, and puts it into the archive or brings it up to date, with its picture. `onlyIfArchived`: only when
 * something of it is in the archive. Throws YtdlpFailed when it cannot be listed.
 */
export async function listPlaylist(
  archive: Archive,
  url: string,
  signal: AbortSignal,
  { onlyIfArchived = false, isSubscribed = false } = {},
): Promise<Listed> {
  const { db, now, announce } = archive;
  const { downloads } = await currentSettings(archive);
  const entries = await Array.fromAsync(listEntries(await ytdlpOf(archive), url, { lang: downloads.extractor_lang, signal }));
  const about = entries.find((entry) => entry.playlist)?.playlist;
  if (!about) return { id: null, entries };
  if ((await findSortOrder(db, about.id)) === 'bottom') entries.reverse();
  const named = entries.map((entry) => ({
    videoId: wireId(entry.site, entry.siteId),
    title: entry.title ?? entry.siteId,
    uploader: entry.channelName,
  }));
  if (
    onlyIfArchived &&
    !(await hasArchivedEntry(
      db,
      named.map((one) => one.videoId),
    ))
  )
    return { id: null, entries };
  await savePlaylist(
    db,
    {
      id: about.id,
      name: about.title ?? about.id,
      description: about.description,
      channelId: about.channelId,
      channelName: about.channelName,
      url,
      entries: named,
      ...(isSubscribed && { isSubscribed: 1 as const }),
    },
    now(),
  );
  await makePlaylistArt(archive, about.id, entries, signal);
  announce('playlist');
  return { id: about.id, entries };
}
