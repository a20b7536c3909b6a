import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUser, createVideo, engines, testTimeouts, testApp, type TestApp } from '../../../test-support/app.ts';

describe.each(engines)('concurrent searches on $engine', (on) => {
  let t: TestApp;
  let anna: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    anna = await createUser(t);
    await createVideo(t.app.db, { title: 'Rust' });
  });
  afterEach(() => t.close());

  const queries = ['rust', 'video: rust', 'channel: rust', 'playlist: rust', 'full: rust'];
  const search = (query: string, headers: Record<string, string>) =>
    t.server.inject({ url: `/api/search/?query=${encodeURIComponent(query)}`, headers });

  test('of one token or one cookie all return results', async () => {
    const { token } = (await anna.call('GET', '/api/appsettings/token/')).json();
    for (const headers of [{ authorization: `Token ${token}` }, anna.headers]) {
      const responses = await Promise.all(queries.map((query) => search(query, headers)));
      expect(responses.map((response) => [response.statusCode, response.json().queryType])).toEqual(
        ['simple', 'video', 'channel', 'playlist', 'full'].map((type) => [200, type]),
      );
    }
  });

  /** Blocks searches until `barrier` resolves; returns a spy that counts them. */
  function holdSearches(barrier: Promise<void>) {
    const { slowQueries } = t.app.db;
    const read = slowQueries.read.bind(slowQueries);
    return vi.spyOn(slowQueries, 'read').mockImplementation(async (...args) => {
      await barrier;
      return read(...(args as Parameters<typeof read>)) as never;
    });
  }

  test('thirty of one token all return results', async () => {
    const { token } = (await anna.call('GET', '/api/appsettings/token/')).json();
    const responses = await Promise.all(Array.from({ length: 30 }, () => search('rust', { authorization: `Token ${token}` })));
    expect(responses.map((response) => response.statusCode)).toEqual(responses.map(() => 200));
  });

  test('a search of a closed connection is never run', async () => {
    const barrier = Promise.withResolvers<void>();
    const reads = holdSearches(barrier.promise);
    const origin = await t.server.listen({ port: 0, host: '127.0.0.1' });
    const sendSearch = (query: string, signal: AbortSignal | null = null) =>
      fetch(`${origin}/api/search/?query=${query}`, { headers: anna.headers, signal });
    const running = sendSearch('rust');
    await expect.poll(() => reads.mock.calls.length, testTimeouts).toBe(1);
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    t.server.server.on('request', (_request, response) => response.once('close', () => closed.resolve()));
    const cancelled = sendSearch('gone', controller.signal).catch(() => 'aborted');
    const queued = sendSearch('rust');
    await expect
      .poll(() => new Promise((resolve) => t.server.server.getConnections((_error, count) => resolve(count))), testTimeouts)
      .toBe(3);
    controller.abort();
    expect(await cancelled).toBe('aborted');
    await closed.promise;
    barrier.resolve();
    expect([(await running).status, (await queued).status]).toEqual([200, 200]);
    expect(reads).toHaveBeenCalledTimes(2);
  });

  test('a newer search of a window replaces its queued one; other windows wait', async () => {
    const barrier = Promise.withResolvers<void>();
    const reads = holdSearches(barrier.promise);
    const inWindow = (window: string) => ({ ...anna.headers, 'x-reelkeep-window': window });
    const running = search('r', inWindow('mine'));
    await expect.poll(() => reads.mock.calls.length, testTimeouts).toBe(1);
    const others = ['other', 'x'.repeat(65), 'x'.repeat(65)].map((window) => search('ru', inWindow(window)));
    const searches = ['ru', 'rus'].map((query) => search(query, inWindow('mine')));
    const outdated = await Promise.any(
      searches.map(async (response) => ((await response).statusCode === 409 ? response : Promise.reject(response))),
    );
    expect(outdated.json()).toMatchObject({ error: 'This search was replaced by a newer one.' });
    barrier.resolve();
    expect((await Promise.all(searches)).map((response) => response.statusCode).sort()).toEqual([200, 409]);
    for (const response of await Promise.all([running, ...others])) expect(response.statusCode).toBe(200);
  });
});
