import type { Message } from '#contract/messages.ts';
import { hlsHeights } from '#contract/hls-heights.ts';
import type { Capabilities, Playback, TriedMethod } from '#contract/playback.ts';
import { mediaUrl } from '../../archive/storage/media-url.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { notFound } from '../../platform/http/http-error.ts';
import type { User } from '../../platform/http/route.ts';
import { isDecodable } from '../../platform/media/ffmpeg.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { knownMaxHeight, maxHeight } from '../hls/encoders.ts';
import { requestHls } from '../hls/request-hls.ts';
import { requestCopy, requestRendition } from '../rendition/request-rendition.ts';
import { choosePlayback, type Choice, type MediaFormat } from './choose-playback.ts';
import { mediaFormatOf } from './media-format.ts';

interface PlaybackOptions {
  can: Capabilities;
  track?: number | undefined;
  height?: number | undefined;
  previous_failed: TriedMethod[];
}

const answer = (choice: Choice, url: string | null, hindrances: Message[], heights: number[]): Playback => {
  const { method, reasons } = choice;
  // What hindered a copy comes before what to do instead.
  const all = [...reasons.slice(0, -1), ...(hindrances.length > 0 && method === 'none' ? hindrances : []), ...reasons.slice(-1)];
  return {
    method,
    media_url: url,
    reasons: all.map((reason) => renderMessages(reason)),
    reason_messages: all,
    height: method === 'hls' ? choice.height : null,
    heights,
  };
};

/** Returns the heights in which the server can encode a file. */
function encodableHeights({ video, audio }: MediaFormat, track: number | undefined, most: number): number[] {
  const sound = track === undefined ? audio[0] : audio.find(({ index }) => index === track);
  if (!video || !isDecodable(video.codec) || (sound && !isDecodable(sound.codec))) return [];
  return hlsHeights(Math.min(video.width ?? 0, video.height ?? 0), most);
}

/**
 * Chooses how a browser plays a video. A copy that is missing is enqueued; one that cannot be made counts as failed.
 * @throws 404 if the video or the track does not exist
 */
export async function requestPlayback(
  app: AppContext,
  user: Pick<User, 'id' | 'tokenHash'>,
  id: string,
  { can, track, height, previous_failed }: PlaybackOptions,
): Promise<Playback> {
  const { mediaPath, ...file } = await mediaFormatOf(app, id);
  if (track !== undefined && !file.audio.some(({ index }) => index === track)) throw notFound('error.track');
  const small = await app.db
    .selectFrom('smallCopy')
    .select(['path', 'width', 'height'])
    .where('videoId', '=', id)
    .executeTakeFirst();
  let most = knownMaxHeight(app);
  let encodable = encodableHeights(file, track, most);
  const impossible: TriedMethod[] = [];
  const hindrances: Message[] = [];
  for (;;) {
    const options = { track, height, failed: previous_failed, impossible, small, heights: encodable };
    const choice = choosePlayback(file, can, options);
    const heights = can.hls && !impossible.includes('hls') && !previous_failed.includes('hls') ? encodable : [];
    if (choice.method === 'none') return answer(choice, null, hindrances, heights);
    if (choice.method === 'direct') return answer(choice, mediaUrl(mediaPath), hindrances, heights);
    if (choice.method === 'small') return answer(choice, mediaUrl(small!.path), hindrances, heights);
    const { method } = choice;
    // Whether hardware works is tried for the first conversion, not for every file that plays as it is.
    if (method === 'hls' && most < (most = await maxHeight(app))) {
      encodable = encodableHeights(file, track, most);
      continue;
    }
    const { media_url, why_messages } =
      method === 'hls'
        ? await requestHls(app, user, id, choice)
        : file.video
          ? await requestCopy(app, id, { ...choice.copy, encodes: method === 'convert_sound' })
          : await requestRendition(app, id, { track: choice.copy.track ?? undefined, picture: false, onlyM4a: true });
    if (why_messages === null) return answer(choice, media_url, hindrances, heights);
    impossible.push(method);
    hindrances.push(...why_messages.filter((why) => !hindrances.some(({ id: known }) => known === why.id)));
  }
}
