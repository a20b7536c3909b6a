import type { Message } from '#contract/messages.ts';
import type { Capabilities, Playback, TriedMethod } from '#contract/playback.ts';
import { mediaUrl } from '../../archive/storage/media-url.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { requestCopy, requestRendition } from '../rendition/request-rendition.ts';
import { choosePlayback, type Choice } from './choose-playback.ts';
import { mediaFormatOf } from './media-format.ts';

interface PlaybackOptions {
  can: Capabilities;
  track?: number | undefined;
  previous_failed: TriedMethod[];
}

const answer = ({ method, reasons }: Choice, url: string | null, hindrances: Message[]): Playback => {
  // What hindered a copy comes before what to do instead.
  const all = [...reasons.slice(0, -1), ...(hindrances.length > 0 && method === 'none' ? hindrances : []), ...reasons.slice(-1)];
  return { method, media_url: url, reasons: all.map((reason) => renderMessages(reason)), reason_messages: all };
};

/**
 * Chooses how a browser plays a video. A copy that is missing is enqueued; one that cannot be made counts as failed.
 * @throws 404 if the video or the track does not exist
 */
export async function requestPlayback(
  app: AppContext,
  id: string,
  { can, track, previous_failed }: PlaybackOptions,
): Promise<Playback> {
  const { mediaPath, ...file } = await mediaFormatOf(app, id);
  if (track !== undefined && !file.audio.some(({ index }) => index === track)) throw notFound('error.track');
  const small = await app.db
    .selectFrom('smallCopy')
    .select(['path', 'width', 'height'])
    .where('videoId', '=', id)
    .executeTakeFirst();
  const impossible: TriedMethod[] = [];
  const hindrances: Message[] = [];
  for (;;) {
    const choice = choosePlayback(file, can, { track, failed: previous_failed, impossible, small });
    if (choice.method === 'none') return answer(choice, null, hindrances);
    if (choice.method === 'direct') return answer(choice, mediaUrl(mediaPath), hindrances);
    if (choice.method === 'small') return answer(choice, mediaUrl(small!.path), hindrances);
    const { method, copy } = choice;
    const encodes = method === 'convert_sound';
    const { media_url, why_messages } = file.video
      ? await requestCopy(app, id, { ...copy, encodes })
      : await requestRendition(app, id, { track: copy.track ?? undefined, picture: false, onlyM4a: true });
    if (why_messages === null) return answer(choice, media_url, hindrances);
    impossible.push(method);
    hindrances.push(...why_messages.filter((why) => !hindrances.some(({ id: known }) => known === why.id)));
  }
}
