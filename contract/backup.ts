import { z } from 'zod';
import type { Contract } from './call.ts';
import { TaskReply } from './task.ts';
import { flag } from './values.ts';

export const Backup = z.object({
  filename: z.string(),
  file_path: z.string(),
  file_size: z.int(),
  /** Year, month, day. */
  timestamp: z.string(),
  /** auto, manual, update, before; the text "False" for very old ones. */
  reason: z.string(),
});
export type Backup = z.infer<typeof Backup>;

export const Snapshot = z.object({
  id: z.string(),
  state: z.enum(['SUCCESS', 'IN_PROGRESS']),
  /** The version that made it; the name is the API's. */
  es_version: z.string(),
  start_date: z.string(),
  end_date: z.string(),
  end_stamp: z.int(),
  duration_s: z.int(),
});
export type Snapshot = z.infer<typeof Snapshot>;

const Filename = z.object({ filename: z.string().min(1).max(300) });
const SnapshotId = z.object({ id: z.string().min(1).max(200) });

export const backupCalls = {
  'GET /api/appsettings/backup/': { may: 'staff', does: 'List the backups, newest first', reply: z.array(Backup) },
  'POST /api/appsettings/backup/': {
    may: 'staff',
    does: 'Write a backup',
    body: z.object({ reason: z.enum(['auto', 'manual']).default('auto') }),
    reply: TaskReply,
  },
  'GET /api/appsettings/backup/:filename/': { may: 'staff', does: 'One backup', params: Filename, reply: Backup },
  'POST /api/appsettings/backup/:filename/': {
    may: 'staff',
    does: 'Restore a backup, of this program or of TubeArchivist; with dry_run only say what it would do. One of this program replaces people too: no API token may, and it wants the password in `X-Reelkeep-Confirm` of who has not logged in within ten minutes',
    params: Filename,
    body: z.object({
      dry_run: flag().default(false),
      /** Of a TubeArchivist backup, where watched is the same for everybody: whose it becomes. */
      watched_for: z.enum(['me', 'all']).default('me'),
    }),
    reply: TaskReply,
  },
  'DELETE /api/appsettings/backup/:filename/': { may: 'staff', does: 'Delete a backup', params: Filename },
  'GET /api/appsettings/backup/:filename/file/': {
    may: 'staff',
    does: 'Download a backup, whole or in ranges',
    params: Filename,
    bytes: 'out',
  },
  'PUT /api/appsettings/backup/:filename/file/': {
    may: 'staff',
    does: 'Upload a backup, application/zip',
    params: Filename,
    bytes: 'in',
    reply: Backup,
  },
  'GET /api/appsettings/snapshot/': {
    may: 'staff',
    does: 'List the snapshots, newest first',
    reply: z.object({
      next_exec: z.int(),
      next_exec_str: z.string(),
      expire_after: z.string(),
      snapshots: z.array(Snapshot),
    }),
  },
  'POST /api/appsettings/snapshot/': {
    may: 'staff',
    does: 'Take a snapshot',
    reply: z.object({ snapshot_name: z.string() }),
  },
  'GET /api/appsettings/snapshot/:id/': { may: 'staff', does: 'One snapshot', params: SnapshotId, reply: Snapshot },
  'POST /api/appsettings/snapshot/:id/': {
    may: 'staff',
    does: 'Go back to a snapshot',
    params: SnapshotId,
    reply: z.object({ accepted: z.literal(true) }),
  },
  'DELETE /api/appsettings/snapshot/:id/': { may: 'staff', does: 'Delete a snapshot', params: SnapshotId },
} satisfies Contract;
