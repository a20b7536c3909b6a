import { message, type Message } from '#contract/messages.ts';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { moveUnlessTaken, syncFile } from '../files/files.ts';
import { freeBytes, isDiskFull } from '../files/free-space.ts';
import { removeOlder } from '../process/temp-dir.ts';
import { HttpError } from './http-error.ts';

const idleMs = 60_000;
const partialName = /^\.[\da-f-]{36}\.upload$/;

interface Target {
  folder: string;
  name: string;
  /** Bytes that stay free on the disk. */
  leftFree: number;
  /** Error for a body that is not binary. */
  noBytes: Message;
  /** Throws if the received file is not accepted. */
  check?(path: string): Promise<void>;
  /** Stores the received file instead of moving it, and returns whether its name was free. */
  store?(path: string): Promise<boolean>;
}

/**
 * Receives an uploaded file: streams it to a hidden temporary file, checks it, then moves it to its name. Never overwrites.
 * Returns whether the name was free.
 * @throws HttpError 415 without a binary body, 507 if the disk is full
 */
export async function receiveFile(
  request: FastifyRequest,
  { folder, name, leftFree, noBytes, check, store }: Target,
): Promise<boolean> {
  if (!(request.body instanceof Readable)) throw new HttpError(415, noBytes, { key: 'detail' });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const free = (await freeBytes(folder)) - leftFree;
  if (Number(request.headers['content-length'] ?? 0) > free)
    throw new HttpError(507, message('error.upload-no-space', { free: Math.round(Math.max(0, free) / 1e6) }));
  const path = join(folder, `.${randomUUID()}.upload`);
  const idle = setTimeout(() => request.raw.destroy(new Error('The upload stalled.')), idleMs);
  try {
    let received = 0;
    const counted = async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        idle.refresh();
        received += piece.length;
        if (received > free) throw new HttpError(507, message('error.disk'));
        yield piece;
      }
    };
    await pipeline(request.body, counted, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    clearTimeout(idle);
    await check?.(path);
    await syncFile(path);
    return await (store?.(path) ?? moveUnlessTaken(path, join(folder, name)));
  } catch (error) {
    if (isDiskFull(error)) throw new HttpError(507, message('error.disk'));
    throw error;
  } finally {
    clearTimeout(idle);
    await rm(path, { force: true });
  }
}

/** Deletes what uploads left in a folder when the server was killed. Those that this server is receiving stay. */
export const removePartialUploads = (folder: string): Promise<void> => removeOlder(folder, (name) => partialName.test(name));
