import { createHash } from 'node:crypto';
import type { Suggestions } from '#contract/stats.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { timeZone } from '../../platform/lib/format-time.ts';
import { sumCopies } from '../video/copies-store.ts';
import { unlessChanged } from './unless-changed.ts';
import { sumsByKind, lastRefresh } from './store.ts';
import { setHidden, visibleAt } from './hidden-suggestions.ts';
import { findSameTitles, pictureOf, readSameVideos } from './same-videos.ts';
import { readUnwatchedChannels } from './unwatched-channels.ts';

const day = 86_400;
const unwatchedDays = 90;
/** Listed of each kind; the sums are of all. */
const maxListed = 50;

const keyOf = (kind: string, ids: string[]) =>
  `${kind}.${createHash('sha256').update(JSON.stringify(ids.toSorted())).digest('hex').slice(0, 32)}`;
const copiesKey = 'copies';

interface Sized {
  key: string;
  media_size: number;
}

/** The largest suggestions of a kind, with the sums of all. */
const listOf = <One extends Sized>(all: One[]) => ({
  count: all.length,
  media_size: all.reduce((sum, { media_size: bytes }) => sum + bytes, 0),
  data: all.toSorted((a, b) => b.media_size - a.media_size || (a.key < b.key ? -1 : 1)).slice(0, maxListed),
});

async function sameVideos(app: AppContext) {
  const { db } = app;
  // Titles change with a refresh. Protection is read with the videos.
  const mark = await Promise.all([sumsByKind(db), lastRefresh(db)]);
  const ids = await unlessChanged(app, 'same titles', mark, () => findSameTitles(db, null));
  const groups = await readSameVideos(db, ids);
  return groups.map((group) => ({
    key: keyOf(
      'same',
      group.map(({ id }) => id),
    ),
    // An empty hash is not computed yet.
    identical: group.every(({ sha256 }) => sha256 !== '' && sha256 === group[0]!.sha256),
    media_size: group.slice(1).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    videos: group.map((video) => ({
      youtube_id: video.id,
      title: video.title,
      channel_name: video.channelName,
      site: video.site,
      height: pictureOf(video),
      duration: video.durationSeconds,
      media_size: video.sizeBytes,
    })),
  }));
}

/** The last day, in the time zone of the server, whose downloads are at least 90 days old. */
const lastOldDay = (now: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone(), dateStyle: 'short' }).format((now - (unwatchedDays + 1) * day) * 1000);

async function unwatchedChannels({ db }: AppContext, downloadedTo: string) {
  const channels = await readUnwatchedChannels(db, downloadedTo);
  return channels.map(({ id, name, videos, sizeBytes }) => ({
    key: keyOf('channel', [id]),
    channel_id: id,
    channel_name: name,
    videos,
    media_size: sizeBytes,
  }));
}

async function findAll(app: AppContext) {
  const downloadedTo = lastOldDay(app.now());
  const [same, channels, copies] = await Promise.all([sameVideos(app), unwatchedChannels(app, downloadedTo), sumCopies(app.db)]);
  return { same, channels, downloadedTo, copies: { key: copiesKey, count: copies.videos, media_size: copies.sizeBytes } };
}

/** What could be deleted, from the database only, without the hidden suggestions. */
export async function readSuggestions(app: AppContext): Promise<Suggestions> {
  const [{ same, channels, downloadedTo, copies }, isVisible] = await Promise.all([findAll(app), visibleAt(app.db, app.now())]);
  const isShown = ({ key, media_size: bytes }: Sized) => isVisible(key, bytes);
  return {
    same_videos: listOf(same.filter(isShown)),
    unwatched_channels: { ...listOf(channels.filter(isShown)), downloaded_to: downloadedTo },
    copies: copies.count > 0 && isShown(copies) ? copies : null,
  };
}

/** Hides a suggestion for all staff, or shows it again. @throws 404 if there is no such suggestion to hide */
export async function hideSuggestion(app: AppContext, key: string, isHidden: boolean): Promise<void> {
  const { db, now } = app;
  if (!isHidden) return setHidden(db, key, null, now());
  const { same, channels, copies } = await findAll(app);
  const found = [...same, ...channels, ...(copies.count > 0 ? [copies] : [])].find((one) => one.key === key);
  if (!found) throw notFound('error.suggestion');
  await setHidden(db, key, found.media_size, now());
}
