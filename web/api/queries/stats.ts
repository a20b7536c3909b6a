import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

// Queries of the dashboard. They are separate, so that a slow one delays no other; changes of the first key part invalidate
// them.

export const videoStats = queryOptions({
  queryKey: ['video', 'stats', 'video'],
  queryFn: ({ signal }) => call('GET /api/stats/video/', { signal }),
});
export const channelStats = queryOptions({
  queryKey: ['channel', 'stats'],
  queryFn: ({ signal }) => call('GET /api/stats/channel/', { signal }),
});
export const playlistStats = queryOptions({
  queryKey: ['playlist', 'stats'],
  queryFn: ({ signal }) => call('GET /api/stats/playlist/', { signal }),
});
export const queueStats = queryOptions({
  queryKey: ['download', 'stats'],
  queryFn: ({ signal }) => call('GET /api/stats/download/', { signal }),
});
export const watchStats = queryOptions({
  queryKey: ['video', 'stats', 'watch'],
  queryFn: ({ signal }) => call('GET /api/stats/watch/', { signal }),
});
export const hours = queryOptions({
  queryKey: ['video', 'stats', 'hours'],
  queryFn: ({ signal }) => call('GET /api/stats/hours/', { signal }),
});
export const history = queryOptions({
  queryKey: ['video', 'stats', 'history'],
  queryFn: ({ signal }) => call('GET /api/stats/downloadhist/', { signal }),
});
export const growth = queryOptions({
  queryKey: ['video', 'stats', 'growth'],
  queryFn: ({ signal }) => call('GET /api/stats/growth/', { signal }),
});
export const growthEvents = queryOptions({
  queryKey: ['download', 'stats', 'events'],
  queryFn: ({ signal }) => call('GET /api/stats/events/', { signal }),
});
export const siteHealth = queryOptions({
  queryKey: ['download', 'stats', 'health'],
  queryFn: ({ signal }) => call('GET /api/stats/health/', { signal }),
});
export const incompatible = queryOptions({
  queryKey: ['video', 'stats', 'incompatible'],
  queryFn: ({ signal }) => call('GET /api/stats/incompatible/', { signal }),
});
export const quality = queryOptions({
  queryKey: ['video', 'stats', 'quality'],
  queryFn: ({ signal }) => call('GET /api/stats/quality/', { signal }),
});
export const shares = queryOptions({
  queryKey: ['video', 'stats', 'shares'],
  queryFn: ({ signal }) => call('GET /api/stats/shares/', { signal }),
});
export const storage = queryOptions({
  queryKey: ['video', 'stats', 'storage'],
  queryFn: ({ signal }) => call('GET /api/stats/storage/', { signal }),
});
export const biggest = (order: 'doc_count' | 'duration' | 'media_size') =>
  queryOptions({
    queryKey: ['video', 'stats', 'biggest', order],
    queryFn: ({ signal }) => call('GET /api/stats/biggestchannels/', { query: { order }, signal }),
  });
