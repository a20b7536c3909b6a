/** Writes an answer to the wire, with ranges for files and everything that may go wrong with their bytes. */
import { open, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Visit } from './answer.ts';

const CHUNK_BYTES = 64 * 1024;

/** The first and last byte asked for, by header or by `range=` in the query; null when the range begins behind the end. */
function rangeOf(visit: Visit, size: number): { first: number; last: number; partial: boolean } | null {
  const inQuery = visit.url.searchParams.get('range');
  const asked = /^(?:bytes=)?(\d*)-(\d*)$/.exec(inQuery ?? visit.headers.range ?? '');
  if (!asked || (!asked[1] && !asked[2])) return { first: 0, last: size - 1, partial: false };
  const first = asked[1] ? Number(asked[1]) : Math.max(0, size - Number(asked[2]));
  const last = asked[1] && asked[2] ? Math.min(Number(asked[2]), size - 1) : size - 1;
  // Asked in the query, the bytes come as a whole answer of their own (200), as the site's media hosts do.
  return first >= size || first > last ? null : { first, last, partial: inQuery === null };
}

async function sendFile(
  visit: Visit,
  response: ServerResponse,
  answer: Extract<Answer, { file: string }>,
  cuts: Map<string, number>,
) {
  const { trouble } = answer;
  const whole = (await stat(answer.file)).size;
  const size = trouble?.kind === 'half' ? Math.floor(whole / 2) : whole;
  const range = rangeOf(visit, size);
  if (!range) return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const { first, last, partial } = range;
  response.writeHead(partial ? 206 : 200, {
    'content-type': answer.type,
    'content-length': last - first + 1,
    'accept-ranges': 'bytes',
    ...(partial ? { 'content-range': `bytes ${first}-${last}/${size}` } : {}),
  });
  if (visit.method === 'HEAD') return void response.end();
  let stopAt = Infinity;
  if (trouble?.kind === 'stall') stopAt = Math.floor(size / 2);
  if (trouble?.kind === 'cut' && (cuts.get(answer.cutKey ?? '') ?? 0) < (trouble.times ?? 1)) {
    cuts.set(answer.cutKey ?? '', (cuts.get(answer.cutKey ?? '') ?? 0) + 1);
    stopAt = first + trouble.afterBytes;
  }
  const chunkBytes = trouble?.kind === 'slow' ? Math.max(1, Math.floor(trouble.bytesPerSecond / 10)) : CHUNK_BYTES;
  const file = await open(answer.file);
  try {
    for (let at = first; at <= last && !response.destroyed;) {
      const length = Math.min(chunkBytes, last - at + 1, stopAt - at);
      if (length <= 0) {
        if (trouble?.kind === 'cut') response.destroy();
        return;
      }
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) break;
      const bytes = trouble?.kind === 'corrupt' ? buffer.fill(0x5a) : buffer.subarray(0, bytesRead);
      if (!response.write(bytes)) await Promise.race([drained(response), wait(10_000)]);
      if (trouble?.kind === 'slow') await wait(100);
      at += bytesRead;
    }
    response.end();
  } finally {
    await file.close();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

/** `cuts` counts how often a file was cut already. */
export async function send(visit: Visit, response: ServerResponse, answer: Answer, cuts: Map<string, number>): Promise<void> {
  if ('silence' in answer) return answer.silence === 'dropped' ? void response.destroy() : undefined;
  if ('file' in answer) return sendFile(visit, response, answer, cuts);
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status ?? 200, { 'content-type': answer.type, 'content-length': body.length, ...answer.headers });
  response.end(visit.method === 'HEAD' ? undefined : body);
}
