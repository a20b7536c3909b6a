import { message, type Message } from '#contract/messages.ts';
import { VideoFilter } from '#contract/video.ts';
import type { ViewContent, ViewPreset } from '#contract/view.ts';
import type { Db } from '../../platform/db/db.ts';
import { isVisibleTo } from '../../platform/db/schema/playlist-access.ts';
import { matchingIds } from '../video/list/matching-ids.ts';
import { presetTemplates, templateTextOf, type NfoRoot } from './presets.ts';
import { ViewUnavailableError } from './root-folder.ts';
import { pathKey, safeName } from './safe-name.ts';
import { isTemplate, parseTemplate, type Template, type TemplateValues } from './template.ts';

// Which videos a view contains, and the values of its template.

/** Settings that determine the names of a view. */
export interface Naming {
  preset: ViewPreset;
  template: string | null;
  contentType: ViewContent['type'];
  contentId: string | null;
  /** Account that chose the content. */
  chosenBy: number | null;
}

/** Condition: the playlist is shared, or it belongs to the user who chose it. Those without an owner are for staff, who manage views. */
const isChosenOrShared = ({ chosenBy }: Naming) => isVisibleTo({ id: chosenBy ?? 0, isStaff: true });

const nfoRoots: Partial<Record<ViewPreset, NfoRoot>> = {
  jellyfin: 'episodedetails',
  kodi: 'episodedetails',
  plex: 'episodedetails',
  playlist: 'episodedetails',
  music: 'musicvideo',
};

export interface Scheme {
  template: Template;
  nfoRoot: NfoRoot;
}

/** Returns the parsed template and the kind of NFO files of a view, or why its template is invalid. */
export function schemeOf({ preset, template }: Pick<Naming, 'preset' | 'template'>): Scheme | Message {
  if (preset === 'custom' && !template) return message('view.template-missing', { example: presetTemplates.flat });
  if (preset !== 'custom' && template) return message('view.template-unused');
  const parsed = parseTemplate(templateTextOf({ preset, template }));
  if (!isTemplate(parsed)) return parsed;
  return { template: parsed, nfoRoot: nfoRoots[preset] ?? (parsed.hasSeasons ? 'episodedetails' : 'movie') };
}

/** Unique names by id. Of equal names, the oldest entry keeps its name and the others get their id appended. */
function distinctNames(rows: { id: string; name: string }[]): Map<string, string> {
  const owners = new Map<string, string>();
  return new Map(
    rows.map(({ id, name }) => {
      const first = owners.getOrInsert(pathKey(safeName(name)), id);
      return [id, first === id ? name : `${name} [${id}]`];
    }),
  );
}

export interface Names {
  channels: Map<string, string>;
  playlists: Map<string, string>;
}

export async function loadNames(db: Db, { template }: Scheme): Promise<Names> {
  const channels = await db.selectFrom('channel').select(['id', 'name']).orderBy('addedAt').orderBy('id').execute();
  const playlists = template.usesPlaylists ? await db.selectFrom('playlist').select(['id', 'name']).orderBy('id').execute() : [];
  return { channels: distinctNames(channels), playlists: distinctNames(playlists) };
}

const videoColumns = [
  'video.id',
  'video.site',
  'video.channelId',
  'video.title',
  'video.description',
  'video.kind',
  'video.publishedAt',
  'video.downloadedAt',
  'video.durationSeconds',
  'video.sha256',
  'video.mediaPath',
  'video.width',
  'video.height',
  'video.tags',
  'video.categories',
  'video.chapters',
  'video.sponsorblock',
] as const;

const selectVideos = (db: Db, ids: string[]) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(videoColumns)
    .select('channel.name as channelName')
    .where('video.id', 'in', ids)
    .execute();
export type ViewVideo = Awaited<ReturnType<typeof selectVideos>>[number];

/** A video at one place of a view. */
export interface Item {
  video: ViewVideo;
  /** The playlist it is listed for, if the template uses playlists. */
  playlist: { id: string; position: number } | null;
}

/** Returns the ids of those of these videos that the view contains. */
async function containedIds(db: Db, naming: Naming, ids: string[]): Promise<string[]> {
  const { contentType, contentId } = naming;
  if (contentType === 'smart-list') {
    const list = await db
      .selectFrom('smartList')
      .select(['accountId', 'filter'])
      .where('number', '=', Number(contentId))
      .executeTakeFirst();
    const filter = list && VideoFilter.safeParse(JSON.parse(list.filter));
    if (!filter?.success) throw new ViewUnavailableError(message('view.content-gone'));
    return matchingIds(db, list!.accountId, filter.data, ids);
  }
  if (contentType === 'playlist') {
    const rows = await db
      .selectFrom('playlistVideo')
      .innerJoin('playlist', 'playlist.id', 'playlistVideo.playlistId')
      .select('videoId')
      .where('playlistId', '=', contentId!)
      .where('videoId', 'in', ids)
      .where(isChosenOrShared(naming) as never)
      .execute();
    return rows.map(({ videoId }) => videoId);
  }
  return ids; // the channel is a column of the video
}

/** Returns the places of these videos in a view. */
export async function loadItems(db: Db, naming: Naming, { template }: Scheme, ids: string[]): Promise<Item[]> {
  const { contentType, contentId } = naming;
  const contained = await containedIds(db, naming, ids);
  if (contained.length === 0) return [];
  const videos = (await selectVideos(db, contained)).filter(
    ({ channelId }) => contentType !== 'channel' || channelId === contentId,
  );
  if (!template.usesPlaylists) return videos.map((video) => ({ video, playlist: null }));
  const entries = await db
    .selectFrom('playlistVideo')
    .innerJoin('playlist', 'playlist.id', 'playlistVideo.playlistId')
    .select(['playlistVideo.playlistId', 'playlistVideo.videoId', 'playlistVideo.position'])
    .where('playlistVideo.videoId', 'in', contained)
    // Playlists that a user has not shared are private.
    .$if(contentType !== 'playlist', (q) =>
      q.where((w) => w.or([w('playlist.kind', '=', 'regular'), w('playlist.isShared', '=', 1)])),
    )
    .$if(contentType === 'playlist', (q) => q.where('playlist.id', '=', contentId!))
    .execute();
  const byVideo = Map.groupBy(entries, ({ videoId }) => videoId);
  return videos.flatMap((video): Item[] => {
    const places = byVideo.get(video.id) ?? [];
    if (places.length === 0) return template.worksWithoutPlaylist ? [{ video, playlist: null }] : [];
    return places.map(({ playlistId, position }) => ({ video, playlist: { id: playlistId, position: position + 1 } }));
  });
}

export const yearOf = (seconds: number) => new Date(seconds * 1000).getUTCFullYear();
/** Day of publication as `yyyymmdd`. */
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll('-', '');

/** Videos of one channel and day are numbered within their slot. */
export const slotOf = ({ channelId, publishedAt }: ViewVideo) => `${channelId} ${dayOf(publishedAt)}`;

export const seasonOf = ({ template }: Scheme, { video }: Item) => (template.show === 'playlist' ? 1 : yearOf(video.publishedAt));

/** Episode number of an NFO file: month, day and number of that day, or the place in the playlist. */
export const episodeOf = ({ template }: Scheme, { video, playlist }: Item, slotNumber: number) =>
  template.show === 'playlist' && playlist
    ? playlist.position
    : Number(`${dayOf(video.publishedAt).slice(4)}${String(slotNumber).padStart(2, '0')}`);

/** Returns the values of the template for a video. */
export function valuesOf(scheme: Scheme, names: Names, item: Item, slotNumber: number): TemplateValues {
  const { video, playlist } = item;
  return {
    title: video.title,
    id: video.id,
    channel: names.channels.get(video.channelId) ?? video.channelName,
    channel_id: video.channelId,
    playlist: playlist ? (names.playlists.get(playlist.id) ?? playlist.id) : null,
    playlist_id: playlist?.id ?? null,
    kind: video.kind,
    site: video.site,
    season: seasonOf(scheme, item),
    episode: slotNumber,
    position: playlist?.position ?? null,
    height: video.height || null,
    published: video.publishedAt,
    downloaded: video.downloadedAt,
  };
}
