import { extname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { audioTracksOf } from '../rendition/audio-tracks-of-video.ts';
import type { MediaFormat } from './choose-playback.ts';

/**
 * Returns what decides whether browsers play the file of a video, and its stored path. Profiles of files that were archived before they
 * were stored are read once, and saved.
 * @throws 404 if the video does not exist
 */
export async function mediaFormatOf(app: AppContext, id: string): Promise<MediaFormat & { mediaPath: string }> {
  const { db } = app;
  const video = await db.selectFrom('video').select('mediaPath').where('id', '=', id).executeTakeFirst();
  if (!video) throw notFound('error.video');
  const streams = await db
    .selectFrom('stream')
    .select(['position', 'type', 'codec', 'width', 'height', 'profile', 'bitDepth', 'dynamicRange'])
    .where('videoId', '=', id)
    .orderBy('position')
    .execute();
  const { mediaPath } = video;
  const picture = streams.find(({ type }) => type === 'video');
  const audio = streams.filter(({ type }) => type === 'audio').map(({ position, codec }) => ({ index: position, codec }));
  const known = { mediaPath, ending: extname(mediaPath).toLowerCase(), audio };
  if (!picture && audio.length > 0) return { ...known, video: null };
  const { width = null, height = null, profile, bitDepth, dynamicRange } = picture ?? {};
  if (picture && typeof profile === 'string') {
    const format = { profile, bitDepth: bitDepth ?? 8, dynamicRange: dynamicRange ?? 'sdr' };
    return { ...known, video: { codec: picture.codec, width, height, format } };
  }
  const { sounds } = await audioTracksOf(app, id);
  const found = sounds.picture;
  if (!picture)
    return {
      ...known,
      audio: sounds.tracks.map(({ index, codec }) => ({ index, codec })),
      video: found && { codec: found.codec, width, height, format: found.format },
    };
  if (found?.index === picture.position)
    await db
      .updateTable('stream')
      .set(found.format)
      .where('videoId', '=', id)
      .where('position', '=', picture.position)
      .where('profile', 'is', null)
      .execute();
  return { ...known, video: { codec: picture.codec, width, height, format: found?.format ?? null } };
}
