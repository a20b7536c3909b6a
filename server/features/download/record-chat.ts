import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fetching } from '../../archive/publish/archive-video.ts';
import type { CollectedChat } from '../../archive/chat/prepare-chat.ts';
import type { QueueItem } from '../../archive/queue/claims.ts';
import { readOverridesOf } from '../../archive/settings/store.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { fetchChat, findChatFile } from '../../platform/ytdlp/fetch-chat.ts';

// The chat of a stream is collected by a second yt-dlp while the stream is recorded (docs/decisions/live-chat.md). What it fails of is
// left to the replay: the recording does not depend on it.

/** Each call of yt-dlp has a folder, named after its start in epoch seconds, so that a restart of the server keeps the earlier ones. */
const folderName = /^chat-(\d+)$/;
/** Between two calls: yt-dlp ends when the site does not answer for a while. */
const pauseMs = 20_000;
/** The site sends the last messages of a chat with the first new ones, so a chat that is collected from then on is whole. */
const fromStartSeconds = 120;

const foldersIn = async (folder: string) =>
  (await readdir(folder))
    .flatMap((name) => {
      const startedAt = Number(folderName.exec(name)?.[1] ?? 0);
      return startedAt > 0 ? [{ path: join(folder, name), startedAt }] : [];
    })
    .toSorted((a, b) => a.startedAt - b.startedAt);

/** Returns the files that were collected, and whether they begin with the stream. `startedAt`: of the stream, epoch seconds. */
export async function collectedChat(folder: string, startedAt: number | null): Promise<CollectedChat> {
  const folders = await foldersIn(folder);
  const found = await Promise.all(folders.map(({ path }) => findChatFile(path)));
  const first = folders[0]?.startedAt ?? Infinity;
  return {
    paths: found.flatMap((file) => file?.path ?? []),
    // Messages may be missing between two calls.
    isWhole: folders.length === 1 && startedAt !== null && first <= startedAt + fromStartSeconds,
  };
}

/**
 * Starts to collect the chat of a stream into the work folder of its recording, if that is wanted. Never throws. Returns what ends it.
 */
export async function startCollectingChat(
  app: AppContext,
  item: QueueItem,
  { url, folder, settings, signal }: Parameters<Fetching>[1],
): Promise<() => Promise<void>> {
  const wants = (await readOverridesOf(app.db, item.channelId)).live_chat ?? settings.live_chat;
  if (!wants) return async () => {};
  const end = new AbortController();
  const ended = AbortSignal.any([signal, end.signal]);
  const collect = async () => {
    while (!ended.aborted) {
      try {
        const own = join(folder, `chat-${app.now()}`);
        await mkdir(own, { recursive: true });
        await fetchChat(await ytdlpSession(app), { url, folder: own, settings, signal: ended, isLive: true });
      } catch (problem) {
        if (!ended.aborted) app.log.info({ id: item.id, err: problem }, 'the chat of a stream cannot be collected now');
      }
      await wait(pauseMs, undefined, { signal: ended }).catch(() => undefined);
    }
  };
  const done = collect();
  return async () => {
    end.abort();
    await done;
  };
}
