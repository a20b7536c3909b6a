import { queryOptions } from '@tanstack/react-query';
import type { AudioTrack } from '#contract/rendition.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';

/** The sounds of a video's file, as the server finds them in it; asked for where there are several. */
export const tracksQuery = ({ youtube_id: id, media_url: file }: Pick<Video, 'youtube_id' | 'media_url'>) =>
  queryOptions({
    queryKey: ['video', 'audio', id, file],
    queryFn: ({ signal }) => call('GET /api/video/:id/audio/', { params: { id }, signal }),
    staleTime: Infinity,
    retry: false,
  });

type Streams = Pick<Video, 'streams'>;
// Of a file that was never looked into nobody knows; then the server says it.
export const hasPicture = ({ streams }: Streams) => streams.length === 0 || streams.some(({ type }) => type === 'video');
export const hasSound = ({ streams }: Streams) => streams.length === 0 || streams.some(({ type }) => type === 'audio');
export const hasSeveralSounds = ({ streams }: Streams) => streams.filter(({ type }) => type === 'audio').length > 1;

/** What somebody likes to hear. */
export interface Liked {
  isSoundOnly: boolean;
  /** A language; null: what the file plays by itself. */
  audio: string | null;
  /** A sound of this file that was chosen itself, by its index. */
  picked: number | null;
}

const baseOf = (language: string | null) => language?.split('-')[0];

/** Which of the sounds of a file is to be heard; null: what it plays by itself, which may be all there is. */
export function trackFor(tracks: AudioTrack[], { audio, picked }: Pick<Liked, 'audio' | 'picked'>): AudioTrack | null {
  const own = tracks.find((track) => track.is_default) ?? tracks[0];
  const found = tracks.find(({ index }) => index === picked);
  if (found || audio === null || !own) return found ?? null;
  // Of two in a language, a commentary perhaps, the file's own goes before.
  const inTurn = [own, ...tracks];
  return (
    inTurn.find(({ language }) => language === audio) ?? inTurn.find(({ language }) => baseOf(language) === baseOf(audio)) ?? null
  );
}

/** What is to play instead of a video's file, as the server is asked for it; null: the file itself. */
export function wantedOf(video: Streams, tracks: AudioTrack[], liked: Liked): { picture: boolean; track?: number } | null {
  const track = trackFor(tracks, liked);
  const which = track ? { track: track.index } : {};
  if (liked.isSoundOnly && hasPicture(video)) return { picture: false, ...which };
  const isOwn = !track || (track === tracks[0] && track.is_default);
  return isOwn ? null : { picture: hasPicture(video), ...which };
}
