import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import { eventually } from '../support/acquisition.ts';
import { addressOf, createTempFolder, logInToProgram, type ApiClient } from '../support/program.ts';
import { endAll, waitForTask, start, stop, withDatabase } from '../support/restoring.ts';

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let data: string;
beforeEach(async () => {
  folder = await createTempFolder();
  data = join(folder.path, 'data');
  mkdirSync(data);
});
afterEach(async () => {
  await endAll();
  await folder.remove();
});

const checkOf = async (visitor: ApiClient, name: string) =>
  ((await visitor.call('GET', '/api/health/checks/')).json as Check[]).find((check) => check.name === name);
const healthOf = async (address: string) => {
  const response = await fetch(`${address}/api/health/`);
  return { status: response.status, json: (await response.json()) as unknown };
};

// Root can read every folder, so the program runs as an unprivileged user.
const unprivilegedUid = 65_534;
const isRoot = process.getuid?.() === 0;
const asUnprivileged = isRoot ? ['setpriv', `--reuid=${unprivilegedUid}`, `--regid=${unprivilegedUid}`, '--clear-groups'] : [];
const canRunUnprivileged =
  !isRoot || spawnSync(asUnprivileged[0]!, [...asUnprivileged.slice(1), process.execPath, '-e', '']).status === 0;

test.runIf(canRunUnprivileged)('an unreadable folder stops nothing else, and the health checks name it', async () => {
  mkdirSync(join(data, 'backup'));
  if (isRoot) {
    chmodSync(folder.path, 0o755);
    chownSync(data, unprivilegedUid, unprivilegedUid);
    chmodSync(join(data, 'backup'), 0o700);
  } else chmodSync(join(data, 'backup'), 0);
  try {
    const program = await start(data, asUnprivileged);
    const address = await addressOf(program);
    const visitor = await logInToProgram(address);
    await visitor.call('POST', '/api/appsettings/snapshot/');
    expect(await waitForTask(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
    expect(await checkOf(visitor, 'folders')).toMatchObject({
      state: 'bad',
      text: expect.stringContaining(join(data, 'backup')),
      command: expect.stringMatching(/^chown -R \d+:\d+ '.*backup'$/),
    });
    expect(await checkOf(visitor, 'work')).toMatchObject({ state: 'warn', text: expect.stringContaining('backups') });
    expect(await healthOf(address)).toEqual({ status: 200, json: 'OK' });
  } finally {
    chmodSync(join(data, 'backup'), 0o700);
  }
});

test.runIf(canRunUnprivileged)('a read-only data folder fails the health check, but not the liveness check', async () => {
  chmodSync(folder.path, 0o755);
  if (isRoot) chownSync(data, unprivilegedUid, unprivilegedUid);
  const address = await addressOf(await start(data, asUnprivileged));
  expect(await healthOf(address)).toEqual({ status: 200, json: 'OK' });
  chmodSync(data, 0o555);
  try {
    expect(await healthOf(address)).toMatchObject({
      status: 503,
      json: { error: expect.stringMatching(/^The data folder is not writable/) },
    });
    for (const path of ['/livez', '/livez/']) expect(await (await fetch(address + path)).json()).toBe('OK');
  } finally {
    chmodSync(data, 0o755);
  }
  expect(await healthOf(address)).toEqual({ status: 200, json: 'OK' });
});

test('failed startup work is reported by the health checks, retried and completed', async () => {
  const first = await start(data);
  await addressOf(first);
  await stop(first);
  // The trigger blocks the release of a lease of an earlier run.
  withDatabase(data, (db) =>
    db.exec(`insert into download (id, site, site_id, url, title, channel_id, channel_name, kind, status, auto_start, queued_at, leased_by, lease_until, normalized_title)
        values ('v', 's', 'v', 'https://s/v', 'V', 'c', 'C', 'videos', 'pending', 0, 1, 'another run', 1, 'v');
      create trigger held before update on download begin select raise(abort, 'the row is locked'); end`),
  );
  const second = await start(data);
  const address = await addressOf(second);
  const isHealthy = async () => (await healthOf(address)).status === 200;
  await eventually(async () => !(await isHealthy()));
  expect(await healthOf(address)).toMatchObject({
    status: 503,
    json: { error: expect.stringMatching(/^Background tasks could not be started/) },
  });
  const visitor = await logInToProgram(address);
  expect(await checkOf(visitor, 'work')).toMatchObject({ state: 'bad', text: expect.stringContaining('the row is locked') });
  withDatabase(data, (db) => db.exec('drop trigger held'));
  await eventually(isHealthy);
  expect(await checkOf(visitor, 'work')).toMatchObject({ state: 'good' });
  await visitor.call('POST', '/api/appsettings/snapshot/');
  expect(await waitForTask(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
  expect(withDatabase(data, (db) => db.prepare('select leased_by from download').get())).toEqual({ leased_by: null });
});
