/** Sends responses, with ranges for files and all media faults. */
import { open, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, SiteRequest } from './answer.ts';

const CHUNK_BYTES = 64 * 1024;

/** Returns the requested first and last byte, by header or `range=` in the query; null if the range starts after the end. */
function rangeOf(request: SiteRequest, size: number): { first: number; last: number; partial: boolean } | null {
  const inQuery = request.url.searchParams.get('range');
  const asked = /^(?:bytes=)?(\d*)-(\d*)$/.exec(inQuery ?? request.headers.range ?? '');
  if (!asked || (!asked[1] && !asked[2])) return { first: 0, last: size - 1, partial: false };
  const first = asked[1] ? Number(asked[1]) : Math.max(0, size - Number(asked[2]));
  const last = asked[1] && asked[2] ? Math.min(Number(asked[2]), size - 1) : size - 1;
  // A range in the query is answered with status 200, as by the media hosts of the site.
  return first >= size || first > last ? null : { first, last, partial: inQuery === null };
}

async function sendFile(
  request: SiteRequest,
  response: ServerResponse,
  reply: Extract<Answer, { file: string }>,
  cuts: Map<string, number>,
) {
  const { fault } = reply;
  const whole = (await stat(reply.file)).size;
  const size = fault?.kind === 'half' ? Math.floor(whole / 2) : whole;
  const range = rangeOf(request, size);
  if (!range) return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const { first, last, partial } = range;
  response.writeHead(partial ? 206 : 200, {
    'content-type': reply.type,
    'content-length': last - first + 1,
    'accept-ranges': 'bytes',
    ...(partial ? { 'content-range': `bytes ${first}-${last}/${size}` } : {}),
  });
  if (request.method === 'HEAD') return void response.end();
  let stopAt = Infinity;
  if (fault?.kind === 'stall') stopAt = Math.floor(size / 2);
  if (fault?.kind === 'cut' && (cuts.get(reply.cutKey ?? '') ?? 0) < (fault.times ?? 1)) {
    cuts.set(reply.cutKey ?? '', (cuts.get(reply.cutKey ?? '') ?? 0) + 1);
    stopAt = first + fault.afterBytes;
  }
  // A test may change the speed meanwhile.
  const chunkBytes = () => (fault?.kind === 'slow' ? Math.max(1, Math.floor(fault.bytesPerSecond / 10)) : CHUNK_BYTES);
  const file = await open(reply.file);
  try {
    for (let at = first; at <= last && !response.destroyed;) {
      const length = Math.min(chunkBytes(), last - at + 1, stopAt - at);
      if (length <= 0) {
        if (fault?.kind === 'cut') response.destroy();
        return;
      }
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) break;
      const bytes = fault?.kind === 'corrupt' ? buffer.fill(0x5a) : buffer.subarray(0, bytesRead);
      if (!response.write(bytes)) await Promise.race([drained(response), wait(10_000)]);
      if (fault?.kind === 'slow') await wait(100);
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

/** `cuts` counts how often each file was cut. */
export async function send(
  request: SiteRequest,
  response: ServerResponse,
  reply: Answer,
  cuts: Map<string, number>,
): Promise<void> {
  if ('silence' in reply) return reply.silence === 'dropped' ? void response.destroy() : undefined;
  if ('file' in reply) return sendFile(request, response, reply, cuts);
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status ?? 200, { 'content-type': reply.type, 'content-length': body.length, ...reply.headers });
  response.end(request.method === 'HEAD' ? undefined : body);
}
