import { passingTrouble } from '../db/db.ts';
import { Incomplete } from '../media/probe.ts';
import { Taken } from '../media/shelf.ts';
import { OtherVideo } from './archive-video.ts';
import { YtdlpFailed, type Failure } from '../ytdlp/failure.ts';

/** Why a download did not work: its class and the sentence that stays on the queue item. */
export function failureOfDownload(problem: unknown): Failure {
  if (problem instanceof YtdlpFailed) return problem.failure;
  if (problem instanceof Incomplete) return { kind: 'incomplete', message: problem.message };
  if (problem instanceof OtherVideo) return { kind: 'unknown', message: problem.message };
  if (problem instanceof Taken)
    return {
      kind: 'unknown',
      message: `${problem.message} It was left as it is. If it is this video, rescan; else move it away, then try again.`,
    };
  const code = (problem as NodeJS.ErrnoException).code;
  const trouble = passingTrouble(problem);
  if (trouble === 'locked')
    return { kind: 'unknown', message: 'The database was held by something else for too long. It is tried again.' };
  if (trouble === 'away')
    return { kind: 'unknown', message: 'The database could not be reached for a moment. It is tried again.' };
  if (code === 'ENOSPC' || code === 'EDQUOT' || trouble === 'full')
    return { kind: 'disk-full', message: 'The disk is full. Make room, then try again; what was fetched so far is kept.' };
  if (code === 'EROFS' || code === 'EACCES')
    return { kind: 'unknown', message: `The media folder cannot be written (${code}). Mend that, then try again.` };
  // Nobody's words but ours: they are not put into the mouth of yt-dlp.
  return {
    kind: 'unknown',
    message: `It could not be archived: ${problem instanceof Error ? problem.message : String(problem)}`,
  };
}
