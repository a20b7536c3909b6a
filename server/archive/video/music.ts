import type { Music } from '#contract/video.ts';
import type { MediaTags } from '../../platform/media/rendition.ts';
import { cleanMusic, type MusicFields } from '../../platform/lib/music.ts';
import { objectOrEmpty } from '../../platform/lib/untrusted.ts';

// Artists, album, track and year are stored as JSON with the video: what the source says (`music`), and what staff have written instead
// (`musicEdit`). Parsed without zod, which the threads that read the database do not load.

/** Stored for a video whose fields staff have emptied. */
export const noMusic: MusicFields = { artists: [], album: null, track: null, year: null };

/** Parses stored JSON. Values that are not valid, as from an edited backup, are left out. */
function parseMusic(json: string | null): MusicFields | null {
  if (json === null) return null;
  try {
    return cleanMusic(objectOrEmpty(JSON.parse(json)));
  } catch {
    return null;
  }
}

/** Returns the JSON to store; null if there is nothing. */
export const storedMusic = (music: MusicFields | null): string | null => music && JSON.stringify(music);

/** Returns the music of a video as it is shown; null if it has none. */
export const musicOf = ({ music, musicEdit }: { music: string | null; musicEdit: string | null }): MusicFields | null =>
  parseMusic(musicEdit ?? music);

/** Returns the music of a video for the API. */
export function shapeMusic(row: { music: string | null; musicEdit: string | null }): Music | null {
  const isEdited = row.musicEdit !== null;
  const music = musicOf(row) ?? (isEdited ? noMusic : null);
  return music && { ...music, is_edited: isEdited };
}

interface Tagged {
  title: string;
  channelName: string;
  music: string | null;
  musicEdit: string | null;
}

/** Returns what players show of a copy of a video: of a song its track, artists, album and year. */
export function mediaTagsOf(row: Tagged): MediaTags {
  const { artists, album, track, year } = musicOf(row) ?? noMusic;
  return {
    title: track ?? row.title,
    artist: artists.join(', ') || row.channelName,
    ...(album !== null && { album }),
    ...(year !== null && { date: String(year) }),
  };
}

/** Returns the words of a video that the search finds in addition to its title. */
export function musicWords(row: { music: string | null; musicEdit: string | null }): string[] {
  const { artists, album, track } = musicOf(row) ?? noMusic;
  return [...artists, album, track].filter((text) => text !== null);
}
