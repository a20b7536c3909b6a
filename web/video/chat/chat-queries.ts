import { queryOptions } from '@tanstack/react-query';
import { call, callAddress, sendRequest } from '#web/api/call.ts';
import { parseLines } from './find-lines.ts';

/** The parts of a chat. */
export const chatQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', 'chat', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/chat/', { params: { id }, signal }),
  });

const cacheMs = 10 * 60_000;

/** The messages of a part. `stamp`: when the chat was fetched; a merged one has other parts. */
export const chunkQuery = (id: string, n: number, stamp: number) =>
  queryOptions({
    queryKey: ['chat', id, n, stamp],
    queryFn: async ({ signal }) =>
      parseLines(await (await sendRequest(callAddress('/api/video/:id/chat/:n/', { id, n: String(n) }), { signal })).text()),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: cacheMs,
  });

export const matchesQuery = (id: string, query: string) =>
  queryOptions({
    queryKey: ['video', 'chat', id, 'search', query],
    queryFn: ({ signal }) => call('GET /api/video/:id/chat/search/', { params: { id }, query: { query }, signal }),
  });
