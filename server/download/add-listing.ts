import { saveListedPlaylist, type ListedPlaylist } from '../playlist/save-listed.ts';
import { currentSettings } from '../settings/read.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { listEntries, type Entry } from '../ytdlp/listing.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import type { Adding } from './adding.ts';
import { addPage, addVideo, isThere, putOnQueue, whenOver } from './add-video.ts';
import type { Wanted } from './classify.ts';
import { pause } from './pause.ts';
import type { NewItem } from './store.ts';

const allTabs = ['videos', 'streams', 'shorts'] as const;

function itemOf(entry: Entry, { manner, archive }: Adding, kind: Wanted['kind']): NewItem {
  return {
    id: wireId(entry.site, entry.siteId),
    site: entry.site,
    siteId: entry.siteId,
    url: entry.url,
    title: entry.title ?? entry.siteId,
    channelId: entry.channelId ?? '',
    channelName: entry.channelName ?? '',
    kind: kind ?? entry.kind ?? 'unknown',
    durationSeconds: entry.durationSeconds,
    publishedAt: entry.publishedAt,
    thumbnailUrl: entry.thumbnailUrl,
    status: manner.status,
    autoStart: manner.autostart && manner.status === 'pending' ? 1 : 0,
    isForced: 0, // only what was asked for by itself is fetched again
    queuedAt: archive.now(),
  };
}

/** Adds what a listing names. One bad entry is a line in the report. Answers what of a playlist there was. */
async function addEntries(adding: Adding, url: string, kind: Wanted['kind']): Promise<ListedPlaylist | null> {
  const { archive, work, manner } = adding;
  const { downloads } = await currentSettings(archive);
  const each: Adding = { ...adding, manner: { ...manner, force: false } };
  let playlist: ListedPlaylist | null = null;
  let place = 0;
  for await (const entry of listEntries(ytdlpOf(archive), url, {
    flat: true,
    lang: downloads.extractor_lang,
    signal: work.signal,
  })) {
    const id = wireId(entry.site, entry.siteId);
    place++;
    if (entry.playlist) {
      playlist ??= {
        id: entry.playlist.id,
        name: entry.playlist.title ?? entry.playlist.id,
        description: null,
        channelId: entry.playlist.channelId,
        channelName: entry.playlist.channelName,
        url,
        entries: [],
      };
      playlist.entries.push({ videoId: id, title: entry.title ?? entry.siteId, uploader: entry.channelName });
    }
    work.report({ messages: [entry.playlist?.title ?? url, `Adding item ${place}: ${entry.title ?? id}`] });
    if (await isThere(each, id)) continue;
    const item = whenOver(entry, itemOf(entry, each, kind));
    // A page that is one video comes with all that can be known of it.
    if (manner.flat || !entry.playlist || item.failure) await putOnQueue(each, item);
    else {
      try {
        await addVideo(each, { id, url: entry.url, ...(item.kind !== 'unknown' && { kind: item.kind }) }, item);
      } catch (problem) {
        work.signal.throwIfAborted();
        work.skip(item.title, problem);
      }
      await pause(downloads.sleep_interval, work.signal);
    }
  }
  return playlist;
}

/** Whether a page lists several videos, or just is one. */
async function listsSeveral({ archive, work }: Adding, url: string): Promise<boolean> {
  const { downloads } = await currentSettings(archive);
  let count = 0;
  for await (const _ of listEntries(ytdlpOf(archive), url, {
    flat: true,
    limit: 2,
    lang: downloads.extractor_lang,
    signal: work.signal,
  }))
    if (++count > 1) return true;
  return false;
}

/** Adds the videos of a channel, of a playlist, or of whatever a page turns out to be. */
export async function addListing(adding: Adding, wanted: Wanted) {
  if (wanted.what === 'page' && !(await listsSeveral(adding, wanted.url))) return addPage(adding, wanted.url);
  if (wanted.what !== 'channel') {
    const playlist = await addEntries(adding, wanted.url, wanted.kind);
    if (playlist && wanted.what === 'playlist') await saveListedPlaylist(adding.archive, playlist);
    return;
  }
  const tabs = wanted.kind ? [wanted.kind] : allTabs;
  let missing = 0;
  for (const tab of tabs) {
    try {
      await addEntries(adding, `${wanted.url}/${tab}`, tab);
    } catch (problem) {
      // That a channel has no shorts is an ordinary answer; that it has none of anything is not.
      if (!(problem instanceof YtdlpFailed && problem.failure.isNoTab) || ++missing === tabs.length) throw problem;
    }
  }
}
