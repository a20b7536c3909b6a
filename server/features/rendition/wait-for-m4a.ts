import { setTimeout } from 'node:timers/promises';
import { message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inCache } from '../../platform/storage/stored-path.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { requestRendition } from './request-rendition.ts';

const pollMs = { folders: 250, bucket: 1000 };
// Below the timeouts of podcast apps and proxies, most of which are a minute.
const maxMs = 50_000;

export interface WantedM4a {
  /** Of the video. */
  id: string;
  /** Stream index; the default track if absent. */
  track?: number;
}

/**
 * Returns the stored path of the audio of a video as M4A, rendered first if missing.
 * @throws 503 if it cannot be rendered, or takes too long: the client tries again
 */
export async function waitForM4a(app: AppContext, { id, track }: WantedM4a, signal: AbortSignal): Promise<string> {
  const until = performance.now() + maxMs;
  for (;;) {
    const {
      state,
      media_url: url,
      why_messages: why,
    } = await requestRendition(app, id, { track, picture: false, onlyM4a: true });
    if (state === 'ready') return inCache(decodeURI(url!.replace(/^\/cache\//, '')));
    if (state === 'impossible') throw new HttpError(503, why!, { retryAfterSeconds: 3600 });
    if (signal.aborted || performance.now() > until)
      throw new HttpError(503, message('error.feed-audio-later'), { retryAfterSeconds: 30 });
    await setTimeout(app.files.isRemote ? pollMs.bucket : pollMs.folders, undefined, { signal }).catch(() => {}); // the client went away
  }
}
