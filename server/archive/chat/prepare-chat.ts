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
