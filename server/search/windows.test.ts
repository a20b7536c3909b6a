import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aUser, aVideo, engines, patience, testArchive, type TestArchive } from '../testing.ts';

describe.each(engines)('several searches at once on $engine', (on) => {
  let t: TestArchive;
  let anna: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    anna = await aUser(t);
    await aVideo(t.archive.db, { title: 'Rust' });
  });
  afterEach(() => t.close());

  const queries = ['rust', 'video: rust', 'channel: rust', 'playlist: rust', 'full: rust'];
  const askFor = (query: string, headers: Record<string, string>) =>
    t.app.inject({ url: `/api/search/?query=${encodeURIComponent(query)}`, headers });

  test('of one token, or one cookie, are all answered', async () => {
    const { token } = (await anna.call('GET', '/api/appsettings/token/')).json();
    for (const headers of [{ authorization: `Token ${token}` }, anna.headers]) {
      const answers = await Promise.all(queries.map((query) => askFor(query, headers)));
      expect(answers.map((one) => [one.statusCode, one.json().queryType])).toEqual(
        ['simple', 'video', 'channel', 'playlist', 'full'].map((type) => [200, type]),
      );
    }
  });

  test('of one window the newer takes the place of what waits; another window of the same person waits for its turn', async () => {
    const gate = Promise.withResolvers<void>();
    const { aside } = t.archive.db;
    const read = aside.read.bind(aside);
    const begun = vi.spyOn(aside, 'read').mockImplementation(async (...given) => {
      await gate.promise;
      return read(...(given as Parameters<typeof read>)) as never;
    });
    const inWindow = (window: string) => ({ ...anna.headers, 'x-reelkeep-window': window });
    const running = askFor('r', inWindow('mine'));
    await expect.poll(() => begun.mock.calls.length, patience).toBe(1);
    const others = ['other', 'x'.repeat(65), 'x'.repeat(65)].map((window) => askFor('ru', inWindow(window)));
    const typed = ['ru', 'rus'].map((query) => askFor(query, inWindow('mine')));
    const outdated = await Promise.any(typed.map(async (one) => ((await one).statusCode === 409 ? one : Promise.reject(one))));
    expect(outdated.json()).toEqual({ error: 'You have searched for something else meanwhile.' });
    gate.resolve();
    expect((await Promise.all(typed)).map((one) => one.statusCode).sort()).toEqual([200, 409]);
    for (const one of await Promise.all([running, ...others])) expect(one.statusCode).toBe(200);
  });
});
