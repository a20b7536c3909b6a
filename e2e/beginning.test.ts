import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Check } from '#contract/doctor.ts';
import { eventually } from './acquiring.ts';
import { addressOf, aFolder, aVisitor, type Visitor } from './program.ts';
import { endAll, finished, start, stop, within } from './restoring.ts';

let folder: Awaited<ReturnType<typeof aFolder>>;
let data: string;
beforeEach(async () => {
  folder = await aFolder();
  data = join(folder.path, 'data');
  mkdirSync(data);
});
afterEach(async () => {
  await endAll();
  await folder.remove();
});

const checkOf = async (visitor: Visitor, name: string) =>
  ((await visitor.call('GET', '/api/doctor/')).json as Check[]).find((check) => check.name === name);
const healthOf = async (address: string) => {
  const answer = await fetch(`${address}/api/health/`);
  return { status: answer.status, json: (await answer.json()) as unknown };
};

// Root reads every folder, so the program is run by somebody else.
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
const mayBeNobody = !isRoot || spawnSync(asNobody[0]!, [...asNobody.slice(1), process.execPath, '-e', '']).status === 0;

test.runIf(mayBeNobody)('a folder that another account has shut stops nothing but itself, and the doctor names it', async () => {
  mkdirSync(join(data, 'backup'));
  if (isRoot) {
    chmodSync(folder.path, 0o755);
    chownSync(data, nobody, nobody);
    chmodSync(join(data, 'backup'), 0o700);
  } else chmodSync(join(data, 'backup'), 0);
  try {
    const program = await start(data, asNobody);
    const address = await addressOf(program);
    const visitor = await aVisitor(address);
    await visitor.call('POST', '/api/appsettings/snapshot/');
    expect(await finished(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
    expect(await checkOf(visitor, 'folders')).toMatchObject({
      state: 'bad',
      says: expect.stringContaining(join(data, 'backup')),
      command: expect.stringMatching(/^chown -R \d+:\d+ '.*backup'$/),
    });
    expect(await checkOf(visitor, 'work')).toMatchObject({ state: 'warn', says: expect.stringContaining('backups') });
    expect(await healthOf(address)).toEqual({ status: 200, json: 'OK' });
  } finally {
    chmodSync(join(data, 'backup'), 0o700);
  }
});

test.runIf(mayBeNobody)(
  'a data folder that cannot be written is told by the health check, and not by the one that asks who is alive',
  async () => {
    chmodSync(folder.path, 0o755);
    if (isRoot) chownSync(data, nobody, nobody);
    const address = await addressOf(await start(data, asNobody));
    expect(await healthOf(address)).toEqual({ status: 200, json: 'OK' });
    chmodSync(data, 0o555);
    try {
      expect(await healthOf(address)).toMatchObject({
        status: 503,
        json: { error: expect.stringMatching(/^The data folder cannot be written/) },
      });
      for (const path of ['/livez', '/livez/']) expect(await (await fetch(address + path)).json()).toBe('OK');
    } finally {
      chmodSync(data, 0o755);
    }
    expect(await healthOf(address)).toEqual({ status: 200, json: 'OK' });
  },
);

test('work that cannot begin is told by the health check and the doctor, is tried again, and begins', async () => {
  const first = await start(data);
  await addressOf(first);
  await stop(first);
  // What an earlier run held cannot be freed.
  within(data, (db) =>
    db.exec(`insert into download (id, site, site_id, url, title, channel_id, channel_name, kind, status, auto_start, queued_at, leased_by, lease_until, folded_title)
        values ('v', 's', 'v', 'https://s/v', 'V', 'c', 'C', 'videos', 'pending', 0, 1, 'another run', 1, 'v');
      create trigger held before update on download begin select raise(abort, 'somebody holds it'); end`),
  );
  const second = await start(data);
  const address = await addressOf(second);
  const isWell = async () => (await healthOf(address)).status === 200;
  await eventually(async () => !(await isWell()));
  expect(await healthOf(address)).toMatchObject({
    status: 503,
    json: { error: expect.stringMatching(/^Background work could not begin/) },
  });
  const visitor = await aVisitor(address);
  expect(await checkOf(visitor, 'work')).toMatchObject({ state: 'bad', says: expect.stringContaining('somebody holds it') });
  within(data, (db) => db.exec('drop trigger held'));
  await eventually(isWell);
  expect(await checkOf(visitor, 'work')).toMatchObject({ state: 'good' });
  await visitor.call('POST', '/api/appsettings/snapshot/');
  expect(await finished(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
  expect(within(data, (db) => db.prepare('select leased_by from download').get())).toEqual({ leased_by: null });
});
