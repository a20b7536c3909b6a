import { queryOptions } from '@tanstack/react-query';
import type { AudioTrack } from '#contract/rendition.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';

/** Audio tracks that the server finds in the file; requested only for files with several. */
export const audioTracksQuery = ({ youtube_id: id, media_url: file }: Pick<Video, 'youtube_id' | 'media_url'>) =>
  queryOptions({
    queryKey: ['video', 'audio', id, file],
    queryFn: ({ signal }) => call('GET /api/video/:id/audio/', { params: { id }, signal }),
    staleTime: Infinity,
    retry: false,
  });

type Streams = Pick<Video, 'streams'>;
// Files that were never probed have no streams; the server decides then.
export const hasPicture = ({ streams }: Streams) => streams.length === 0 || streams.some(({ type }) => type === 'video');
export const hasAudio = ({ streams }: Streams) => streams.length === 0 || streams.some(({ type }) => type === 'audio');
export const hasMultipleAudioTracks = ({ streams }: Streams) => streams.filter(({ type }) => type === 'audio').length > 1;

/** The user's audio preference. */
export interface AudioPreference {
  isSoundOnly: boolean;
  /** Preferred languages, best first. */
  audio: readonly string[];
  /** Index of the track that the user picked for this file. */
  pickedTrack: number | null;
}

const baseOf = (language: string | null) => language?.split('-')[0];

/** Returns the preferred track; null for the file's default, which may be the only one. */
export function findAudioTrack(
  tracks: AudioTrack[],
  { audio, pickedTrack }: Pick<AudioPreference, 'audio' | 'pickedTrack'>,
): AudioTrack | null {
  const own = tracks.find((track) => track.is_default) ?? tracks[0];
  const found = tracks.find(({ index }) => index === pickedTrack);
  if (found || !own) return found ?? null;
  // Of several tracks in a language, such as a commentary, the file's default comes first.
  const inTurn = [own, ...tracks];
  for (const wanted of audio) {
    const track =
      inTurn.find(({ language }) => language === wanted) ?? inTurn.find(({ language }) => baseOf(language) === baseOf(wanted));
    if (track) return track;
  }
  return null;
}

/** Returns the rendition to request instead of the file; null for the file itself. */
export function renditionFor(
  video: Streams,
  tracks: AudioTrack[],
  preference: AudioPreference,
): { picture: boolean; track?: number } | null {
  const track = findAudioTrack(tracks, preference);
  const which = track ? { track: track.index } : {};
  if (preference.isSoundOnly && hasPicture(video)) return { picture: false, ...which };
  const isOwn = !track || (track === tracks[0] && track.is_default);
  return isOwn ? null : { picture: hasPicture(video), ...which };
}
