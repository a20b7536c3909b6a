import type { DynamicLibraryResult } from 'node:ffi';

const definitions = {
  sendfile: { arguments: ['i32', 'i32', 'pointer', 'u64'], return: 'i64' },
  preadv2: { arguments: ['i32', 'pointer', 'i32', 'i64', 'i32'], return: 'i64' },
} as const;

// preadv2(2): read what is in memory, and nothing else.
const RWF_NOWAIT = 8;
// Read-ahead brings a file into memory in pieces of this size at least, so one byte of each speaks for it.
const stride = 128 * 1024;

/** What of a file the system can hand to a connection by itself. */
export interface SystemSender {
  /** Whether these bytes of an open file are in memory, so that nobody has to wait for a disk. */
  isInMemory(file: number, from: number, length: number): boolean;
  /**
   * Hands up to `length` bytes of an open file, from `from` on, to a connection without copying them; never waits. Answers how many
   * went; 0 when the connection takes none now, or when it cannot be done.
   */
  send(file: number, socket: number, from: number, length: number): number;
}

/**
 * Linux's sendfile(2), by Node's interface to libraries of the system. Null wherever that is not to be had: it is an experimental
 * part of Node, and other systems have other calls. Files are then read and written as ever.
 */
export async function systemSender(): Promise<SystemSender | null> {
  // Elsewhere the numbers are of other sizes.
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null;
  let library: DynamicLibraryResult<typeof definitions>;
  try {
    const { dlopen } = await import('node:ffi');
    library = dlopen(null, definitions);
  } catch {
    return null; // an older C library, or a Node without it
  }
  const { getRawPointer } = await import('node:ffi');
  const { sendfile, preadv2 } = library.functions;
  // All that is handed to the system lies in one block that lives as long as these functions: an address says nothing to the
  // collection of garbage. Large enough not to be moved about.
  const block = new ArrayBuffer(4096);
  const [vector, offset] = [new BigUint64Array(block, 0, 2), new BigInt64Array(block, 16, 1)];
  vector.set([getRawPointer(block) + 24n, 1n]);
  const isThere = (file: number, place: number) => preadv2(file, vector, 1, BigInt(place), RWF_NOWAIT) === 1n;
  return {
    isInMemory(file, from, length) {
      for (let place = from; place < from + length; place += stride) if (!isThere(file, place)) return false;
      return isThere(file, from + length - 1);
    },
    send(file, socket, from, length) {
      offset[0] = BigInt(from);
      return Math.max(0, Number(sendfile(socket, file, offset, BigInt(length))));
    },
  };
}
