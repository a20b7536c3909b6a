import http from 'node:http';

// A program of its own (streaming.ts): reads a file in ranges as players do and prints how many bytes a second came.

export interface Wish {
  address: string;
  /** How many read at once, each a part of the file. */
  readers: number;
  headers: Record<string, string>;
  /** In bytes. */
  fileSize: number;
}
const rangeSize = 8 * 1024 ** 2;

const { address, readers, headers, fileSize } = JSON.parse(process.argv[2]!) as Wish;
const agent = new http.Agent({ keepAlive: true, maxSockets: readers });
const rounds = Math.max(4, Math.floor(fileSize / rangeSize / readers));
let bytes = 0;

const one = (from: number) =>
  new Promise<void>((resolve, reject) => {
    const range = `bytes=${from}-${from + rangeSize - 1}`;
    http
      .get(address, { agent, headers: { ...headers, range } }, (answer) => {
        if (answer.statusCode !== 206) return reject(new Error(`${address} answered ${answer.statusCode}`));
        // What comes is thrown away.
        answer.on('data', (part: Buffer) => (bytes += part.length)).on('end', resolve);
      })
      .on('error', reject);
  });

const began = performance.now();
await Promise.all(
  Array.from({ length: readers }, async (_, reader) => {
    for (let round = 0; round < rounds; round++) await one(((reader * rounds + round) * rangeSize) % (fileSize - rangeSize));
  }),
);
console.log(bytes / ((performance.now() - began) / 1000));
agent.destroy();
