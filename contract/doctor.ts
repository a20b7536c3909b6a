import { z } from 'zod';
import type { Contract } from './call.ts';
import { Said } from './said.ts';
import { TaskReply } from './task.ts';

// Ours: how the archive is, and what it runs with.

export const Check = z.object({
  name: z.string(),
  title: z.string(),
  state: z.enum(['good', 'warn', 'bad']),
  /** What was found, for people. */
  says: z.string(),
  said: Said,
  /** What a person can do, where something should be done. */
  do: z.string().optional(),
  do_said: Said,
  /** A line for a terminal that does it. */
  command: z.string().optional(),
});
export type Check = z.infer<typeof Check>;

export const YtdlpState = z.object({
  version: z.string().nullable(),
  /** Whether we keep it up to date. */
  is_managed: z.boolean(),
  pinned: z.string().nullable(),
  /** What can be gone back to. */
  previous: z.string().nullable(),
});

export const doctorCalls = {
  'GET /api/doctor/': { may: 'staff', does: 'Check programs, disk, folders, clock, network and login', reply: z.array(Check) },
  'GET /api/ytdlp/': { may: 'staff', does: 'Which yt-dlp is used', reply: YtdlpState },
  'POST /api/ytdlp/update/': { may: 'staff', does: 'Bring and try a newer yt-dlp', reply: TaskReply },
  'POST /api/ytdlp/rollback/': { may: 'staff', does: 'Go back to the yt-dlp before, and stay there', reply: YtdlpState },
} satisfies Contract;
