import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings } from '../settings/store.ts';
import { listEntries, type Entry } from '../../platform/ytdlp/listing.ts';
import { publicId } from '../../platform/ytdlp/public-id.ts';
import { ytdlpSession } from '../sites/ytdlp-session.ts';
import { makePlaylistArt } from './artwork.ts';
import { findSortOrder, hasArchivedEntry, savePlaylist } from './store.ts';

export interface ListedPlaylist {
  id: string | null;
  /** In the sort order configured for the playlist. */
  entries: Entry[];
}

/**
 * Lists a playlist and creates or updates it in the database, with its artwork. With `onlyIfArchived` it is saved only if it
 * contains an archived video.
 * @throws YtdlpFailed if it cannot be listed
 */
export async function listPlaylist(
  app: AppContext,
  url: string,
  signal: AbortSignal,
  { onlyIfArchived = false, isSubscribed = false } = {},
): Promise<ListedPlaylist> {
  const { db, now, announce } = app;
  const { downloads } = await readSettings(app.db);
  let description: string | null = null;
  const onDescription = (text: string) => void (description = text);
  const entries = await Array.fromAsync(
    listEntries(await ytdlpSession(app), url, { lang: downloads.extractor_lang, signal, onDescription }),
  );
  const about = entries.find((entry) => entry.playlist)?.playlist;
  if (!about) return { id: null, entries };
  if ((await findSortOrder(db, about.id)) === 'bottom') entries.reverse();
  const named = entries.map((entry) => ({
    videoId: publicId(entry.site, entry.siteId),
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
      description,
      channelId: about.channelId,
      channelName: about.channelName,
      url,
      entries: named,
      ...(isSubscribed && { isSubscribed: 1 as const }),
    },
    now(),
  );
  await makePlaylistArt(app, about.id, entries, signal);
  announce('playlist');
  return { id: about.id, entries };
}
