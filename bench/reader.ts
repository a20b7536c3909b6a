import http from 'node:http';

// Started by streaming.ts and bucket.ts: reads a file in ranges like a player and prints the bytes per second.

export interface ReaderOptions {
  address: string;
  /** Number of parallel readers, each with its own part of the file. */
  readers: number;
  headers: Record<string, string>;
  /** Bytes. */
  fileSize: number;
  /** Bytes of a request. */
  rangeSize?: number;
}

const { address, readers, headers, fileSize, rangeSize = 8 * 1024 ** 2 } = JSON.parse(process.argv[2]!) as ReaderOptions;
const agent = new http.Agent({ keepAlive: true, maxSockets: readers });
const rangesPerReader = Math.max(4, Math.floor(fileSize / rangeSize / readers));
let bytes = 0;

const readRange = (from: number) =>
  new Promise<void>((resolve, reject) => {
    const range = `bytes=${from}-${from + rangeSize - 1}`;
    http
      .get(address, { agent, headers: { ...headers, range } }, (response) => {
        if (response.statusCode !== 206) return reject(new Error(`${address} answered ${response.statusCode}`));
        // The body is discarded.
        response.on('data', (part: Buffer) => (bytes += part.length)).on('end', resolve);
      })
      .on('error', reject);
  });

const began = performance.now();
await Promise.all(
  Array.from({ length: readers }, async (_, reader) => {
    for (let index = 0; index < rangesPerReader; index++)
      await readRange(((reader * rangesPerReader + index) * rangeSize) % (fileSize - rangeSize));
  }),
);
console.log(bytes / ((performance.now() - began) / 1000));
agent.destroy();
