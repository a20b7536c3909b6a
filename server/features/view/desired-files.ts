import { createHash } from 'node:crypto';
import { readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { extname, join } from 'node:path';
import { removeFile } from '../../platform/files/files.ts';
import { cuesOfVtt, srtOf } from '../../platform/media/subtitle.ts';
import { channelArtPath } from '../../archive/channel/art-files.ts';
import { playlistArtPath } from '../../archive/playlist/artwork.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import type { Db } from '../../platform/db/db.ts';
import type { StreamTable, SubtitleTable, WatchTable } from '../../platform/db/schema/tables.ts';
import { episodeOf, seasonOf, slotOf, valuesOf, type Item, type Names, type Scheme } from './content.ts';
import { hasTimeOf, isLinkTo, makeLink, statOf } from './links.ts';
import { artistNfo, seasonNfo, showNfo, videoNfo } from './nfo.ts';
import type { ViewRow } from './store.ts';
import { renderTemplate } from './template.ts';

// The files that a view should have.

/** A file that a view should have, and how it is made. */
export interface DesiredFile {
  part: string;
  /** What follows the common name of the files of a video, or the path of another file. */
  suffix: string;
  stamp: string;
  /** Creates the file. `path` is absolute and free, or an earlier version of the same file that is replaced. */
  make(path: string): Promise<void>;
  /** Returns whether an existing file is the same. */
  matches(path: string, stats: Stats): Promise<boolean>;
}

/** Files with a common name in one folder. */
export interface DesiredGroup {
  owner: string;
  groupId: string;
  /** Path without suffix, relative to the root; empty for files of folders, whose suffix is the path. */
  base: string;
  season: string | null;
  slot: string | null;
  slotNumber: number | null;
  files: DesiredFile[];
}

export type ArtShape = 'poster' | 'fanart';

/** Folders and settings of an update. */
export interface Sources {
  view: ViewRow;
  scheme: Scheme;
  names: Names;
  /** Real paths, because relative symbolic links start from there. */
  root: string;
  mediaFolder: string;
  cacheFolder: string;
  /** Returns the file to link to: the media file, or a copy with chapters. */
  mediaSource(video: Item['video']): Promise<{ path: string; stamp: string }>;
  /** Draws a picture in a shape that media servers expect. Returns false if it cannot be drawn. Undefined without ffmpeg. */
  drawArt?(shape: ArtShape, source: string, target: string): Promise<boolean>;
}

const hashOf = (text: string) => createHash('sha1').update(text).digest('base64url');

const isText = async (path: string, stats: Stats, text: string) =>
  stats.isFile() && stats.size === Buffer.byteLength(text) && (await readFile(path, 'utf8')) === text;

const textFile = (suffix: string, text: string, part = suffix): DesiredFile => ({
  part,
  suffix,
  stamp: hashOf(text),
  async make(path) {
    try {
      await writeFile(`${path}.part`, text);
      await rename(`${path}.part`, path);
    } catch (error) {
      await removeFile(`${path}.part`);
      throw error;
    }
  },
  matches: (path, stats) => isText(path, stats, text),
});

/** Returns a file that links to a picture; null if there is none. */
async function picture({ view }: Sources, suffix: string, source: string, part = suffix): Promise<DesiredFile | null> {
  const stats = await statOf(source);
  if (!stats) return null;
  return {
    part,
    suffix,
    stamp: `${view.linkUsed} ${stats.size} ${Math.floor(stats.mtimeMs)}`,
    // Pictures are small, and the cache may be on another disk than the media.
    make: (path) => makeLink(view.linkUsed!, source, path, true),
    matches: (path, found) => isLinkTo(path, found, source),
  };
}

/**
 * Returns a poster or fanart drawn from the first of these pictures that exists, with its time. It is the picture itself without
 * ffmpeg, or if ffmpeg cannot read it.
 */
async function showArt(sources: Sources, suffix: string, shape: ArtShape, pictures: string[]): Promise<DesiredFile | null> {
  const [path, ...others] = pictures;
  if (path === undefined) return null;
  const source = join(sources.cacheFolder, path);
  const plain = await picture(sources, suffix, source);
  if (!plain) return showArt(sources, suffix, shape, others);
  const { drawArt } = sources;
  if (!drawArt) return plain;
  return {
    ...plain,
    stamp: `${shape} ${plain.stamp}`,
    async make(target) {
      const drawn = `${target}.drawn`;
      try {
        if (!(await drawArt(shape, source, drawn))) return await plain.make(target);
        const { atime, mtime } = await stat(source);
        await utimes(drawn, atime, mtime);
        await rename(drawn, target);
      } finally {
        await removeFile(drawn);
      }
    },
    async matches(target, found) {
      const original = await statOf(source);
      const isDrawn = found.isFile() && original !== null && hasTimeOf(found, original);
      return isDrawn || plain.matches(target, found);
    },
  };
}

async function subtitleFile(
  { view, mediaFolder }: Sources,
  { lang, path }: Pick<SubtitleTable, 'lang' | 'path'>,
): Promise<DesiredFile | null> {
  const source = join(mediaFolder, path);
  const stats = await statOf(source);
  if (!stats) return null;
  const text = async () => {
    const vtt = await readFile(source, 'utf8');
    return view.subtitles === 'srt' ? srtOf(cuesOfVtt(vtt)) : vtt;
  };
  const file = textFile(`.${lang}.${view.subtitles}`, '', `subtitle:${lang}`);
  return {
    ...file,
    stamp: `${stats.size} ${Math.floor(stats.mtimeMs)}`,
    make: async (target) => textFile('', await text()).make(target),
    matches: async (target, found) => isText(target, found, await text()),
  };
}

interface Details {
  streams: Map<string, Pick<StreamTable, 'videoId' | 'type' | 'codec' | 'width' | 'height'>[]>;
  subtitles: Map<string, Pick<SubtitleTable, 'videoId' | 'lang' | 'path'>[]>;
  watches: Map<string, Pick<WatchTable, 'videoId' | 'watchedAt' | 'positionSeconds' | 'updatedAt'>>;
}

/** Loads the rows of other tables that the files of these videos depend on. */
export async function loadDetails(db: Db, { hasNfo, personId }: ViewRow, ids: string[]): Promise<Details> {
  if (ids.length === 0) return { streams: new Map(), subtitles: new Map(), watches: new Map() };
  const streams = hasNfo
    ? await db
        .selectFrom('stream')
        .select(['videoId', 'type', 'codec', 'width', 'height'])
        .where('videoId', 'in', ids)
        .orderBy('videoId')
        .orderBy('position')
        .execute()
    : [];
  const subtitles = await db
    .selectFrom('subtitle')
    .select(['videoId', 'lang', 'path'])
    .where('videoId', 'in', ids)
    .orderBy('videoId')
    .orderBy('lang')
    .execute();
  const watches =
    hasNfo && personId !== null
      ? await db
          .selectFrom('watch')
          .select(['videoId', 'watchedAt', 'positionSeconds', 'updatedAt'])
          .where('accountId', '=', personId)
          .where('videoId', 'in', ids)
          .execute()
      : [];
  return {
    streams: Map.groupBy(streams, ({ videoId }) => videoId),
    subtitles: Map.groupBy(subtitles, ({ videoId }) => videoId),
    watches: new Map(watches.map((row) => [row.videoId, row])),
  };
}

/** Returns the paths of the folders of a show and a season, as one. */
const seasonFolderOf = ({ template }: Scheme, parts: string[]) =>
  template.show === null ? null : parts.slice(0, template.hasSeasons ? 2 : 1).join('/');

export const groupIdOf = ({ template }: Scheme, { video, playlist }: Item): string =>
  template.show === 'channel'
    ? `channel:${video.channelId}`
    : template.show === 'playlist' && playlist
      ? `playlist:${playlist.id}`
      : playlist
        ? `entry:${playlist.id}`
        : '';

/** Returns the files of a video at one place of a view. */
export async function filesOfItem(sources: Sources, item: Item, details: Details, slotNumber: number): Promise<DesiredGroup> {
  const { view, scheme, names, cacheFolder } = sources;
  const { video } = item;
  const values = valuesOf(scheme, names, item, slotNumber);
  const parts = renderTemplate(scheme.template, values);
  const media = await sources.mediaSource(video);
  const thumb = view.hasArtwork
    ? await picture(sources, '-thumb.jpg', join(cacheFolder, thumbnailPath(video.id)), 'thumb')
    : null;
  const subtitles =
    view.subtitles === 'none'
      ? []
      : await Promise.all((details.subtitles.get(video.id) ?? []).map((one) => subtitleFile(sources, one)));
  const files: (DesiredFile | null)[] = [
    {
      part: 'media',
      suffix: extname(video.mediaPath).toLowerCase(),
      stamp: `${view.linkUsed} ${media.stamp}`,
      make: (path) => makeLink(view.linkUsed!, media.path, path, view.link === 'auto'),
      matches: (path, stats) => isLinkTo(path, stats, media.path),
    },
    view.hasNfo
      ? textFile(
          '.nfo',
          videoNfo(scheme.nfoRoot, {
            ...video,
            channel: video.channelName,
            show: values.playlist ?? values.channel,
            season: seasonOf(scheme, item),
            episode: episodeOf(scheme, item, slotNumber),
            tags: JSON.parse(video.tags) as string[],
            genres: JSON.parse(video.categories) as string[],
            streams: details.streams.get(video.id) ?? [],
            subtitles: (details.subtitles.get(video.id) ?? []).map(({ lang }) => lang),
            watch:
              view.personId === null
                ? null
                : (details.watches.get(video.id) ?? { watchedAt: null, positionSeconds: null, updatedAt: 0 }),
          }),
          'nfo',
        )
      : null,
    thumb,
    ...subtitles,
  ];
  return {
    owner: video.id,
    groupId: groupIdOf(scheme, item),
    base: parts.join('/'),
    season: seasonFolderOf(scheme, parts),
    slot: slotOf(video),
    slotNumber,
    files: files.filter((file) => file !== null),
  };
}

/** Returns the pictures of the folder of a channel or playlist. The fallbacks replace what the site does not offer. */
async function artOfGroup(sources: Sources, groupId: string, folder: string, fallbacks: string[]): Promise<DesiredFile[]> {
  const id = groupId.slice(groupId.indexOf(':') + 1);
  const isChannel = groupId.startsWith('channel:');
  const [poster, fanart] = isChannel
    ? [channelArtPath(id, 'thumb'), channelArtPath(id, 'tvart')]
    : [playlistArtPath(id), playlistArtPath(id)];
  const pictures = await Promise.all([
    showArt(sources, `${folder}/poster.jpg`, 'poster', [poster, ...fallbacks]),
    showArt(sources, `${folder}/fanart.jpg`, 'fanart', [fanart, ...fallbacks]),
    isChannel ? picture(sources, `${folder}/banner.jpg`, join(sources.cacheFolder, channelArtPath(id, 'banner'))) : null,
  ]);
  return pictures.filter((one) => one !== null);
}

/** Returns the files of the folder of a channel or playlist: NFO files and artwork. */
export async function filesOfGroup(db: Db, sources: Sources, groupId: string): Promise<DesiredGroup> {
  const { view, scheme, names } = sources;
  const group: DesiredGroup = {
    owner: groupId,
    groupId: 'folder',
    base: '',
    season: null,
    slot: null,
    slotNumber: null,
    files: [],
  };
  const seasons = await db
    .selectFrom('viewFile')
    .select('season')
    .distinct()
    .where('viewNumber', '=', view.number)
    .where('groupId', '=', groupId)
    .where('season', 'is not', null)
    .execute();
  if (seasons.length === 0) return group;
  const folders = new Set(seasons.map(({ season }) => (scheme.template.hasSeasons ? season!.split('/')[0]! : season!)));
  const id = groupId.slice(groupId.indexOf(':') + 1);
  const isChannel = groupId.startsWith('channel:');
  const channel = isChannel
    ? await db.selectFrom('channel').select(['site', 'description', 'tags']).where('id', '=', id).executeTakeFirst()
    : undefined;
  const playlist = isChannel
    ? undefined
    : await db.selectFrom('playlist').select('description').where('id', '=', id).executeTakeFirst();
  if (!channel && !playlist) return group;
  const videos = db
    .selectFrom('video')
    .$if(isChannel, (q) => q.where('channelId', '=', id))
    .$if(!isChannel, (q) =>
      q.where('id', 'in', (e) => e.selectFrom('playlistEntry').select('videoId').where('playlistId', '=', id)),
    );
  const { premieredAt } = await videos.select((e) => e.fn.min('publishedAt').as('premieredAt')).executeTakeFirstOrThrow();
  const newest = await videos.select('categories').orderBy('publishedAt', 'desc').limit(50).execute();
  const genres = Map.groupBy(
    newest.flatMap(({ categories }) => JSON.parse(categories) as string[]),
    (genre) => genre,
  );
  const mostViewed = await videos.select('id').orderBy('viewCount', 'desc').orderBy('id').limit(5).execute();
  const thumbnails = mostViewed.map((video) => thumbnailPath(video.id));
  for (const folder of folders) {
    const show = {
      id,
      site: channel?.site ?? 'youtube',
      title: (isChannel ? names.channels : names.playlists).get(id) ?? id,
      description: (channel ?? playlist)!.description,
      tags: channel ? (JSON.parse(channel.tags) as string[]) : [],
      genres: [...genres.values()]
        .toSorted((a, b) => b.length - a.length)
        .slice(0, 3)
        .map(([genre]) => genre!),
      premieredAt: premieredAt === null ? null : Number(premieredAt),
    };
    if (view.hasNfo && scheme.nfoRoot === 'episodedetails') group.files.push(textFile(`${folder}/tvshow.nfo`, showNfo(show)));
    if (view.hasNfo && scheme.nfoRoot === 'musicvideo') group.files.push(textFile(`${folder}/artist.nfo`, artistNfo(show)));
    if (view.hasArtwork) group.files.push(...(await artOfGroup(sources, groupId, folder, thumbnails)));
  }
  if (view.hasNfo && scheme.nfoRoot === 'episodedetails' && scheme.template.hasSeasons)
    for (const { season } of seasons) {
      const name = season!.slice(season!.indexOf('/') + 1);
      const number = /(\d{1,4})\D*$/.exec(name)?.[1];
      if (number) group.files.push(textFile(`${season}/season.nfo`, seasonNfo(Number(number), name)));
    }
  return group;
}
