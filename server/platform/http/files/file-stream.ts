import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

// A quarter of the reads of the default of streams.
const bufferBytes = 256 * 1024;
const maxSpare = 4;

/** Buffers that no response uses. Allocating them for each response costs more than reading the file. */
const spare: Buffer[] = [];
const takeBuffer = () => spare.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);

/** Resolves when the socket no longer needs the bytes. Rejects if the connection is closed before. */
const write = (response: ServerResponse, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => {
    // Node does not call back for what it can no longer write.
    const onClose = () => reject(new Error('the client disconnected'));
    if (response.destroyed) return onClose();
    response.once('close', onClose).write(bytes, (error) => {
      response.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });

/**
 * Writes a range of an open file, both ends inclusive, as the body of a response with that length, and ends it. Closes the
 * connection if the file became shorter than the promised length.
 * @throws if the file cannot be read or the client disconnects
 */
export async function writeFileRange(file: FileHandle, { from, to }: { from: number; to: number }, response: ServerResponse) {
  const isSmall = to - from < bufferBytes;
  // One is filled while the other is written.
  const buffers = isSmall ? [] : [takeBuffer(), takeBuffer()];
  let written = Promise.resolve();
  for (let next = from, turn = 0; next <= to; turn = 1 - turn) {
    const left = to + 1 - next;
    const buffer = buffers[turn] ?? Buffer.allocUnsafe(left);
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, left), next);
    await written;
    if (bytesRead === 0) {
      response.destroy();
      return;
    }
    next += bytesRead;
    written = write(response, buffer.subarray(0, bytesRead));
    written.catch(() => undefined); // it is awaited after the next read, which can fail first
  }
  await written;
  response.end();
  spare.push(...buffers.slice(0, maxSpare - spare.length));
}
