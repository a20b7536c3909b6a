import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import type { Backup } from '#contract/backup.ts';
import type { Archive } from '../archive.ts';
import { freeBytes } from '../download/room-left.ts';
import { Problem, refused } from '../http/problem.ts';
import { syncFile } from '../media/shelf.ts';
import { backupFolder, findBackup, giveName, whyNoName } from './folder.ts';
import { kindOf } from './kind.ts';
import { readManifest } from './manifest.ts';
import { BadBackup, openZip } from './zip.ts';

const idleMs = 60_000;
const leftFreeBytes = 100_000_000;

/** Whether a file is a backup that could be restored here. Throws BadBackup with why not. */
async function look(path: string) {
  const zip = await openZip(path);
  try {
    if (kindOf(zip) === 'ours') await readManifest(zip);
  } finally {
    zip.close();
  }
}

/** Takes in a backup that somebody has on their own machine: written beside, looked into, and only then under its name. */
export async function takeUpload(archive: Archive, filename: string, request: FastifyRequest): Promise<Backup> {
  const noName = whyNoName(filename);
  if (noName) throw refused(noName);
  const taken = refused(
    `There is a backup called ${filename} already. Delete it first, or give the file another date or reason.`,
  );
  if (await findBackup(archive, filename)) throw taken;
  if (!(request.body instanceof Readable)) throw new Problem(415, 'Send the file itself, as application/zip.', { key: 'detail' });
  await mkdir(backupFolder(archive), { recursive: true, mode: 0o700 });
  const free = (await freeBytes(backupFolder(archive))) - leftFreeBytes;
  if (Number(request.headers['content-length'] ?? 0) > free)
    throw new Problem(507, `Only ${(Math.max(0, free) / 1e6).toFixed(0)} MB are free for it. Make room, then try again.`);
  const path = join(backupFolder(archive), `.${randomUUID()}.upload`);
  const idle = setTimeout(() => request.raw.destroy(new Error('Nothing came any more.')), idleMs);
  try {
    let came = 0;
    const counted = async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        idle.refresh();
        came += piece.length;
        if (came > free) throw new Problem(507, 'The disk is full. Make room, then try again.');
        yield piece;
      }
    };
    await pipeline(request.body, counted, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    await look(path);
    await syncFile(path);
    if (!(await giveName(archive, path, filename))) throw taken;
  } catch (error) {
    if (error instanceof BadBackup) throw refused(error.message);
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new Problem(507, 'The disk is full. Make room, then try again.');
    throw error;
  } finally {
    clearTimeout(idle);
    await rm(path, { force: true });
  }
  archive.announce('settings');
  return (await findBackup(archive, filename))!;
}
