import { queryOptions } from '@tanstack/react-query';
import { ask, call, callAddress, csrfHeader } from '#web/api/call.ts';

export const backupsQuery = queryOptions({
  queryKey: ['settings', 'backups'],
  queryFn: ({ signal }) => call('GET /api/appsettings/backup/', { signal }),
});
export const snapshotsQuery = queryOptions({
  queryKey: ['settings', 'snapshots'],
  queryFn: ({ signal }) => call('GET /api/appsettings/snapshot/', { signal }),
});

/** Where a backup can be had as a file. */
export const backupFile = (filename: string) => callAddress('/api/appsettings/backup/:filename/file/', { filename });

/** Sends a backup up. Throws ApiError. */
export const uploadBackup = (file: File) =>
  ask(backupFile(file.name), {
    method: 'PUT',
    headers: { ...csrfHeader(), 'content-type': 'application/zip' },
    body: file,
  });
