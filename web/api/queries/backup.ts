import { queryOptions } from '@tanstack/react-query';
import { sendRequest, call, callAddress, csrfHeader } from '#web/api/call.ts';

export const backupsQuery = queryOptions({
  queryKey: ['settings', 'backups'],
  queryFn: ({ signal }) => call('GET /api/appsettings/backup/', { signal }),
});
export const snapshotsQuery = queryOptions({
  queryKey: ['settings', 'snapshots'],
  queryFn: ({ signal }) => call('GET /api/appsettings/snapshot/', { signal }),
});

/** How the accounts in a backup differ from the current ones. Never cached. */
export const backupAccountsQuery = (filename: string) =>
  queryOptions({
    queryKey: ['settings', 'backup-accounts', filename],
    queryFn: ({ signal }) => call('GET /api/appsettings/backup/:filename/accounts/', { params: { filename }, signal }),
    gcTime: 0,
  });
export const snapshotAccountsQuery = (id: string) =>
  queryOptions({
    queryKey: ['settings', 'snapshot-accounts', id],
    queryFn: ({ signal }) => call('GET /api/appsettings/snapshot/:id/accounts/', { params: { id }, signal }),
    gcTime: 0,
  });

const backupFile = (filename: string) => callAddress('/api/appsettings/backup/:filename/file/', { filename });

/** Uploads a backup. @throws {ApiError} */
export const uploadBackup = (file: File) =>
  sendRequest(backupFile(file.name), {
    method: 'PUT',
    headers: { ...csrfHeader(), 'content-type': 'application/zip' },
    body: file,
  });
