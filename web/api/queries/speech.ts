import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

/** The speech engine, its models and what is left to transcribe. */
export const speechQuery = queryOptions({
  queryKey: ['settings', 'speech'],
  queryFn: ({ signal }) => call('GET /api/speech/', { signal }),
});

const pollMs = 2000;

/** Whether a transcript of a video is being made; asked again while it is. */
export const transcriptionQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', id, 'transcription'],
    queryFn: ({ signal }) => call('GET /api/video/:id/transcribe/', { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' || data?.state === 'queued' ? pollMs : false),
  });
