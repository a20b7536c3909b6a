import { join } from 'node:path';
import type { ChatSource } from '#contract/chat.ts';
import { chatEnding, type StoredChat } from './store.ts';
import { writeChat, type ChatInput } from './write-chat.ts';

/** A chat in the work folder of a video that is about to be published. */
export interface PreparedChat {
  /** For the manifest. */
  file: { from: string; to: string; sizeBytes: number; sha256: string };
  chat: StoredChat;
}

/** Files of yt-dlp with the chat of a stream that was recorded. */
export interface CollectedChat {
  paths: string[];
  /** They begin with the stream. */
  isWhole: boolean;
}

const name = 'chat.gz';

/**
 * Writes the chat of a video into its work folder. `stem`: path of the media file without its extension. Returns null if there are no
 * messages.
 */
export async function prepareChat(
  inputs: ChatInput[],
  { folder, stem, source, signal }: { folder: string; stem: string; source: ChatSource; signal: AbortSignal },
): Promise<PreparedChat | null> {
  const written = await writeChat(inputs, { target: join(folder, name), folder, signal });
  if (!written) return null;
  const { sizeBytes, sha256 } = written;
  const path = `${stem}${chatEnding}`;
  return { file: { from: name, to: path, sizeBytes, sha256 }, chat: { ...written, path, source } };
}

/** Writes the chat that was collected while a stream was recorded. `startedAt`: of the stream, epoch seconds; null if it is not known. */
export async function prepareCollected(
  { paths, isWhole }: CollectedChat,
  { startedAt, ...to }: { startedAt: number | null; folder: string; stem: string; signal: AbortSignal },
): Promise<PreparedChat | null> {
  const startMs = startedAt === null ? null : startedAt * 1000;
  const inputs = paths.map((path): ChatInput => ({ path, format: 'raw', startMs }));
  const prepared = inputs.length > 0 ? await prepareChat(inputs, { ...to, source: 'live' }) : null;
  // A file that ends in the middle of a line belongs to a call that was ended.
  return prepared && { ...prepared, chat: { ...prepared.chat, isComplete: isWhole } };
}
