import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { message } from '#contract/messages.ts';
import { lookUpChannelPage } from '../../archive/channel/save-channel.ts';
import { readSettings } from '../../archive/settings/store.ts';
import type { ParsedInput } from '../../archive/sites/parse-input.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { withFetchedImage } from '../../platform/media/fetch-picture.ts';
import { makeArtwork } from '../../platform/media/thumbnail.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { createTempDir } from '../../platform/process/temp-dir.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { listEntries, lookUp, type Entry } from '../../platform/ytdlp/listing.ts';
import { publicId } from '../../platform/ytdlp/public-id.ts';

const maxCounted = 500;
const maxCountingMs = 30_000;
// Lists of shorts have no lengths.
const shortSeconds = 60;

/** What a site says about a link. Unknown facts are null. */
export interface FoundAtSite {
  /** Public id. */
  id: string | null;
  name: string | null;
  channelName: string | null;
  /** Data URL. */
  picture: string | null;
  /** Number of videos of a list. */
  count: number | null;
  isMore: boolean;
  /** Length of the video, or of the counted videos with a known length. */
  seconds: number;
  /** Number of videos whose length is included. */
  timed: number;
}

export const nothingFound = (): FoundAtSite => ({
  id: null,
  name: null,
  channelName: null,
  picture: null,
  count: null,
  isMore: false,
  seconds: 0,
  timed: 0,
});

/** Returns a small copy of an image of a site as a data URL, or null. */
async function fetchPreview({ tools, log }: AppContext, url: string | null, signal: AbortSignal): Promise<string | null> {
  const { ffmpeg, proxy } = tools;
  if (!ffmpeg || !url) return null;
  const folder = await createTempDir();
  const target = join(folder, 'preview.jpg');
  try {
    await withFetchedImage(proxy.fetch, url, target, signal, (fetched) =>
      makeArtwork(ffmpeg, 'preview', fetched, target, signal),
    );
    return `data:image/jpeg;base64,${await readFile(target, 'base64')}`;
  } catch (error) {
    log.info({ url, err: error }, 'cannot fetch the picture of a link');
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Asking {
  app: AppContext;
  wanted: ParsedInput;
  found: FoundAtSite;
  signal: AbortSignal;
}

async function askAboutVideo({ app, wanted, found, signal }: Asking) {
  const { downloads } = await readSettings(app.db);
  const info = await lookUp(await ytdlpSession(app), wanted.url, { lang: downloads.extractor_lang, signal });
  const { title: name, channelName, durationSeconds } = info;
  Object.assign(found, { id: publicId(info.site, info.siteId), name, channelName, seconds: durationSeconds ?? 0 });
  found.timed = durationSeconds === null ? 0 : 1;
  found.picture = await fetchPreview(app, info.thumbnailUrl, signal);
}

function countEntry(found: FoundAtSite, { durationSeconds, kind }: Entry) {
  found.count = (found.count ?? 0) + 1;
  const seconds = durationSeconds ?? (kind === 'shorts' ? shortSeconds : null);
  if (seconds === null) return;
  found.seconds += seconds;
  found.timed++;
}

/** Counts the entries of a list until a limit or the time is reached. Resolves to the first entry. */
async function countEntries(
  { app, found, signal }: Asking,
  url: string,
  time: AbortSignal,
  onFirst: (entry: Entry) => void = () => {},
) {
  const { downloads } = await readSettings(app.db);
  const counting = AbortSignal.any([signal, time]);
  const options = { lang: downloads.extractor_lang, signal: counting, limit: maxCounted + 1 };
  let counted = 0;
  try {
    for await (const entry of listEntries(await ytdlpSession(app), url, options)) {
      if (counted === 0) onFirst(entry);
      if (counted++ < maxCounted) countEntry(found, entry);
      else found.isMore = true;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!time.aborted) throw error;
    if (counted === 0 && found.count === null) throw new MessageError(message('failure.slow'), { cause: error });
    found.isMore = true;
  }
}

async function askAboutChannel(asking: Asking) {
  const { app, wanted, found, signal } = asking;
  const info = await lookUpChannelPage(app, wanted.url, signal);
  Object.assign(found, { id: info.id, name: info.name });
  const picture = fetchPreview(app, info.avatarUrl, signal).then((fetched) => (found.picture = fetched));
  const time = AbortSignal.timeout(maxCountingMs);
  try {
    for (const tab of wanted.kind ? [wanted.kind] : ['videos', 'streams', 'shorts'])
      await countEntries(asking, `${wanted.url}/${tab}`, time).catch((error: unknown) => {
        if (!(error instanceof YtdlpFailed && error.failure.isNoTab)) throw error;
      });
    found.count ??= 0;
  } finally {
    await picture;
  }
}

async function askAboutList(asking: Asking) {
  const { app, wanted, found, signal } = asking;
  let picture: Promise<unknown> | undefined;
  let single: Entry | undefined;
  const onFirst = (entry: Entry) => {
    const { playlist } = entry;
    single = playlist ? undefined : entry;
    found.name = playlist?.title ?? entry.title;
    found.channelName = playlist?.channelName ?? entry.channelName;
    if (wanted.what === 'playlist') found.id = playlist?.id ?? null;
    picture = fetchPreview(app, entry.thumbnailUrl, signal).then((fetched) => (found.picture = fetched));
  };
  try {
    await countEntries(asking, wanted.url, AbortSignal.timeout(maxCountingMs), onFirst);
  } finally {
    await picture;
  }
  if (found.count === null) throw new MessageError(message('failure.no-playlist'));
  // A page with one video is that video.
  if (wanted.what !== 'page' || found.count > 1 || !single) return;
  found.id = publicId(single.site, single.siteId);
  found.count = null;
}

/**
 * Asks a site what a link points to, and fills `found` as the facts arrive.
 * @throws YtdlpFailed or another MessageError; the reason of the signal when that fires
 */
export async function askSite(app: AppContext, wanted: ParsedInput, found: FoundAtSite, signal: AbortSignal): Promise<void> {
  const ask = wanted.what === 'video' ? askAboutVideo : wanted.what === 'channel' ? askAboutChannel : askAboutList;
  await ask({ app, wanted, found, signal });
}
