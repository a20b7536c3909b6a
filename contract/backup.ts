import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { TaskReply } from './task.ts';
import { flag } from './field-types.ts';

export const Backup = z.object({
  filename: z.string(),
  file_path: z.string(),
  file_size: z.int(),
  /** Date as year, month, day. */
  timestamp: z.string(),
  /** auto, manual, update or before; the string "False" for very old backups. */
  reason: z.string(),
  /** Not in TubeArchivist: when the file was written, epoch seconds. */
  created: z.int(),
});
export type Backup = z.infer<typeof Backup>;

export const Snapshot = z.object({
  id: z.string(),
  state: z.enum(['SUCCESS', 'IN_PROGRESS']),
  /** Reelkeep version that created the snapshot. The field name is TubeArchivist's. */
  es_version: z.string(),
  start_date: z.string(),
  end_date: z.string(),
  end_stamp: z.int(),
  duration_s: z.int(),
});
export type Snapshot = z.infer<typeof Snapshot>;

const Account = z.object({ name: z.string(), is_staff: z.boolean(), is_disabled: z.boolean() });
/** Differences between the accounts in a backup or snapshot and the current accounts. */
export const AccountDifferences = z.object({
  /** Only in the copy. A restore creates them only with `bring_accounts`. */
  missing: z.array(Account),
  /** Only in the current archive. A restore keeps them. */
  added: z.array(Account),
  /** Different in both. A restore keeps the current state. */
  changed: z.array(
    Account.extend({
      was_staff: z.boolean(),
      was_disabled: z.boolean(),
      password_changed: z.boolean(),
      /** API tokens or OpenID links were added or revoked since then. */
      tokens_changed: z.boolean(),
    }),
  ),
});
export type AccountDifferences = z.infer<typeof AccountDifferences>;

const RestoreCounts = z.object({
  videos: z.int(),
  channels: z.int(),
  playlists: z.int(),
  /** Null in TubeArchivist backups, which contain no users. */
  users: z.int().nullable(),
});
export type RestoreCounts = z.infer<typeof RestoreCounts>;

/** What a restore changes. */
const RestoreEffects = AccountDifferences.extend({
  contents: z.object({
    current: RestoreCounts,
    /** Of the backup or snapshot; null for a PostgreSQL dump. */
    copy: RestoreCounts.nullable(),
  }),
});
export type RestoreEffects = z.infer<typeof RestoreEffects>;

const Filename = z.object({ filename: z.string().min(1).max(300) });
const SnapshotId = z.object({ id: z.string().min(1).max(200) });
/** Also restores accounts that exist only in the copy, without API tokens. */
const bringAccounts = flag().default(false);

export const backupCalls = {
  'GET /api/appsettings/backup/': { may: 'staff', does: 'List backups, newest first', reply: z.array(Backup) },
  'POST /api/appsettings/backup/': {
    may: 'staff',
    does: 'Create a backup',
    body: z.object({ reason: z.enum(['auto', 'manual']).default('auto') }),
    reply: TaskReply,
  },
  'GET /api/appsettings/backup/:filename/': { may: 'staff', does: 'Get a backup', params: Filename, reply: Backup },
  'POST /api/appsettings/backup/:filename/': {
    may: 'staff',
    does: 'Restore a backup of Reelkeep or TubeArchivist. `dry_run` only reports the changes. Accounts, roles, passwords, API tokens and sessions are kept. A Reelkeep backup replaces the whole library: this requires a session, and the password in `X-Reelkeep-Confirm` if the login is older than ten minutes',
    params: Filename,
    body: z.object({
      dry_run: flag().default(false),
      /** TubeArchivist has one watch state for all users. This selects the users who get it. */
      watched_for: z.enum(['me', 'all']).default('me'),
      bring_accounts: bringAccounts,
    }),
    reply: TaskReply,
  },
  'DELETE /api/appsettings/backup/:filename/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Delete a backup',
    params: Filename,
  },
  'GET /api/appsettings/backup/:filename/accounts/': {
    may: 'staff',
    bySession: true,
    does: 'Compare the accounts and the number of videos, channels and playlists in a backup with the current ones. TubeArchivist backups contain no accounts (Reelkeep)',
    params: Filename,
    reply: RestoreEffects.extend({
      /** A Reelkeep backup replaces the archive; one of TubeArchivist is merged into it. */
      replaces: z.boolean(),
    }),
  },
  'POST /api/appsettings/backup/:filename/link/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Create a download link for the browser of the caller, valid for one hour (Reelkeep)',
    params: Filename,
    reply: z.object({ url: z.string() }),
  },
  'GET /api/appsettings/backup/:filename/file/': {
    may: 'staff',
    bySession: true,
    does: 'Download a backup; byte ranges are supported. Requires a download link, or the password in `X-Reelkeep-Confirm` if the login is older than ten minutes (Reelkeep)',
    params: Filename,
    query: z.object({ ticket: z.string().max(100).optional() }),
    bytes: 'out',
    type: 'application/zip',
  },
  'PUT /api/appsettings/backup/:filename/file/': {
    may: 'staff',
    does: 'Upload a backup as application/zip or application/octet-stream (Reelkeep)',
    params: Filename,
    bytes: 'in',
    reply: Backup,
  },
  'GET /api/appsettings/snapshot/': {
    may: 'staff',
    does: 'List snapshots, newest first',
    reply: z.object({
      next_exec: z.int(),
      next_exec_str: z.string(),
      expire_after: z.string(),
      snapshots: z.array(Snapshot),
    }),
  },
  'POST /api/appsettings/snapshot/': {
    may: 'staff',
    does: 'Create a snapshot',
    reply: z.object({ snapshot_name: z.string() }),
  },
  'GET /api/appsettings/snapshot/:id/': { may: 'staff', does: 'Get a snapshot', params: SnapshotId, reply: Snapshot },
  'GET /api/appsettings/snapshot/:id/accounts/': {
    may: 'staff',
    bySession: true,
    does: 'Compare the accounts and the number of videos, channels and playlists in a snapshot with the current ones (Reelkeep)',
    params: SnapshotId,
    reply: RestoreEffects,
  },
  'POST /api/appsettings/snapshot/:id/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Restore a snapshot. Accounts, roles, passwords, API tokens and sessions are kept',
    params: SnapshotId,
    body: z.object({ bring_accounts: bringAccounts }),
    reply: z.object({ accepted: z.literal(true) }),
  },
  'DELETE /api/appsettings/snapshot/:id/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Delete a snapshot',
    params: SnapshotId,
  },
} satisfies Contract;
