import { message } from '#contract/messages.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { freeSpaceIn } from '../../archive/storage/disk-space.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { exists } from '../../platform/files/files.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { receiveFile } from '../../platform/http/receive-file.ts';
import { MessageError } from '../../platform/messages/message-error.ts';

const maxNameBytes = 200;
const keptMs = 86_400_000;
// oxlint-disable-next-line no-control-regex
const forbidden = /^\.|[/\\\u0000-\u001f\u007f\ufffd]/;
const uploadName = /^[\da-f-]{36}\/[^/]+$/;

const uploadFolder = ({ config }: Pick<AppContext, 'config'>) => join(config.dataFolder, 'migrate');

/** Receives a file to import from. Returns its name in requests. */
export async function receiveSourceFile(app: AppContext, name: string, request: FastifyRequest): Promise<string> {
  if (forbidden.test(name) || Buffer.byteLength(name) > maxNameBytes)
    throw new HttpError(400, message('migrate.upload-invalid-name'));
  const number = randomUUID();
  const folder = join(uploadFolder(app), number);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { reserve } = await freeSpaceIn(app, uploadFolder(app));
  try {
    await receiveFile(request, { folder, name, leftFree: reserve, noBytes: message('migrate.upload-content-type') });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return `${number}/${name}`;
}

/** Returns the path of an uploaded file. @throws MessageError */
export async function findUpload(app: Pick<AppContext, 'config'>, upload: string): Promise<string> {
  const path = join(uploadFolder(app), upload);
  if (!uploadName.test(upload) || upload.includes('..') || !(await exists(path)))
    throw new MessageError(message('migrate.no-upload'));
  return path;
}

/** Deletes uploads after a day. */
export async function deleteOldUploads(app: Pick<AppContext, 'config'>): Promise<void> {
  const folder = uploadFolder(app);
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > keptMs) await rm(join(folder, name), { recursive: true, force: true });
  }
}
