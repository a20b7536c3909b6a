import { hardwareHeight, hlsHeights } from '#contract/hls-heights.ts';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { toolOf } from '../../platform/context/tools.ts';
import type { AudioTrack, Picture } from '../../platform/media/audio-tracks.ts';
import { isDecodable } from '../../platform/media/ffmpeg.ts';
import { soundFrameRate, type Grid } from '../../platform/media/hls-grid.ts';
import { audioTracksOf } from '../rendition/audio-tracks-of-video.ts';
import type { Layer } from './names.ts';

/** A video that the server converts while it is watched. */
export interface HlsStream {
  id: string;
  mediaPath: string;
  /** Of the media file. */
  stamp: string;
  picture: Picture;
  tracks: AudioTrack[];
  /** Of its picture. */
  grid: Grid;
  /** All that may be requested, highest first; another server may have hardware for more than this one. */
  heights: number[];
}

/**
 * Returns the conversion of a video, or why there is none.
 * @throws 404 if the video does not exist
 */
export async function hlsStreamOf(app: AppContext, id: string): Promise<HlsStream | { why: Message[] }> {
  if (!(await toolOf(app.tools, 'ffmpeg'))) return { why: [message('hls.no-ffmpeg')] };
  const { why, stamp, mediaPath, sounds, durationSeconds } = await audioTracksOf(app, id);
  if (why !== null) return { why };
  const { picture, tracks } = sounds;
  if (!picture || !isDecodable(picture.codec)) return { why: [message('hls.unreadable')] };
  return {
    id,
    stamp,
    mediaPath,
    picture,
    tracks: tracks.filter(({ codec }) => isDecodable(codec)),
    grid: { durationSeconds: sounds.durationSeconds || durationSeconds, frameRate: picture.frameRate },
    heights: hlsHeights(Math.min(picture.width, picture.height), hardwareHeight),
  };
}

/** Returns the grid on which the segments of a layer lie. */
export const gridOf = ({ grid }: HlsStream, { kind }: Layer): Grid =>
  kind === 'video' ? grid : { ...grid, frameRate: soundFrameRate };
