import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { SystemSender } from './sendfile.ts';

// What is read and written: an eighth of the calls of the default, and no more memory than a viewer may cost.
const pieceBytes = 256 * 1024;
// What is read only to hear when a connection takes more: enough for Node to say so, and little to copy.
const markBytes = 64 * 1024;
// What is handed over before anybody else has a turn; a quarter of a millisecond.
const turnBytes = 1024 * 1024;

interface Part {
  /** Closed when the stream is over. */
  file: FileHandle;
  from: number;
  /** The last byte, counted as in a header of ranges. */
  to: number;
  response: ServerResponse;
  sender: SystemSender | null;
}

/**
 * A part of a file on its way to a response that says its length. What is in memory already is handed to the connection by the
 * system and passes this stream by; what is not is read piece by piece in the background, so that no disk holds up anybody else.
 */
export class FileStream extends Readable {
  readonly #part: Part;
  #place: number;
  /** What passed the stream by, in bytes. */
  handedOver = 0;

  constructor(part: Part) {
    super({ highWaterMark: 1 });
    this.#part = part;
    this.#place = part.from;
  }

  /** The connection, where the system can write to it past us: it is not encrypted here, and not a pretended one. */
  get #handle(): { fd: number; writeQueueSize: number } | null {
    const { socket } = this.#part.response;
    if (!socket || socket.destroyed || 'encrypted' in socket) return null;
    const { _handle: handle } = socket as unknown as { _handle?: { fd?: number; writeQueueSize?: number } };
    if (typeof handle?.fd !== 'number' || handle.fd < 0 || typeof handle.writeQueueSize !== 'number') return null;
    return { fd: handle.fd, writeQueueSize: handle.writeQueueSize };
  }

  override _read(): void {
    this.#goOn();
  }

  #goOn(): void {
    const { sender, response, to } = this.#part;
    if (this.destroyed) return;
    if (this.#place > to) {
      this.push(null);
      return;
    }
    const handle = sender && this.#handle;
    if (!handle) return this.#readPiece(pieceBytes);
    if (response.writableNeedDrain) {
      response.once('drain', () => this.#goOn());
      return;
    }
    // Only when all that was written has gone may anything pass it by.
    const isIdle = response.headersSent && response.writableLength + this.readableLength + handle.writeQueueSize === 0;
    if (!isIdle) return this.#readPiece(markBytes);
    const length = Math.min(turnBytes, to + 1 - this.#place);
    if (!sender.isInMemory(this.#part.file.fd, this.#place, length)) return this.#readPiece(pieceBytes);
    const sent = sender.send(this.#part.file.fd, handle.fd, this.#place, length);
    this.#place += sent;
    this.handedOver += sent;
    if (sent === length) setImmediate(() => this.#goOn());
    else this.#readPiece(markBytes);
  }

  #readPiece(most: number) {
    const { file, to } = this.#part;
    const length = Math.min(most, to + 1 - this.#place);
    if (length === 0) {
      this.push(null);
      return;
    }
    file.read(Buffer.allocUnsafeSlow(length), 0, length, this.#place).then(
      ({ bytesRead, buffer }) => {
        // The file is shorter than it was: what was promised cannot be kept, so the connection ends instead of the answer.
        if (bytesRead === 0) return this.destroy(new Error('The file ends before its end.'));
        this.#place += bytesRead;
        return this.push(bytesRead === length ? buffer : buffer.subarray(0, bytesRead));
      },
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    this.#part.file.close().then(() => done(error), done);
  }
}
