// How yt-dlp comes to a machine that has none, or one of years ago. The programs around it are stand-ins that write down how
// they were called.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from './acquiring.ts';
import { isDeadWithin } from './killing.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Program } from './program.ts';

/** One that says its version, and like those before 2025 knows no `--no-plugin-dirs` when it is asked for anything else. */
const says = (version: string) => `#!/bin/sh
case "$*" in
  *--version) echo ${version} ;;
  *) ${version < '2025' ? 'echo "yt-dlp: error: no such option: --no-plugin-dirs" >&2; exit 2' : 'echo --js-runtimes'} ;;
esac
`;
const isRoot = process.getuid?.() === 0;

describe('yt-dlp is brought', () => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let programs: Program[] = [];
  const at = (name: string) => join(folder.path, 'bin', name);
  const called = () => readFile(join(folder.path, 'called'), 'utf8').catch(() => '');
  const aProgram = async (name: string, text: string) => {
    await writeFile(at(name), text);
    await chmod(at(name), 0o755);
  };
  /** A package manager that offers a version, and installs it. */
  const aManager = async (version: string) => {
    await aProgram('apt-cache', `#!/bin/sh\necho 'yt-dlp:'\necho '  Installed: (none)'\necho '  Candidate: ${version}-1'\n`);
    await aProgram(
      'apt-get',
      `#!/bin/sh\necho "$*" >> '${join(folder.path, 'called')}'\ncase "$*" in *install*) /bin/cp '${at('packed')}' '${at('yt-dlp')}' ;; esac\n`,
    );
    await aProgram('packed', says(version));
  };
  const start = async (configured = '') => {
    const env = { PATH: join(folder.path, 'bin'), REELKEEP_YTDLP: configured, REELKEEP_PROXY: 'http://127.0.0.1:1' };
    const program = await startProgram({ data: join(folder.path, 'data'), env });
    programs.push(program);
    return program;
  };
  beforeEach(async () => {
    folder = await aFolder();
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

  test('one that is too old is passed over, and one that would be is not installed: it says so, and what to do', async () => {
    await aProgram('yt-dlp', says('2023.03.04'));
    await aManager('2023.03.04');
    const program = await start();
    const visitor = await aVisitor(await addressOf(program));
    await eventually(async () => /yt-dlp could not be had\. Install it \(pip install/.test(program.words.text));
    expect(program.words.text).toMatch(/yt-dlp is yt-dlp 2023\.03\.04, too old to be used; 2025\.04\.30 or newer is needed/);
    if (isRoot) expect(program.words.text).toMatch(/2023\.03\.04 is too old; [^}]*could not be had from Debian/);
    expect(await called()).not.toContain('install');
    const checks = (await visitor.call('GET', '/api/doctor/')).json as { name: string }[];
    expect(checks.find(({ name }) => name === 'ytdlp')).toMatchObject({
      state: 'bad',
      says: 'yt-dlp 2023.03.04 is too old to be used, so nothing can be fetched.',
      command: 'pip install --upgrade yt-dlp',
    });
  });

  test.runIf(isRoot)('from the package manager, where nothing newer can be reached and its own will do', async () => {
    await aManager('2025.04.30');
    const program = await start();
    await eventually(async () => /yt-dlp 2025\.04\.30 from Debian's packages/.test(program.words.text));
    expect(await called()).toMatch(/ install -y --no-install-recommends yt-dlp\n/);
  });

  test('from PyPI instead of one that was configured and is too old: once, and it is kept up to date from then on', async () => {
    await aProgram('older', says('2024.12.23'));
    await aProgram(
      'python3',
      `#!/bin/sh
echo "$*" >> '${join(folder.path, 'called')}'
case "$*" in *yt_dlp*--version) echo 2026.10.26 ;; esac
while [ $# -gt 0 ]; do
  if [ "$1" = --target ]; then /bin/mkdir -p "$2"; fi
  shift
done
`,
    );
    const first = await start(at('older'));
    const visitor = await aVisitor(await addressOf(first));
    const state = async () => (await visitor.call('GET', '/api/ytdlp/')).json as { version: string | null; is_managed: boolean };
    await eventually(async () => /yt-dlp 2026\.10\.26 from PyPI/.test(first.words.text));
    await eventually(async () => (await state()).version === '2026.10.26');
    expect((await state()).is_managed).toBe(true);
    first.child.kill('SIGTERM');
    await first.ended;
    const second = await start(at('older'));
    await eventually(async () => /"yt-dlp 2026\.10\.26"/.test(second.words.text));
    expect(second.words.text).not.toContain('fetching it');
    expect((await called()).match(/pip install/g)).toHaveLength(1);
  });

  test('when the program is stopped meanwhile, what fetches it ends, and nothing more is begun', async () => {
    await aManager('2025.04.30');
    const pids = join(folder.path, 'pids');
    await aProgram(
      'python3',
      `#!/bin/sh\necho $$ > '${pids}'\necho "$*" >> '${join(folder.path, 'called')}'\nexec /bin/sleep 60\n`,
    );
    const program = await start();
    await addressOf(program);
    await eventually(async () => (await called()).includes('pip install'));
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(await isDeadWithin(Number(await readFile(pids, 'utf8')), 1000)).toBe(true);
    expect(await called()).not.toContain('install -y');
    expect(program.words.text).not.toContain("Debian's packages");
  });
});
