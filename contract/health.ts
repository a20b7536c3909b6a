import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';

// Not in TubeArchivist: system health, and the version of yt-dlp.

export const Check = z.object({
  name: z.enum([
    'ytdlp',
    'python',
    'runtime',
    'solver',
    'challenges',
    'aes',
    'impersonation',
    'tokens',
    'format',
    'clients',
    'ffmpeg',
    'database',
    'work',
    'disk',
    'folders',
    'bucket',
    'clock',
    'network',
    'login',
    'sites',
    'files',
    'copies',
  ]),
  title: z.string(),
  group: z.enum(['programs', 'system']),
  state: z.enum(['good', 'warn', 'bad']),
  /** The finding, in English. */
  text: z.string(),
  /** `text` as ids with parameters. */
  messages: z.array(MessageJson),
  /** The remedy, where one is needed. */
  advice: z.string().optional(),
  advice_messages: z.array(MessageJson).optional(),
  /** The remedy is the task `update_ytdlp`: it installs a missing part, or updates yt-dlp. */
  action: z.enum(['install', 'update']).optional(),
  /** A shell command that applies the remedy. */
  command: z.string().optional(),
});
export type Check = z.infer<typeof Check>;

export const YtdlpState = z.object({
  version: z.string().nullable(),
  /** Reelkeep updates it. */
  is_managed: z.boolean(),
  pinned: z.string().nullable(),
  /** Version for a rollback; null if there is none. */
  previous: z.string().nullable(),
});

export const healthCalls = {
  'GET /api/health/checks/': {
    may: 'staff',
    does: 'Check programs, disk, folders, clock, network and login (Reelkeep)',
    reply: z.array(Check),
  },
  'GET /api/ytdlp/': { may: 'staff', does: 'Get the yt-dlp version (Reelkeep)', reply: YtdlpState },
  'POST /api/ytdlp/rollback/': {
    may: 'staff',
    does: 'Roll back to the previous yt-dlp version and pin it (Reelkeep)',
    reply: YtdlpState,
  },
} satisfies Contract;
