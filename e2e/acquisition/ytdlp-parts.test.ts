// yt-dlp with missing, wrong and broken parts: what Health says, what downloads say, and how it is repaired.
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { updateYtdlp } from '#server/features/system/update-ytdlp.ts';
import { checkYtdlp, proveYtdlp } from '#server/features/system/ytdlp-parts.ts';
import { writeSettings } from '#server/archive/settings/store.ts';
import { toolsFolderOf } from '#server/platform/context/tools.ts';
import { installPinned, resolvePackages } from '#server/platform/ytdlp/pip.ts';
import { limitedNode } from '#server/platform/ytdlp/path-folder.ts';
import { aCatalogue, aChannel, aClip, aVideo } from '../../test-site/builders.ts';
import { releaseKey } from '../../test-site/services/ytdlp-releases.ts';
import { add, createArchive, hasTools, queueOf, trust, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const packages = join(dirname(process.env.REELKEEP_YTDLP ?? '/'), 'packages');
const never = new AbortController().signal;
const channel = aChannel({ name: 'Parts' });
const video = aVideo({ id: 'partsVideo1', channelId: channel.id, title: 'Parts', durationSeconds: 2 });
const guarded = aClip({ title: 'Guarded', durationSeconds: 2, wantsBrowser: true });

describe.runIf(hasTools && existsSync(packages))('parts of yt-dlp', () => {
  let t: TestSiteArchive;
  let folder: string;
  /** Creates a yt-dlp without some packages of the real one, and with others in their place. */
  const createYtdlp = async ({ without = /^$/, environment = '' }: { without?: RegExp; environment?: string } = {}) => {
    const kept = join(folder, 'packages');
    await rm(kept, { recursive: true, force: true });
    await mkdir(kept);
    for (const name of await readdir(packages)) if (!without.test(name)) await symlink(join(packages, name), join(kept, name));
    const path = join(folder, 'yt-dlp');
    await writeFile(path, `#!/bin/sh\n${environment} PYTHONPATH='${kept}':"$PYTHONPATH" exec python3 -S -m yt_dlp "$@"\n`);
    await chmod(path, 0o755);
    return path;
  };
  const start = async (ytdlp: string) => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [video], clips: [guarded] }), {
      env: { REELKEEP_YTDLP: ytdlp },
    });
  };
  const checks = async () =>
    Object.fromEntries(
      ((await t.staff.call('GET', '/api/health/checks/')).json() as Check[]).map((check) => [check.name, check]),
    ) as Record<Check['name'], Check>;
  const repair = async () => {
    const { task_id: id } = (await t.staff.call('POST', '/api/task/by-name/update_ytdlp/')).json();
    await t.runner.idle();
    return (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json() as { status: string; result: string };
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-parts-'));
  });
  afterEach(async () => {
    await t.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('are listed with their versions, and the challenges are solved in seconds', async () => {
    await start(await createYtdlp());
    const found = await checks();
    expect(found.runtime.text).toBe(`Node ${process.versions.node} runs the player scripts of YouTube.`);
    expect(found.python.text).toMatch(/^Python 3\.\d+\.\d+ runs yt-dlp\.$/);
    expect(found.solver.text).toMatch(/^yt-dlp-ejs \d+\.\d+\.\d+ solves/);
    expect(found.challenges).toMatchObject({ state: 'good', text: expect.stringMatching(/^Solved in \d+(\.\d)? s\.$/) });
    expect(found.aes.state).toBe('good');
    expect(found.impersonation).toMatchObject({ state: 'warn', action: 'install' });
    expect(t.testSite.requests.filter(({ path }) => path.includes('/player'))).toEqual([]);
  });

  test('a missing solver is told, installed by the button, and what failed is retried', async () => {
    await start(await createYtdlp({ without: /^yt_dlp_ejs/ }));
    const broken = await checks();
    expect(broken.solver).toMatchObject({
      state: 'bad',
      action: 'install',
      text: expect.stringContaining('yt-dlp-ejs is missing'),
    });
    expect(broken.challenges).toMatchObject({ state: 'bad', action: 'update' });
    await add(t, video.id);
    expect(await queueOf(t)).toMatchObject([{ failure: 'challenge' }]);
    expect(await repair()).toMatchObject({ status: 'SUCCESS', result: expect.stringContaining('solves the challenges') });
    const repaired = await checks();
    expect([repaired.solver.state, repaired.challenges.state, repaired.impersonation.state]).toEqual(['good', 'good', 'good']);
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect((await videoOf(t, video.id)).title).toBe(video.title);
  });

  test('are not installed for a yt-dlp of the user by the daily update', async () => {
    await start(await createYtdlp());
    const input = updateYtdlp.input.parse(updateYtdlp.schedule?.input);
    await checks(); // finds what is missing
    await t.app.tasks.start(updateYtdlp, input);
    await t.runner.idle();
    expect((await checks()).impersonation).toMatchObject({ state: 'warn', action: 'install' });
  });

  test('a solver of another version is told, and replaced by the one that this yt-dlp accepts', async () => {
    const other = join(folder, 'other');
    await installPinned(await resolvePackages('yt-dlp-ejs==0.5.0', never), other, never);
    await start(await createYtdlp({ without: /^yt_dlp_ejs/, environment: `PYTHONPATH="$PYTHONPATH:${other}"` }));
    expect((await checks()).solver).toMatchObject({
      state: 'bad',
      text: expect.stringMatching(/^This yt-dlp needs yt-dlp-ejs \d+\.\d+\.\d+, but 0\.5\.0 is installed/),
    });
    await checkYtdlp(t.app, never);
    expect((await checks()).solver.state).toBe('good');
  });

  test('a page that admits only browsers is downloaded after curl_cffi was installed', async () => {
    await start(await createYtdlp());
    await checkYtdlp(t.app, never, { repairs: true });
    expect((await checks()).impersonation.state).toBe('good');
    await add(t, `https://clips.example/watch/${guarded.slug}`);
    expect(await queueOf(t)).toEqual([]);
    expect(await t.app.db.selectFrom('video').select('title').execute()).toEqual([{ title: guarded.title }]);
  });

  test('formats that were stored without yt-dlp are checked when it is there', async () => {
    await start(await createYtdlp());
    await writeSettings(t.app.db, { downloads: { format: 'bestvideo[height<=720' } });
    await checkYtdlp(t.app, never);
    expect((await checks()).format).toMatchObject({
      state: 'bad',
      text: expect.stringContaining('The format of the settings is not valid'),
    });
    await writeSettings(t.app.db, { downloads: { format: null } });
    await checkYtdlp(t.app, never);
    expect(await checks()).not.toHaveProperty('format');
  });

  test.each([
    ['loops for ever', 'while :; do :; done'],
    ['allocates without end', 'exec "$real" -e "const all=[]; for(;;) all.push(new Array(1e6).fill(1.5))"'],
    ['crashes', 'kill -SEGV $$'],
  ])('a script that %s is ended and told', async (_, commands) => {
    await start(await createYtdlp());
    const node = limitedNode(toolsFolderOf(t.app));
    await writeFile(
      node,
      `#!/bin/sh\ncase "$*" in *--version*) exec '${process.execPath}' "$@" ;; esac\nreal='${process.execPath}'\nulimit -t 1\nulimit -v 8000000\n${commands}\n`,
    );
    const { seconds, failure } = await proveYtdlp(t.app, never);
    expect([seconds, failure?.kind]).toEqual([null, 'challenge']);
  });

  test('a script of a site has limits of time and memory', async () => {
    await start(await createYtdlp());
    const { execFileSync } = await import('node:child_process');
    const node = limitedNode(toolsFolderOf(t.app));
    const limits = execFileSync(node, ['-p', 'require("v8").getHeapStatistics().heap_size_limit / 2 ** 20'], {
      encoding: 'utf8',
    });
    expect(Number(limits)).toBeLessThan(900);
    const cpu = execFileSync(node, ['-p', 'require("fs").readFileSync("/proc/self/limits", "utf8")'], { encoding: 'utf8' });
    expect(cpu).toMatch(/Max cpu time\s+60\s+60/);
  });
});

/** Returns a program that prints this version and otherwise runs the real yt-dlp with further options. */
const release = (version: string, options = '') => `#!/bin/sh
for word in "$@"; do [ "$word" = --version ] && { echo ${version}; exit 0; }; done
exec '${process.env.REELKEEP_YTDLP}' "$@" ${options}
`;

describe.runIf(hasTools)('an update of yt-dlp', () => {
  let t: TestSiteArchive;
  let untrust = () => {};
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [video] }), { env: { REELKEEP_YTDLP: '' } });
    t.app.tools.releaseKey = await releaseKey();
    untrust = trust(t.testSite);
    await t.staff.call('POST', '/api/appsettings/config/', { ytdlp: { updates: 'on' } });
  });
  afterAll(async () => {
    untrust();
    await t.close();
  });
  const update = async () => {
    const { task_id: id } = (await t.staff.call('POST', '/api/task/by-name/update_ytdlp/')).json();
    await t.runner.idle();
    return (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json() as { status: string; result: string };
  };
  const version = () => t.app.tools.ytdlp?.version;

  const ytdlpCheck = async () => (await t.staff.call('GET', '/api/health/checks/')).json()[0] as Check;

  test('that is missing is installed by the button of Health, once for two requests', async () => {
    expect(await ytdlpCheck()).toMatchObject({ name: 'ytdlp', group: 'programs', state: 'bad', action: 'install' });
    t.testSite.catalogue.ytdlpReleases.push({ version: '2026.10.30', program: release('2026.10.30') });
    const replies = await Promise.all([1, 2].map(() => t.staff.call('POST', '/api/task/by-name/update_ytdlp/')));
    expect(replies[1]!.json().task_id).toBe(replies[0]!.json().task_id);
    await t.runner.idle();
    expect(await ytdlpCheck()).not.toHaveProperty('action');
    expect(version()).toBe('2026.10.30');
  });

  test('that solves no challenges is not used in place of one that does', async () => {
    t.testSite.catalogue.ytdlpReleases.push({ version: '2026.11.01', program: release('2026.11.01') });
    expect((await update()).status).toBe('SUCCESS');
    expect(t.app.tools.solver?.seconds).toBeGreaterThan(0);
    t.testSite.catalogue.ytdlpReleases.push({ version: '2026.11.02', program: release('2026.11.02', '--no-js-runtimes') });
    expect(await update()).toMatchObject({
      status: 'FAILURE',
      result: expect.stringMatching(/It cannot solve the challenges of YouTube.* Version 2026\.11\.01 stays in use/),
    });
    expect(version()).toBe('2026.11.01');
    t.testSite.catalogue.ytdlpReleases.pop();
  });

  test('takes the standalone release if the small one does not start with the Python of the machine', async () => {
    const small = '#!/bin/sh\necho "ImportError: Only Python versions 3.99 and above are supported by yt-dlp" >&2\nexit 1\n';
    t.testSite.catalogue.ytdlpReleases.push({ version: '2026.11.03', program: small, standalone: release('2026.11.03') });
    expect((await update()).status).toBe('SUCCESS');
    expect(version()).toBe('2026.11.03');
    expect(
      t.testSite.requests.filter(({ path }) => path.includes('/2026.11.03/yt-dlp')).map(({ path }) => path.split('/').at(-1)),
    ).toEqual(['yt-dlp', process.arch === 'arm64' ? 'yt-dlp_linux_aarch64' : 'yt-dlp_linux']);
  });
});
