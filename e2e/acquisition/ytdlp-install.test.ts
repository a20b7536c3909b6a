// Installation of yt-dlp on a machine without it, or with one that is years old. Other programs are fakes that log their arguments.
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/acquisition.ts';
import { canMount, pathInNamespace, withSmallDisk } from '../support/disk.ts';
import { isDeadWithin, pidOf } from '../support/killing.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type Program } from '../support/program.ts';

/** Returns a fake yt-dlp that prints its version; versions before 2025 reject `--no-plugin-dirs`. */
const fakeYtdlp = (version: string) => `#!/bin/sh
case "$*" in
  *--version) echo ${version} ;;
  *) ${version < '2025' ? 'echo "yt-dlp: error: no such option: --no-plugin-dirs" >&2; exit 2' : 'echo --js-runtimes'} ;;
esac
`;
/** What pip reports of the packages that it would install. */
const report = JSON.stringify({
  install: [
    {
      download_info: { archive_info: { hashes: { sha256: '0'.repeat(64) } } },
      metadata: { name: 'yt-dlp', version: '2026.10.26' },
    },
  ],
});
const isRoot = process.getuid?.() === 0;

describe('installing yt-dlp', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let programs: Program[] = [];
  const pathOf = (name: string) => join(folder.path, 'bin', name);
  const calls = () => readFile(join(folder.path, 'called'), 'utf8').catch(() => '');
  const createScript = async (name: string, text: string) => {
    await writeFile(pathOf(name), text);
    await chmod(pathOf(name), 0o755);
  };
  /** Creates a Python that logs its arguments, runs `commands`, and creates the folder that pip installs into. */
  const createPython = (name: string, commands: string) =>
    createScript(
      name,
      `#!/bin/sh
echo "$*" >> '${join(folder.path, 'called')}'
${commands}
case "$*" in *--report*) echo '${report}' ;; esac
while [ $# -gt 0 ]; do
  if [ "$1" = --target ]; then /bin/mkdir -p "$2"; fi
  shift
done
`,
    );
  /** Creates a package manager that offers and installs a version. */
  const createPackageManager = async (version: string) => {
    await createScript('apt-cache', `#!/bin/sh\necho 'yt-dlp:'\necho '  Installed: (none)'\necho '  Candidate: ${version}-1'\n`);
    await createScript(
      'apt-get',
      `#!/bin/sh\necho "$*" >> '${join(folder.path, 'called')}'\ncase "$*" in *install*) /bin/cp '${pathOf('package')}' '${pathOf('yt-dlp')}' ;; esac\n`,
    );
    await createScript('package', fakeYtdlp(version));
  };
  const start = async (configured = '', under: string[] = []) => {
    const env = { PATH: join(folder.path, 'bin'), REELKEEP_YTDLP: configured, REELKEEP_PROXY: 'http://127.0.0.1:1' };
    const program = await startProgram({ data: join(folder.path, 'data'), env, under });
    programs.push(program);
    return program;
  };
  beforeEach(async () => {
    folder = await createTempFolder();
    await mkdir(join(folder.path, 'bin'));
  });
  afterEach(async () => {
    for (const { child, ended } of programs) {
      child.kill('SIGKILL');
      await ended;
    }
    programs = [];
    await folder.remove();
  });

  test('skips a yt-dlp that is too old, installs none that would be, and reports the remedy', async () => {
    await createScript('yt-dlp', fakeYtdlp('2023.03.04'));
    await createPackageManager('2023.03.04');
    const program = await start();
    const visitor = await logInToProgram(await addressOf(program));
    await eventually(async () =>
      /yt-dlp could not be installed\. Install it \(pip install --upgrade \\"yt-dlp\[default\]\\"/.test(program.output.text),
    );
    expect(program.output.text).toMatch(/yt-dlp is yt-dlp 2023\.03\.04, too old to be used; 2025\.04\.30 or newer is needed/);
    if (isRoot) expect(program.output.text).toMatch(/2023\.03\.04 is too old; [^}]*cannot install yt-dlp from Debian/);
    expect(await calls()).not.toContain('install');
    const checks = (await visitor.call('GET', '/api/health/checks/')).json as { name: string }[];
    expect(checks.find(({ name }) => name === 'ytdlp')).toMatchObject({
      state: 'bad',
      text: expect.stringMatching(/^yt-dlp 2023\.03\.04 is too old, so nothing can be downloaded\. It could not be installed: /),
      command: 'pip install --upgrade "yt-dlp[default]"',
    });
  });

  test.runIf(isRoot)(
    'installs the package of the system when no newer one is available and that one is recent enough',
    async () => {
      await createPackageManager('2025.04.30');
      const program = await start();
      await eventually(async () => /yt-dlp 2025\.04\.30 from Debian's packages/.test(program.output.text));
      expect(await calls()).toMatch(/ install -y --no-install-recommends yt-dlp\n/);
    },
  );

  test('installs from PyPI when the configured yt-dlp is too old, once, and keeps it updated', async () => {
    await createScript('older', fakeYtdlp('2024.12.23'));
    await createPython('python3', 'case "$*" in *yt_dlp*--version) echo 2026.10.26 ;; esac');
    const first = await start(pathOf('older'));
    const visitor = await logInToProgram(await addressOf(first));
    const state = async () => (await visitor.call('GET', '/api/ytdlp/')).json as { version: string | null; is_managed: boolean };
    await eventually(async () => /yt-dlp 2026\.10\.26 from PyPI/.test(first.output.text));
    await eventually(async () => (await state()).version === '2026.10.26');
    expect((await state()).is_managed).toBe(true);
    const checks = (await visitor.call('GET', '/api/health/checks/')).json as { name: string; text: string }[];
    expect(checks.find(({ name }) => name === 'ytdlp')?.text).toContain('Installed with pip');
    first.child.kill('SIGTERM');
    await first.ended;
    const second = await start(pathOf('older'));
    await eventually(async () => /"yt-dlp 2026\.10\.26"/.test(second.output.text));
    expect(second.output.text).not.toContain('fetching it');
    expect((await calls()).match(/pip install .* --report - yt-dlp\[default\]$/gm)).toHaveLength(1);
  });

  test('installs from PyPI with the shim of a Python version manager, which needs other programs on PATH', async () => {
    await createScript('python3', '#!/bin/sh\nexec versioned-python "$@"\n');
    await createPython(
      'versioned-python',
      `case "$*" in
  *sys.executable*) echo '${pathOf('versioned-python')}' ;;
  *yt_dlp*--version) echo 2026.10.26 ;;
esac`,
    );
    const program = await start();
    await eventually(async () => /yt-dlp 2026\.10\.26 from PyPI/.test(program.output.text));
  });

  test('logs that the program from PyPI does not start', async () => {
    await createPython('python3', 'case "$*" in *yt_dlp*) exit 1 ;; esac');
    const program = await start();
    await eventually(async () => /yt-dlp could not be installed/.test(program.output.text));
    expect(program.output.text).toMatch(/the installed program does not start[^}]*cannot install yt-dlp from PyPI/);
  });

  test.runIf(canMount)('names a full disk as the reason, and leaves nothing on it', async () => {
    const data = join(folder.path, 'data');
    await mkdir(data);
    await createPython(
      'python3',
      `case "$*" in *--require-hashes*)
  while [ "$1" != --target ]; do shift; done
  /bin/mkdir -p "$2"; exec /bin/dd if=/dev/zero of="$2/package" bs=1M count=100 status=none ;;
esac`,
    );
    // The path of the machine is for mounting only.
    const withPath = (path: string) => ['/usr/bin/env', `PATH=${path}`];
    const under = [...withPath(process.env.PATH!), ...withSmallDisk(data, 24), ...withPath(join(folder.path, 'bin'))];
    const program = await start('', under);
    const visitor = await logInToProgram(await addressOf(program));
    await eventually(async () => /yt-dlp could not be installed/.test(program.output.text));
    const checks = (await visitor.call('GET', '/api/health/checks/')).json as { name: string }[];
    expect(checks.find(({ name }) => name === 'ytdlp')).toMatchObject({
      state: 'bad',
      text: expect.stringContaining('It could not be installed: the disk is full; free up space, then try again'),
      action: 'install',
    });
    expect(await readdir(join(pathInNamespace(await pidOf(program), data), 'tools', 'ytdlp'))).toEqual([]);
  });

  test('stops the installation when the program stops, and starts nothing else', async () => {
    await createPackageManager('2025.04.30');
    const pids = join(folder.path, 'pids');
    await createScript(
      'python3',
      `#!/bin/sh\necho $$ > '${pids}'\necho "$*" >> '${join(folder.path, 'called')}'\nexec /bin/sleep 60\n`,
    );
    const program = await start();
    await addressOf(program);
    await eventually(async () => (await calls()).includes('pip install'));
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(await isDeadWithin(Number(await readFile(pids, 'utf8')), 1000)).toBe(true);
    expect(await calls()).not.toContain('install -y');
    expect(program.output.text).not.toContain("Debian's packages");
  });
});
