import { z } from 'zod';
import type { Archive } from '../archive.ts';
import type { Ffmpeg } from '../media/ffmpeg.ts';
import type { Work } from '../task/task.ts';
import type { Notes } from './import-notes.ts';

export const ImportInput = z.object({
  ignore_error: z.boolean().default(false),
  prefer_local: z.boolean().default(false),
  leave_files: z.boolean().default(false),
  dry_run: z.boolean().default(false),
});
export type ImportInput = z.infer<typeof ImportInput>;

/** One run through the import folder. */
export interface Importing {
  archive: Archive;
  ffmpeg: Ffmpeg;
  work: Work<ImportInput>;
  seen: Seen;
  /** What other programs noted of the files in it. */
  notes: Notes;
}

/** What a run has come by so far. */
interface Seen {
  ids: Set<string>;
  /** Channels that were looked up; one that is gone is not asked for with each of its videos. */
  channels: Set<string>;
  /** How often a site was asked; from the second time on there is a pause before. */
  asked: number;
}

/** No more can be brought in, this one or another: the run ends here. The message is for people. */
export class NoRoom extends Error {}

/** Why a file was left where it is, as a sentence. */
export function whyLeft(problem: unknown): string {
  const { code, message } = problem as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'It has gone meanwhile.';
  if (code === 'EACCES' || code === 'EPERM') return `It may not be read, or its place may not be written (${code}).`;
  return message || String(problem);
}
