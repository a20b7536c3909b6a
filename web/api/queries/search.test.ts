import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from '#web/api/call.ts';
import { searchQuery } from './search.ts';

afterEach(() => vi.unstubAllGlobals());

test('sends one window id per search field, and none with other calls', async () => {
  const sent: (string | null)[] = [];
  vi.stubGlobal('document', { baseURI: 'http://localhost/', cookie: '' });
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('x-reelkeep-window'));
    return Response.json({});
  });
  const client = new QueryClient();
  await client.fetchQuery(searchQuery({ query: 'rus' }));
  await client.fetchQuery(searchQuery({ query: 'rust' }));
  await client.fetchQuery(searchQuery({ query: 'other' }, 'palette'));
  await call('GET /api/ping/', {});
  const [page, samePage, palette, other] = sent;
  expect(page).toMatch(/^[\w-]{5,64}$/);
  expect([samePage, other]).toEqual([page, null]);
  expect(palette).not.toBe(page);
});
