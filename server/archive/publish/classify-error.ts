import { message } from '#contract/messages.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { temporaryFailure } from '../../platform/db/db.ts';
import { IncompleteFileError } from '../../platform/media/probe.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { PathTakenError } from '../../platform/files/files.ts';
import { DuplicateVideoError } from './archive-video.ts';
import { YtdlpFailed, type Failure } from '../../platform/ytdlp/failure.ts';
import { isDiskFull } from '../../platform/files/free-space.ts';

/** Returns the failure class of a download error and the message stored on the queue item. */
export function classifyDownloadError(problem: unknown): Failure {
  if (problem instanceof YtdlpFailed) return problem.failure;
  if (problem instanceof IncompleteFileError) return { kind: 'incomplete', message: problem.messages[0]! };
  if (problem instanceof DuplicateVideoError || problem instanceof PathTakenError)
    return { kind: 'unknown', message: problem.messages[0]! };
  if (problem instanceof StorageError) return { kind: 'storage', message: problem.messages[0]! };
  const code = (problem as NodeJS.ErrnoException).code;
  const cause = temporaryFailure(problem);
  if (cause === 'locked') return { kind: 'unknown', message: message('failure.database-locked') };
  if (cause === 'away') return { kind: 'unknown', message: message('failure.database-unreachable') };
  if (isDiskFull(problem) || cause === 'full') return { kind: 'disk-full', message: message('failure.disk-full') };
  if (code === 'EROFS' || code === 'EACCES') return { kind: 'unknown', message: message('failure.unwritable', { code }) };
  // An error of Reelkeep itself, so the message does not attribute it to yt-dlp.
  return {
    kind: 'unknown',
    message: message('failure.internal', { why: messagesOf(problem) }),
  };
}
