import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#contract/people.ts';
import { aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';

describe.each(engines)('people, on $engine', (on) => {
  let t: TestArchive;
  let boss: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on });
    boss = await aUser(t, { name: 'Boss', isStaff: true });
  });
  afterEach(() => t.close());

  const logIn = (username: string, password: string, chosen?: string) =>
    t.app.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password, new_password: chosen } });
  const people = async () => (await boss.call('GET', '/api/user/people/')).json() as Person[];
  const change = (id: number, body: object) => boss.call('POST', `/api/user/people/${id}/`, body);
  const holdings = async (user: typeof boss) => {
    const { token } = (await user.call('GET', '/api/appsettings/token/')).json();
    const named = (await user.call('POST', '/api/user/tokens/', { name: 'Kodi' })).json().token;
    const id = await aVideo(t.archive.db);
    const { mediaPath } = await t.archive.db
      .selectFrom('video')
      .select('mediaPath')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const file = join(t.archive.config.mediaFolder, mediaPath);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '0123456789');
    const link = (await user.call('GET', `/api/video/${id}/link/`)).json().media_url as string;
    const byToken = async (secret: string) =>
      (await t.app.inject({ url: `/api/video/${id}/`, headers: { authorization: `Token ${secret}` } })).json()
        .media_url as string;
    const links = [link, await byToken(token), await byToken(named)];
    /** What of it still opens anything: session, two tokens, three links. */
    return async () => {
      const asked = [
        { url: '/api/ping/', headers: user.headers },
        ...[token, named].map((secret) => ({ url: '/api/ping/', headers: { authorization: `Token ${secret}` } })),
        ...links.map((url) => ({ url, headers: {} })),
      ];
      return Promise.all(asked.map(async (one) => (await t.app.inject(one)).statusCode));
    };
  };

  test('somebody new gets a password that is told once, and choose one of their own with it', async () => {
    const made = (await boss.call('POST', '/api/user/people/', { username: '  Ann  ' })).json();
    expect(made.person).toMatchObject({ name: 'Ann', is_staff: false, is_disabled: false, has_password: true });
    expect(made.password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect((await logIn('ann', made.password)).json()).toMatchObject({ must_choose_password: true });
    expect((await logIn('ann', made.password, 'words of Ann')).statusCode).toBe(204);
    const chosen = { username: 'Ben', password: 'words of Ben', is_staff: true };
    expect((await boss.call('POST', '/api/user/people/', chosen)).json().password).toBeNull();
    expect((await logIn('Ben', 'words of Ben')).statusCode).toBe(204);
    expect((await people()).map(({ name, is_staff }) => [name, is_staff])).toEqual([
      ['Ann', false],
      ['Ben', true],
      ['Boss', true],
    ]);
  });

  test.each([
    [{ username: 'bOSS' }, /already/],
    [{ username: '   ' }, /blank/],
    [{ username: 'x'.repeat(151) }, /./],
    [{ username: 'a\u202eb' }, /Not a valid name/],
    [{ username: 'a\u0000b' }, /./],
    [{ username: 'Ann', password: 'short' }, /at least 8/],
    [{ username: 'Ann', password: 'password' }, /first that anybody tries/],
    [{ username: 'Ann', password: 'Football' }, /first that anybody tries/],
    [{ username: 'Maria Vidal', password: 'maria.vidal.1987' }, /first that anybody tries/],
    [{ username: 'Ann', password: 'Reelkeep-2026!' }, /first that anybody tries/],
    [{ username: ['Ann'] }, /./],
    [{}, /./],
  ])('%j is refused with a sentence', async (body, why) => {
    const answer = await boss.call('POST', '/api/user/people/', body);
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringMatching(why)]);
    expect(await people()).toHaveLength(1);
  });

  test('the last staff account that can log in stays, and nobody changes themselves', async () => {
    const ann = await aUser(t, { name: 'Ann', isStaff: true });
    for (const body of [{ is_staff: false }, { is_disabled: true }])
      expect((await change(boss.id, body)).json().error).toMatch(/somebody else/);
    expect((await boss.call('DELETE', `/api/user/people/${boss.id}/`)).json().error).toMatch(/somebody else/);
    expect((await boss.call('POST', `/api/user/people/${boss.id}/password/`, {})).json().error).toMatch(/own page/);
    // Both are taken away at the same moment, each by the other: one stays.
    const both = await Promise.all([
      boss.call('POST', `/api/user/people/${ann.id}/`, { is_staff: false }),
      ann.call('POST', `/api/user/people/${boss.id}/`, { is_disabled: true }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).not.toEqual([200, 200]);
    const able = await t.archive.db
      .selectFrom('account')
      .select('id')
      .where('isStaff', '=', 1)
      .where('isDisabled', '=', 0)
      .execute();
    expect(able).toHaveLength(1);
  });

  test('who is switched off is out at once with everything they held, and comes back with a new login alone', async () => {
    const ann = await aUser(t, { name: 'Ann', password: 'words of Ann' });
    const open = await holdings(ann);
    expect(await open()).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await change(ann.id, { is_disabled: true })).json()).toMatchObject({ is_disabled: true, sessions: 0, tokens: 0 });
    expect(await open()).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await logIn('Ann', 'words of Ann')).json().error).toMatch(/switched off/);
    expect((await logIn('Ann', 'guess')).json().error).toBe('Invalid credentials');
    await change(ann.id, { is_disabled: false });
    expect(await open()).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await logIn('Ann', 'words of Ann')).statusCode).toBe(204);
  });

  test('a password that staff give ends everything that came before', async () => {
    const ann = await aUser(t, { name: 'Ann', password: 'words of Ann' });
    const open = await holdings(ann);
    const { password } = (await boss.call('POST', `/api/user/people/${ann.id}/password/`, {})).json();
    expect(await open()).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await logIn('Ann', 'words of Ann')).statusCode).toBe(400);
    expect((await logIn('Ann', password)).json()).toMatchObject({ must_choose_password: true });
    expect((await logIn('Ann', password, 'other words of Ann')).statusCode).toBe(204);
  });

  test('who is deleted takes what they watched along, says how much, and leaves everybody else’s', async () => {
    const ann = await aUser(t, { name: 'Ann' });
    const open = await holdings(ann);
    const [one, two] = [await aVideo(t.archive.db), await aVideo(t.archive.db)];
    for (const user of [ann, boss]) await user.call('POST', '/api/watched/', { id: one, is_watched: true });
    await ann.call('POST', `/api/video/${two}/progress/`, { position: 100 });
    expect((await people()).find(({ name }) => name === 'Ann')).toMatchObject({ watched: 2, sessions: 1, tokens: 1 });
    expect((await boss.call('DELETE', `/api/user/people/${ann.id}/`)).json()).toEqual({
      name: 'Ann',
      watched: 2,
      sessions: 1,
      tokens: 1,
    });
    expect(await open()).toEqual([403, 403, 403, 403, 403, 403]);
    const left = async (table: 'watch' | 'watchTally') =>
      (await t.archive.db.selectFrom(table).select('accountId').execute()).map(({ accountId }) => accountId);
    expect([await left('watch'), await left('watchTally')]).toEqual([[boss.id], [boss.id]]);
    expect((await boss.call('DELETE', `/api/user/people/${ann.id}/`)).statusCode).toBe(404);
  });

  test('who is made staff, or not any more, is so at the next request', async () => {
    const ann = await aUser(t, { name: 'Ann' });
    expect((await ann.call('GET', '/api/user/people/')).statusCode).toBe(403);
    await change(ann.id, { is_staff: true });
    expect((await ann.call('GET', '/api/user/people/')).statusCode).toBe(200);
    await change(ann.id, { is_staff: false });
    expect((await ann.call('GET', '/api/user/people/')).statusCode).toBe(403);
  });
});
