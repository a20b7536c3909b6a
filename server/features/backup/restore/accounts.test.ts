import { describe, expect, test } from 'vitest';
import { hashPassword } from '../../user/login/password.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../../test-support/app.ts';
import { listBackups } from '../files/backup-files.ts';

type User = Awaited<ReturnType<typeof createUser>>;

const url = (path: string) => `/api/appsettings/${path}`;
const sendWithToken = (t: TestApp, token: string, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
  t.server.inject({ method, url: path, headers: { authorization: `Token ${token}` }, ...(payload && { payload }) });
const statusOf = async (t: TestApp, token: string) => (await sendWithToken(t, token, 'GET', '/api/ping/')).statusCode;
const tokenOf = async ({ call }: User) => (await call('GET', '/api/appsettings/token/')).json().token as string;
const namedToken = async ({ call }: User) => (await call('POST', '/api/user/tokens/', { name: 'Kodi' })).json().token as string;
const login = async (t: TestApp, username: string, password: string) =>
  (
    await t.server.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username, password },
      remoteAddress: `10.3.0.${++logins & 255}`,
    })
  ).statusCode;
let logins = 0;

/** Creates a snapshot or a backup, and returns the URL that restores it. */
const copies = {
  async snapshot(t: TestApp, { call }: User) {
    const { snapshot_name: id } = (await call('POST', url('snapshot/'))).json();
    await t.runner.idle();
    return url(`snapshot/${id}/`);
  },
  async backup(t: TestApp, { call }: User) {
    await call('POST', url('backup/'), { reason: 'manual' });
    await t.runner.idle();
    return url(`backup/${(await listBackups(t.app))[0]!.filename}/`);
  },
};

/** Creates an archive with a snapshot or backup, and deletes, adds and changes accounts afterwards. */
async function createArchiveWithChanges(kind: keyof typeof copies, on: (typeof engines)[number]) {
  const t = await testApp({ on, onDisk: true });
  await t.runner.begin();
  await createVideo(t.app.db, { id: 'aaaaaaaaaaa' });
  const ann = await createUser(t, { name: 'Ann', isStaff: true });
  const [deleted, demoted, carol] = [
    await createUser(t, { name: 'Fired', isStaff: true }),
    await createUser(t, { name: 'Demoted', isStaff: true }),
    await createUser(t, { name: 'Carol', password: 'words of then' }),
  ];
  const deletedTokens = [await tokenOf(deleted), await namedToken(deleted)];
  const carolTokens = [await tokenOf(carol), await namedToken(carol)];
  const annToken = await tokenOf(ann);
  await carol.call('POST', '/api/watched/', { id: 'aaaaaaaaaaa', is_watched: true });
  const copy = await copies[kind](t, ann);

  await ann.call('DELETE', `/api/users/${deleted.id}/`);
  await ann.call('POST', `/api/users/${demoted.id}/`, { is_staff: false });
  await t.app.db
    .updateTable('account')
    .set({ passwordHash: await hashPassword('words of now') })
    .where('id', '=', carol.id)
    .execute();
  await t.app.db.deleteFrom('token').where('accountId', '=', carol.id).execute();
  await t.app.db.deleteFrom('namedToken').where('accountId', '=', carol.id).execute();
  await carol.call('POST', '/api/watched/', { id: 'aaaaaaaaaaa', is_watched: false });
  const dora = await createUser(t, { name: 'Dora' });
  const doraToken = await tokenOf(dora);
  await t.app.db.deleteFrom('video').execute();
  return { t, copy, ann, annToken, deleted, deletedTokens, demoted, carol, carolTokens, dora, doraToken };
}

async function restore({ t, copy, ann }: { t: TestApp; copy: string; ann: User }, body: object = {}) {
  expect((await ann.call('POST', copy, body)).statusCode).toBe(200);
  await t.runner.idle();
  const [task] = (await ann.call('GET', '/api/task/by-name/restore_backup/')).json();
  expect(task.status, task.result).toBe('SUCCESS');
  return task.result as string;
}

const combinations = engines.flatMap((on) =>
  (['snapshot', 'backup'] as const).filter((kind) => kind === 'backup' || on === engines[0]).map((kind) => ({ kind, on })),
);

describe.each(combinations)('a restored $kind on $on.engine', ({ kind, on }) => {
  test('never restores accounts, roles, passwords or tokens that were revoked', async () => {
    const setup = await createArchiveWithChanges(kind, on);
    const { t, copy, ann, annToken, deletedTokens, demoted, carol, carolTokens, dora, doraToken } = setup;
    try {
      expect((await ann.call('GET', `${copy}accounts/`)).json()).toEqual({
        missing: [{ name: 'Fired', is_staff: true, is_disabled: false }],
        added: [{ name: 'Dora', is_staff: false, is_disabled: false }],
        changed: expect.toSatisfy((changed: { name: string }[]) => {
          const unchanged = { is_staff: false, is_disabled: false, was_disabled: false };
          const byName = Object.fromEntries(changed.map((account) => [account.name, account]));
          expect(Object.keys(byName).sort()).toEqual(['Carol', 'Demoted']);
          expect(byName.Carol).toEqual({
            ...unchanged,
            name: 'Carol',
            was_staff: false,
            password_changed: true,
            tokens_changed: true,
          });
          expect(byName.Demoted).toMatchObject({ ...unchanged, was_staff: true, password_changed: false });
          return true;
        }),
        contents: {
          current: expect.objectContaining({ videos: expect.any(Number), users: 4 }),
          copy: expect.objectContaining({ videos: 1, users: 4 }),
        },
        ...(kind === 'backup' && { replaces: true }),
      });
      const result = await restore(setup);
      expect(result).toMatch(/Accounts, roles, passwords, API tokens and sessions were not changed\./);
      expect(await t.app.db.selectFrom('video').select('id').execute()).toEqual([{ id: 'aaaaaaaaaaa' }]);

      for (const token of [...deletedTokens, ...carolTokens]) expect(await statusOf(t, token)).toBe(403);
      expect(await login(t, 'Fired', 'correct horse')).toBe(400);
      expect((await demoted.call('GET', '/api/user/account/')).json()).toMatchObject({ name: 'Demoted', is_staff: false });
      expect([await login(t, 'Carol', 'words of then'), await login(t, 'Carol', 'words of now')]).toEqual([400, 204]);
      expect(
        (await ann.call('GET', '/api/users/'))
          .json()
          .map(({ name }: { name: string }) => name)
          .sort(),
      ).toEqual(['Ann', 'Carol', 'Demoted', 'Dora']);
      // Current sessions, tokens and newer accounts are kept.
      expect([await statusOf(t, annToken), await statusOf(t, doraToken)]).toEqual([200, 200]);
      expect(await tokenOf(ann)).toBe(annToken);
      expect((await dora.call('GET', '/api/user/account/')).json()).toMatchObject({ name: 'Dora' });
      // Watch data comes from the snapshot or backup.
      expect((await carol.call('GET', '/api/video/aaaaaaaaaaa/')).json().player.watched).toBe(true);
    } finally {
      await t.close();
    }
  });

  test('restores deleted accounts on request, without their tokens', async () => {
    const setup = await createArchiveWithChanges(kind, on);
    const { t, demoted, deletedTokens, dora, doraToken } = setup;
    try {
      // Another account has the id of the deleted account.
      await t.app.db.deleteFrom('account').where('id', '=', dora.id).execute();
      const row = { name: 'Dora', normalizedName: 'dora', passwordHash: '', isStaff: 0, isSuperuser: 0, createdAt: 1 } as const;
      if (on.engine === 'sqlite')
        await t.app.db
          .insertInto('account')
          .values({ ...row, id: setup.deleted.id })
          .execute();
      else await t.app.db.insertInto('account').values(row).execute();
      const result = await restore(setup, { bring_accounts: true });
      expect(result).toMatch(/1 account was restored without API tokens\./);
      expect(await login(t, 'Fired', 'correct horse')).toBe(204);
      for (const token of [...deletedTokens, doraToken]) expect(await statusOf(t, token)).toBe(403);
      expect((await demoted.call('GET', '/api/user/account/')).json()).toMatchObject({ is_staff: false });
      const accounts = await t.app.db.selectFrom('account').select(['id', 'name']).orderBy('id').execute();
      expect(accounts.map(({ name }) => name).sort()).toEqual(['Ann', 'Carol', 'Demoted', 'Dora', 'Fired']);
      expect(accounts.find(({ name }) => name === 'Fired')!.id).toBe(setup.deleted.id);
      const next = await createUser(t, { name: 'Next' });
      expect(accounts.map(({ id }) => id)).not.toContain(next.id);
    } finally {
      await t.close();
    }
  });

  test('is not restored, deleted or compared by an API token', async () => {
    const { t, copy, annToken } = await createArchiveWithChanges(kind, on);
    try {
      const calls = [
        ['POST', copy, {}],
        ['GET', `${copy}accounts/`],
        ['DELETE', copy],
        ...(kind === 'backup' ? [['GET', `${copy}file/`] as const, ['POST', `${copy}link/`, {}] as const] : []),
      ] as const;
      for (const [method, path, body] of calls) {
        const response = await sendWithToken(t, annToken, method, path, body);
        expect([method, path, response.statusCode, response.json().detail]).toEqual([
          method,
          path,
          403,
          'You do not have permission to perform this action with a token.',
        ]);
      }
      // Requests of TubeArchivist clients still accept a token.
      expect((await sendWithToken(t, annToken, 'GET', url('backup/'))).statusCode).toBe(200);
      expect((await sendWithToken(t, annToken, 'GET', url('snapshot/'))).statusCode).toBe(200);
      expect((await sendWithToken(t, annToken, 'GET', copy)).statusCode).toBe(200);
      expect((await sendWithToken(t, annToken, 'POST', url('backup/'), {})).statusCode).toBe(200);
      await t.runner.idle();
    } finally {
      await t.close();
    }
  });
});

test('keeps encrypted API tokens readable for accounts that get another number', async () => {
  const t = await testApp({ onDisk: true });
  try {
    await t.runner.begin();
    const ann = await createUser(t, { name: 'Ann', isStaff: true });
    const bob = await createUser(t, { name: 'Bob' });
    const copy = await copies.snapshot(t, ann);
    await ann.call('DELETE', `/api/users/${bob.id}/`);
    // Another account has the id, as on a machine where users were added in another order.
    const eve = await createUser(t, { name: 'Eve' });
    await t.app.db.deleteFrom('session').where('accountId', '=', eve.id).execute();
    await t.app.db.updateTable('account').set({ id: bob.id }).where('id', '=', eve.id).execute();
    const login = await t.server.inject({
      method: 'POST',
      url: '/api/user/login/',
      payload: { username: 'Eve', password: 'correct horse' },
    });
    const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const read = async () => (await t.server.inject({ url: url('token/'), headers: { cookie } })).json();
    const before = await read();
    await restore({ t, copy, ann }, {});
    expect(await read()).toEqual(before);
    expect(await statusOf(t, before.token)).toBe(200);
    expect((await t.server.inject({ url: '/api/user/account/', headers: { cookie } })).json()).toMatchObject({ name: 'Eve' });
    const { id } = await t.app.db.selectFrom('account').select('id').where('name', '=', 'Eve').executeTakeFirstOrThrow();
    expect(id).not.toBe(bob.id);
  } finally {
    await t.close();
  }
});
