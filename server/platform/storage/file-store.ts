import type { Readable } from 'node:stream';
import { message } from '#contract/messages.ts';
import type { Move, Moved } from '../files/move.ts';
import { MessageError } from '../messages/message-error.ts';

/** Size in bytes, and last change in epoch milliseconds (whole seconds in a bucket). */
export interface FileInfo {
  sizeBytes: number;
  modifiedMs: number;
}

export type ListedFile = FileInfo & { path: string };

/** How a browser that is redirected to a bucket gets a file. */
export interface LinkOptions {
  type: string;
  /** Content-Disposition. */
  disposition?: string | undefined;
}

/**
 * The files of the archive, by stored path (stored-path.ts): on the disk of this server or a shared one, or in a bucket. In a
 * bucket a media path never has a second content, and files of the cache folder have a copy on each server that used them.
 */
export interface FileStore {
  /** Whether the files are in a bucket. Then nothing is renamed or linked, and local files are copies. */
  readonly isRemote: boolean;
  /**
   * Returns null if there is no such file.
   * @throws StorageError if that cannot be found out
   */
  stat(path: string): Promise<FileInfo | null>;
  /**
   * Streams a file, or the bytes from `from` to `to` (both inclusive), once the first ones are there.
   * @throws Error with the code ENOENT if it does not exist, StorageError if the storage does not answer
   */
  read(path: string, range?: { from: number; to: number }, signal?: AbortSignal): Promise<Readable>;
  /**
   * Returns the path of a local file with the content, for programs such as ffmpeg. It must not be changed. A copy may be deleted
   * an hour after the last call.
   * @throws Error with the code ENOENT if the file does not exist, StorageError if the storage does not answer
   */
  localPath(path: string, signal?: AbortSignal): Promise<string>;
  /**
   * Stores a finished local file under an unused path, verified; the local file stays. Can be repeated after a failure.
   * @throws PathTakenError if another file has the path, StorageError if the storage does not answer
   */
  put(path: string, local: string, content: { sizeBytes: number; sha256: string }, signal?: AbortSignal): Promise<void>;
  /** Makes a file that was written to its local path (resolveStoredPath) available to all servers, replacing an earlier one. */
  save(path: string, signal?: AbortSignal): Promise<void>;
  /**
   * Moves files to other stored paths independently; existing files are not overwritten. A file that an earlier call has moved counts
   * as moved. Not for media in a bucket, whose paths never change. Never throws.
   */
  move(moves: Move[]): Promise<Moved[]>;
  /** Deletes a file if it exists. */
  remove(path: string): Promise<void>;
  /** Lists the files whose stored path starts with `start`, in no particular order. Hidden and system files are included. */
  list(start: string, signal?: AbortSignal): AsyncGenerator<ListedFile>;
  /** Returns a URL that anyone can open for some hours; null if files are sent by this server. */
  link(path: string, options: LinkOptions): Promise<string | null>;
  /**
   * The mark that tells whose bucket it is; null if there is none. Always null for folders, whose mark is a file (mount-check.ts).
   * @throws StorageError if the bucket does not answer
   */
  readMarker(): Promise<string | null>;
  writeMarker(marker: string): Promise<void>;
  removeMarker(): Promise<void>;
  /** Ends uploads that began longer ago and were never finished; their parts take space and are in no list of files. */
  abortUploads(olderThanSeconds: number): Promise<void>;
  /** Deletes the local copies that were not used for longest, until the others fit. */
  trimCopies(): Promise<void>;
  close(): void;
}

/** The storage of the files did not answer, or refused. Nothing can be concluded about the files in it. */
export class StorageError extends MessageError {
  /** Answers 503, so that browsers and players try again. */
  readonly statusCode = 503;
  constructor(why: string, options?: ErrorOptions) {
    super(message('failure.storage', { why }), options);
  }
}

/** As `localPath`, but null if the file does not exist. */
export const localPathOrNull = (files: FileStore, path: string, signal?: AbortSignal): Promise<string | null> =>
  files.localPath(path, signal).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Error of a file that does not exist, as node:fs reports it. */
export const fileMissing = (path: string) => Object.assign(new Error(`There is no file ${path}.`), { code: 'ENOENT' });
