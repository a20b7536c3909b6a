import { message, type Message } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { MessageError, messagesOf } from '../../../platform/messages/message-error.ts';
import type { Ffmpeg } from '../../../platform/media/ffmpeg.ts';
import type { TaskWork } from '../../../platform/context/task.ts';
import type { MetadataIndex } from './read-foreign-metadata.ts';

export const ImportInput = z.object({
  ignore_error: z.boolean().default(false),
  prefer_local: z.boolean().default(false),
  leave_files: z.boolean().default(false),
  dry_run: z.boolean().default(false),
});
export type ImportInput = z.infer<typeof ImportInput>;

/** State of one import run. */
export interface ImportContext {
  app: AppContext;
  ffmpeg: Ffmpeg;
  work: TaskWork<ImportInput>;
  seen: Seen;
  /** Metadata that other programs stored about the files. */
  notes: MetadataIndex;
}

/** Ids and channels processed by this run. */
interface Seen {
  ids: Set<string>;
  /** Channels already looked up, so that an unavailable channel is requested only once. */
  channels: Set<string>;
  /** Number of requests to sites; each after the first waits for a delay. */
  requests: number;
}

/** Not enough free space for further imports; ends the run. The message is shown to users. */
export class NoSpaceError extends MessageError {}

/** Returns the reason why a file was not imported. */
export function skippedReason(problem: unknown): Message[] {
  const { code } = problem as NodeJS.ErrnoException;
  if (code === 'ENOENT') return [message('import.file-gone')];
  if (code === 'EACCES' || code === 'EPERM') return [message('import.no-access', { code })];
  return messagesOf(problem);
}
