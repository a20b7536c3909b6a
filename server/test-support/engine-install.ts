import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { testTimeouts, type createUser, type TestApp } from './app.ts';

type Staff = Awaited<ReturnType<typeof createUser>>;

/** Installs an engine of Python packages by its API (`/api/speech/`); returns the task when it has ended. */
export async function installEngine(staff: Staff, api: string) {
  const { task_id: id } = (await staff.call('POST', `${api}engine/`, { action: 'install' })).json();
  const run = async () => (await staff.call('GET', `/api/task/by-id/${id}/`)).json();
  await expect.poll(async () => (await run()).status, testTimeouts).toMatch(/SUCCESS|FAILURE/);
  return run();
}

/** Expects that packages that are missing, or have another checksum, are not installed. `wheel`: the file name of the first. */
export async function expectUnknownPackagesRefused(
  { t, staff }: { t: TestApp; staff: Staff },
  { api, folder, wheel }: { api: string; folder: string; wheel: string },
) {
  const wheels = await mkdtemp(join(tmpdir(), 'wheels-'));
  onTestFinished(() => rm(wheels, { recursive: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PIP_NO_INDEX', '1');
  vi.stubEnv('PIP_FIND_LINKS', wheels);
  expect(JSON.stringify(await installEngine(staff, api))).toContain('No package for this processor.');
  await writeFile(join(wheels, wheel), 'another');
  expect(JSON.stringify(await installEngine(staff, api))).toContain('does not match its checksum. Nothing was installed.');
  const tools = await readdir(join(t.folder, 'tools'));
  expect(tools.filter((name) => name.startsWith(folder.split('-')[0]!))).toEqual([folder]);
  expect(await readdir(join(t.folder, 'tools', folder))).toEqual([]);
  const { engine } = (await staff.call('GET', api)).json();
  expect(engine).toMatchObject({ version: null, previous: null, is_configured: false });
  const back = await staff.call('POST', `${api}engine/`, { action: 'rollback' });
  expect([back.statusCode, back.json().error]).toEqual([409, expect.stringMatching(/^There is no earlier version of the /)]);
}

/** Adds a copy of the installed engine as if it were of an earlier release, `1.0.0`. */
export async function addEarlierEngine({ folder }: TestApp, engineFolder: string) {
  const versions = join(folder, 'tools', engineFolder);
  const [name] = await readdir(versions);
  await cp(join(versions, name!), join(versions, '1-1.0.0'), { recursive: true, verbatimSymlinks: true });
}
