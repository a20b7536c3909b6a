import { message, type Message } from '#contract/messages.ts';
import type { Rendition } from '#contract/rendition.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { notFound, tooMany } from '../../platform/http/http-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { audioPackingFor, picturePackingFor, type AudioPacking } from '../../platform/media/audio-packing.ts';
import { recordUse, renditionPrefixOf } from '../../archive/storage/rendition-files.ts';
import { renderTask } from './render-task.ts';
import { audioTracksOf, type VideoAudioTracks } from './audio-tracks-of-video.ts';
import { noTrack, renditionName } from './rendition-name.ts';
import { failureReason, addRequest, type RenditionRequest } from './request-queue.ts';

const answer = (state: Rendition['state'], more: Partial<Rendition> = {}): Rendition => ({
  state,
  media_url: null,
  why: null,
  why_messages: null,
  ...more,
});
const impossible = (why: Message[]) => answer('impossible', { why: renderMessages(why), why_messages: why });

/** Returns the location of a rendition, and enqueues it if missing. */
async function findOrEnqueue(
  app: AppContext,
  { id, stamp }: VideoAudioTracks,
  {
    packing,
    onlyM4a = false,
    ...wanted
  }: { track: number; withPicture: boolean; onlyM4a?: boolean; packing: AudioPacking | null },
): Promise<Rendition> {
  const prefix = renditionPrefixOf(id);
  if (!packing || !prefix) return impossible([message('rendition.unsupported')]);
  const name = renditionName({ stamp, packing, ...wanted });
  const path = `${prefix}${name}`;
  if (await app.files.stat(path)) {
    await recordUse(app, path);
    return answer('ready', { media_url: `/cache/renditions/${encodeURIComponent(id)}/${name}` });
  }
  const request: RenditionRequest = {
    videoId: id,
    stamp,
    track: wanted.track,
    withPicture: wanted.withPicture ? 1 : 0,
    onlyM4a: onlyM4a ? 1 : 0,
    name,
  };
  const why = await failureReason(app, request);
  if (why !== null) return impossible(why);
  if (!(await addRequest(app, request))) throw tooMany(message('error.renditions-busy'), 10);
  await app.tasks.start(renderTask, {});
  return answer('making');
}

/**
 * Returns the location of the audio-only file of a video, or of its video with another audio track, and enqueues it if missing.
 * `onlyM4a`: never the original file or another container.
 */
export async function requestRendition(
  app: AppContext,
  id: string,
  wanted: { track?: number | undefined; picture: boolean; onlyM4a?: boolean },
): Promise<Rendition> {
  const video = await audioTracksOf(app, id);
  if (video.why !== null) return impossible(video.why);
  const { tracks, picture } = video.sounds;
  if (tracks.length === 0) return impossible([message('rendition.no-audio')]);
  const track = tracks.find(({ index, isDefault }) => (wanted.track === undefined ? isDefault : index === wanted.track));
  if (!track) throw notFound('error.track');
  const { onlyM4a = false } = wanted;
  const withPicture = wanted.picture && picture !== null;
  // Browsers play the first audio track, whatever the default flag of the file is.
  const isFirst = track === tracks[0] && track.isDefault;
  if (!onlyM4a && isFirst && (withPicture || picture === null)) return answer('file');
  const packing = audioPackingFor(video.mediaPath, track, { withPicture, onlyM4a });
  return findOrEnqueue(app, video, { track: track.index, withPicture, onlyM4a, packing });
}

/**
 * Returns the location of a copy of a video in another container, and enqueues it if missing. `track`: stream index of its audio, null
 * without. `encodes`: the audio becomes AAC.
 */
export async function requestCopy(
  app: AppContext,
  id: string,
  { ending, track, encodes }: { ending: string; track: number | null; encodes: boolean },
): Promise<Rendition> {
  const video = await audioTracksOf(app, id);
  if (video.why !== null) return impossible(video.why);
  const packing = picturePackingFor(ending, encodes);
  return findOrEnqueue(app, video, { track: track ?? noTrack, withPicture: true, packing });
}
