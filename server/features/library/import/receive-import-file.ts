import { message } from '#contract/messages.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { freeSpaceIn } from '../../../archive/storage/disk-space.ts';
import { ignoredNames } from '../../../archive/storage/walk.ts';
import { importFolder } from '../../../platform/config/data-folder.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { exists } from '../../../platform/files/files.ts';
import { HttpError } from '../../../platform/http/http-error.ts';
import { receiveFile } from '../../../platform/http/receive-file.ts';
import { isImportable } from './group-files.ts';

const maxNameBytes = 255; // of common file systems
// oxlint-disable-next-line no-control-regex
const forbiddenCharacters = /[/\\\u0000-\u001f\u007f\ufffd]/;

/** Receives a file for the import folder: a video or one of its sidecar files. Existing files are never overwritten. */
export async function receiveImportFile(app: AppContext, name: string, request: FastifyRequest): Promise<void> {
  if (forbiddenCharacters.test(name) || ignoredNames.test(name) || Buffer.byteLength(name) > maxNameBytes)
    throw new HttpError(400, message('import.upload-invalid-name'));
  if (!isImportable(name)) throw new HttpError(400, message('import.upload-unsupported-type'));
  const folder = importFolder(app.config);
  const taken = new HttpError(400, message('import.upload-exists', { name }));
  await mkdir(folder, { recursive: true });
  if (await exists(join(folder, name))) throw taken;
  const { reserve } = await freeSpaceIn(app, folder);
  const target = { folder, name, leftFree: reserve, noBytes: message('import.upload-content-type') };
  if (!(await receiveFile(request, target))) throw taken;
}
