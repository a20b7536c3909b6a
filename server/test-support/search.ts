import { indexPending } from '../features/search/index/index-pending.ts';
import type { createUser, TestApp } from './app.ts';

interface SearchResponse {
  results: {
    video_results: { youtube_id: string; player: { watched: boolean }; _score: number }[];
    channel_results: { channel_id: string }[];
    playlist_results: { playlist_id: string }[];
    fulltext_results: Record<string, unknown>[];
  };
  queryType: string;
  has_more: boolean;
  corrections: { word: string; instead: string }[];
}

/** Indexes what is pending and searches as a user. `parameters` is appended to the URL. @throws for an error response */
export async function searchAs(
  { app }: TestApp,
  user: Awaited<ReturnType<typeof createUser>>,
  query: string,
  parameters = '',
): Promise<SearchResponse> {
  await indexPending(app.db);
  const response = await user.call('GET', `/api/search/?query=${encodeURIComponent(query)}${parameters}`);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.body}`);
  return response.json();
}
