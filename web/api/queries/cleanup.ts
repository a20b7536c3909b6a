import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { WatchedRule } from '#contract/rules.ts';
import { call } from '#web/api/call.ts';
import type { VideoFilter } from './video.ts';

/** Number and size of the videos that match. Not reloaded with every change of a video, because the server has to read many. */
export const filterSummary = (filter: VideoFilter) =>
  queryOptions({
    queryKey: ['cleanup', filter],
    queryFn: ({ signal }) => call('GET /api/video/bulk/', { query: filter, signal }),
    staleTime: 0, // asked again on each visit
  });

/** What a rule for watched videos would delete now. The previous result stays while a new one loads. */
export const watchedRulePreview = (rule: WatchedRule, channel: string | undefined) =>
  queryOptions({
    queryKey: ['cleanup', 'preview', rule, channel],
    queryFn: ({ signal }) =>
      call('POST /api/video/expiring/preview/', { body: { ...rule, ...(channel && { channel }) }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
