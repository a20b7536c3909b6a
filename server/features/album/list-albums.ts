import type { Album } from '#contract/album.ts';
import { thumbnailUrl } from '../../archive/storage/thumbnail-path.ts';
import { musicOf } from '../../archive/video/music.ts';
import type { Db } from '../../platform/db/db.ts';

/** Videos of one page that are read at most. */
const maxVideos = 10_000;

interface Track {
  id: string;
  publishedAt: number;
  album: string;
  artist: string | null;
  year: number | null;
}

interface Entry {
  playlistId: string;
  position: number;
  /** Archived videos of the playlist. */
  total: number;
}

const namesOf = (db: Db) => db.selectFrom('facetCount').where('kind', '=', 'album').where('videos', '>', 0);

/** Returns the number of different names of albums, from a counter for each. */
export async function countAlbumNames(db: Db): Promise<number> {
  const { names } = await namesOf(db)
    .select((e) => e.fn.countAll<number>().as('names'))
    .executeTakeFirstOrThrow();
  return names;
}

/** Returns the albums of the names of a page, sorted by name. */
export async function listAlbums(db: Db, { size, from }: { size: number; from: number }): Promise<Album[]> {
  const rows = await namesOf(db).select('value').orderBy('value').limit(size).offset(from).execute();
  if (rows.length === 0) return [];
  const names = rows.map(({ value }) => value);
  const [tracks, entries] = await Promise.all([tracksOf(db, names), entriesOf(db, names)]);
  const entriesOfVideo = Map.groupBy(entries, ({ videoId }) => videoId);
  const albums = Map.groupBy(tracks, ({ name, artist }) => `${name}\n${artist?.toLowerCase() ?? ''}`);
  return [...albums.values()].map((some) => shapeAlbum(some, entriesOfVideo));
}

async function tracksOf(db: Db, names: string[]): Promise<(Track & { name: string })[]> {
  const rows = await db
    .selectFrom('facet')
    .innerJoin('video', 'video.id', 'facet.videoId')
    .select(['facet.value as name', 'video.id', 'video.publishedAt', 'video.music', 'video.musicEdit'])
    .where('facet.kind', '=', 'album')
    .where('facet.value', 'in', names)
    .orderBy('facet.value')
    .orderBy('video.publishedAt')
    .orderBy('video.id')
    .limit(maxVideos)
    .execute();
  return rows.flatMap(({ music, musicEdit, ...row }) => {
    const found = musicOf({ music, musicEdit });
    if (!found?.album) return [];
    return [{ ...row, album: found.album, artist: found.artists[0] ?? null, year: found.year }];
  });
}

/** Returns where tracks of these albums are in playlists of sites. Those of users are no order of an album. */
const entriesOf = (db: Db, names: string[]) =>
  db
    .selectFrom('facet')
    .innerJoin('playlistVideo', 'playlistVideo.videoId', 'facet.videoId')
    .innerJoin('playlist', 'playlist.id', 'playlistVideo.playlistId')
    .select(['playlistVideo.videoId', 'playlistVideo.playlistId', 'playlistVideo.position'])
    .select((e) =>
      e
        .selectFrom('playlistVideo as all')
        .whereRef('all.playlistId', '=', 'playlist.id')
        .select((w) => w.fn.countAll<number>().as('total'))
        .$asScalar()
        .$notNull()
        .as('total'),
    )
    .where('facet.kind', '=', 'album')
    .where('facet.value', 'in', names)
    .where('playlist.kind', '=', 'regular')
    .where('playlist.isShared', '=', 1)
    .limit(maxVideos)
    .execute();

/** Returns the playlist that consists of these tracks, with the id of its first one. */
function playlistOf(tracks: Track[], entriesOfVideo: ReadonlyMap<string, Entry[]>) {
  const entries = tracks.flatMap(({ id }) => (entriesOfVideo.get(id) ?? []).map((entry) => ({ ...entry, id })));
  for (const [playlistId, some] of Map.groupBy(entries, (entry) => entry.playlistId))
    if (some.length === tracks.length && some[0]!.total === tracks.length)
      return { playlistId, firstId: some.reduce((a, b) => (b.position < a.position ? b : a)).id };
  return null;
}

function shapeAlbum(tracks: Track[], entriesOfVideo: ReadonlyMap<string, Entry[]>): Album {
  const first = tracks[0]!;
  const playlist = playlistOf(tracks, entriesOfVideo);
  const coverId = playlist?.firstId ?? first.id;
  const years = tracks.flatMap(({ year }) => year ?? []).sort((a, b) => a - b);
  return {
    album: first.album,
    artist: first.artist,
    videos: tracks.length,
    year_from: years[0] ?? null,
    year_to: years.at(-1) ?? null,
    youtube_id: coverId,
    vid_thumb_url: thumbnailUrl(coverId),
    playlist: playlist?.playlistId ?? null,
  };
}
