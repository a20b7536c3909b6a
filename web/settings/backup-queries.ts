import { queryOptions } from '@tanstack/react-query';
import { addressOf, ApiError, call, callAddress, csrfHeader } from '#web/api/call.ts';

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

/** Sends a backup up. What the server says of it, a sentence when it refuses. */
export async function uploadBackup(file: File): Promise<void> {
  const answer = await fetch(addressOf(`/api/appsettings/backup/${encodeURIComponent(file.name)}/file/`), {
    method: 'PUT',
    headers: { ...csrfHeader(), 'content-type': 'application/zip' },
    body: file,
  });
  if (answer.ok) return;
  const said = (await answer.json().catch(() => ({}))) as { error?: string; detail?: string };
  throw new ApiError(answer.status, said.error ?? said.detail ?? `The server answered ${answer.status}.`);
}
