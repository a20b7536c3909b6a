import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { message } from '#contract/messages.ts';
import type { Settings } from '#contract/settings.ts';
import { YtdlpFailed, type Failure } from './failure.ts';
import { transfer } from './fetch-video.ts';
import { chatOptions, type Ytdlp } from './options.ts';
import type { Progress } from './progress.ts';

/** The chat is converted up to here. */
const maxBytes = 1_000_000_000;
const tooLong = new Error('The chat is longer than 1 GB.');

interface ChatOptions {
  url: string;
  /** Private to this call. */
  folder: string;
  settings: Settings['downloads'];
  signal: AbortSignal;
  onProgress?(progress: Progress): void;
}

/** A file of yt-dlp with a chat. `failure`: why it ends early; null if the site sent all of it. */
export interface FetchedChat {
  path: string;
  failure: Failure | null;
}

/** Returns the file with the chat in a folder, complete or not, unless it is empty. */
export async function findChatFile(folder: string): Promise<{ path: string; isComplete: boolean } | null> {
  const name = (await readdir(folder)).find((one) => /^chat\.live_chat\.json(\.part)?$/.test(one));
  if (!name || (await stat(join(folder, name))).size === 0) return null;
  return { path: join(folder, name), isComplete: !name.endsWith('.part') };
}

/**
 * Fetches the replay of the chat of a past stream or premiere, or collects that of a running one until it ends (`isLive`). Returns null
 * if the site has none. One that breaks off is returned as far as it came.
 * @throws YtdlpFailed if there is nothing of it, also while the stream runs, unless `isLive`; or the reason of the signal
 */
export async function fetchChat(
  ytdlp: Ytdlp,
  { settings, isLive = false, onProgress, signal, ...options }: ChatOptions & { isLive?: boolean },
): Promise<FetchedChat | null> {
  const limit = new AbortController();
  let failure: Failure | null = null;
  try {
    await transfer(ytdlp, {
      ...options,
      options: chatOptions(settings, { isLive }, ytdlp.poToken),
      signal: AbortSignal.any([signal, limit.signal]),
      onProgress(progress) {
        if (progress.downloadedBytes > maxBytes) limit.abort(tooLong);
        onProgress?.(progress);
      },
      onStage: () => {},
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error !== tooLong && !(error instanceof YtdlpFailed)) throw error;
    if ((await findChatFile(options.folder)) === null) throw error;
    if (error instanceof YtdlpFailed) failure = error.failure;
  }
  const found = await findChatFile(options.folder);
  if (!found) return null;
  // yt-dlp reports success when the site refuses a page of the chat.
  if (!found.isComplete && !limit.signal.aborted) failure ??= { kind: 'incomplete', message: message('chat.cut-off') };
  return { path: found.path, failure };
}
