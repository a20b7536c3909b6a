import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';
import { healthMessages } from './messages/health.ts';

// Not in TubeArchivist: system health, and the version of yt-dlp.

type CheckName<Id = keyof typeof healthMessages> = Id extends `check.${infer Name}` ? Name : never;
const checkNames = Object.keys(healthMessages)
  .filter((id) => id.startsWith('check.'))
  .map((id) => id.slice('check.'.length) as CheckName);

export const Check = z.object({
  name: z.enum(checkNames),
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
