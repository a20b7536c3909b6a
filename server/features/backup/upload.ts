import { message } from '#contract/messages.ts';
import type { FastifyRequest } from 'fastify';
import type { Backup } from '#contract/backup.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { receiveFile } from '../../platform/http/receive-file.ts';
import { backupFolder, findBackup, invalidNameReason, storeBackup } from './files/backup-files.ts';
import { detectFormat } from './files/detect-format.ts';
import { readManifest } from './files/manifest.ts';
import { InvalidZipError, openZip } from '../../platform/files/zip.ts';

const leftFree = 100_000_000;

/**
 * Checks that a file is a backup that can be restored here.
 * @throws HttpError with the reason
 */
async function look(path: string) {
  try {
    const zip = await openZip(path);
    try {
      if (detectFormat(zip) === 'ours') await readManifest(zip);
    } finally {
      zip.close();
    }
  } catch (error) {
    throw error instanceof InvalidZipError ? new HttpError(400, error.messages) : error;
  }
}

/** Receives an uploaded backup. */
export async function receiveUpload(app: AppContext, filename: string, request: FastifyRequest): Promise<Backup> {
  const noName = invalidNameReason(filename);
  if (noName) throw new HttpError(400, noName);
  const taken = new HttpError(400, message('backup.exists', { name: filename }));
  if (await findBackup(app, filename)) throw taken;
  const target = { folder: backupFolder(app), name: filename, leftFree, noBytes: message('backup.not-a-zip') };
  const isStored = await receiveFile(request, { ...target, check: look, store: (path) => storeBackup(app, path, filename) });
  if (!isStored) throw taken;
  app.announce('settings');
  return (await findBackup(app, filename))!;
}
