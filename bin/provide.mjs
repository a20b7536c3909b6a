// The real programs that the tests run: found on the machine, or brought there. What cannot be had is named, and the tests
// that need it are counted as skipped.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './node.mjs';

const isRoot = process.getuid?.() === 0;
const run = (command, args, options = {}) => spawnSync(command, args, { encoding: 'utf8', ...options });
const onPath = (name) => run('sh', ['-c', `command -v ${name}`]).stdout?.trim() || undefined;

let isUpdated = false;
/** Installs a package of Debian's; true when that worked. */
function apt(...packages) {
  if (!onPath('apt-get')) return false;
  const [command, before] = isRoot ? ['apt-get', []] : ['sudo', ['-n', 'apt-get']];
  if (!isRoot && run('sudo', ['-n', 'true']).status !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (!isUpdated) run(command, [...before, 'update', '-qq'], { env });
  isUpdated = true;
  console.log(`Installing ${packages.join(', ')} …`);
  return run(command, [...before, 'install', '-y', '-qq', '--no-install-recommends', ...packages], { env }).status === 0;
}

/** The system's own Python, which starts in two thirds of the time of one that somebody built, if it is new enough. */
function quickPython() {
  const path = '/usr/bin/python3';
  const isFit = existsSync(path) && run(path, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
  return isFit ? path : undefined;
}

/** A program from PyPI, of a version or the newest, in a folder of its own below `.tools`. */
function fromPypi(name, requirement, { start, program, isAnyPython }) {
  const folder = join(root, '.tools', name);
  const command = join(folder, program);
  if (existsSync(command)) return command;
  const found = onPath('python3');
  if (!found) return undefined;
  // What is on the path may be a shim that needs more of the path than a test leaves.
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
  const runner = isAnyPython ? (quickPython() ?? python) : python;
  writeFileSync(command, `#!/bin/sh\nPYTHONPATH='${join(folder, 'packages')}' exec '${runner}' ${start} "$@"\n`);
  chmodSync(command, 0o755);
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

/** A PostgreSQL of our own for the time of the tests: without syncing, in a temporary folder. */
function startPostgres() {
  if (!postgresPrograms() && !apt('postgresql')) return undefined;
  const programs = postgresPrograms();
  if (!programs) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'reelkeep-postgres-'));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  // PostgreSQL refuses to run as root; its package brings an account to run as.
  if (isRoot) run('chown', ['postgres', folder]);
  const as = (command, args) => {
    const whole = isRoot
      ? ['runuser', ['-u', 'postgres', '--', join(programs, command), ...args]]
      : [join(programs, command), args];
    return run(whole[0], whole[1], { stdio: 'ignore', cwd: folder });
  };
  const data = join(folder, 'data');
  // In English order, as the image of PostgreSQL makes its databases; before 15 it takes a language of the system for that.
  const initdb = ['-D', data, '-U', 'reelkeep', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
  const inEnglish = [...initdb, '--locale-provider=icu', '--icu-locale=en-US'];
  if (as('initdb', inEnglish).status !== 0 && as('initdb', initdb).status !== 0) return undefined;
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

// A browser in Safari's engine, a screen for it that nobody sees, and what plays H.264 and AAC in it.
const webkitPackages = ['webkit2gtk-driver', 'xvfb', 'gstreamer1.0-plugins-good', 'gstreamer1.0-libav'];

/** What drives WebKit, when everything it takes is there. */
function webkitDriver() {
  const isInstalled = (library) =>
    existsSync('/usr/lib') && readdirSync('/usr/lib').some((machine) => existsSync(join('/usr/lib', machine, library)));
  const plays = ['isomp4', 'libav'].every((name) => isInstalled(`gstreamer-1.0/libgst${name}.so`));
  return plays && onPath('Xvfb') ? onPath('WebKitWebDriver') : undefined;
}

// It is started hundreds of times, needs nothing but itself, and is to behave alike whatever else is installed.
const ytdlp = { start: '-S -m yt_dlp', program: 'yt-dlp', isAnyPython: true };
const asApprise = { start: "-c 'from apprise.cli import main; main()'", program: 'apprise' };

/** Everything the tests run, as environment variables; `missing` names what could not be had. */
export function provideForTests() {
  const missing = [];
  const need = (what, found) => {
    if (!found) missing.push(what);
    return found ?? '';
  };
  const ffmpeg = onPath('ffmpeg') ?? (apt('ffmpeg') ? onPath('ffmpeg') : undefined);
  const chromium =
    onPath('chromium') ??
    onPath('chromium-browser') ??
    (apt('chromium', 'fonts-noto-core', 'fonts-noto-cjk') ? onPath('chromium') : undefined);
  // It plays sound alone only where there is a sound device, be it one that nobody hears.
  const firefoxAt = () => (onPath('pulseaudio') ? (onPath('firefox-esr') ?? onPath('firefox')) : undefined);
  const firefox = firefoxAt() ?? (apt('firefox-esr', 'pulseaudio') ? firefoxAt() : undefined);
  const webkit = webkitDriver() ?? (apt(...webkitPackages) ? webkitDriver() : undefined);
  // Never those on the path: what a system carries may be years old, and a run is to say the same everywhere.
  const current = process.env.REELKEEP_YTDLP ?? fromPypi('yt-dlp', 'yt-dlp', ytdlp);
  const old = process.env.REELKEEP_TEST_YTDLP_OLD ?? fromPypi('yt-dlp-2025.4.30', 'yt-dlp==2025.4.30', ytdlp);
  const apprise = process.env.REELKEEP_TEST_APPRISE ?? fromPypi('apprise', 'apprise', asApprise);
  const slapdAt = () => ['/usr/sbin/slapd'].find((path) => existsSync(path));
  const slapd = process.env.REELKEEP_TEST_SLAPD ?? slapdAt() ?? (apt('slapd') ? slapdAt() : undefined);
  const nginxAt = () => onPath('nginx') ?? ['/usr/sbin/nginx'].find((path) => existsSync(path));
  const nginx = nginxAt() ?? (apt('nginx-light') ? nginxAt() : undefined);
  const given = process.env.REELKEEP_TEST_POSTGRES;
  const postgres = given ? { url: given, stop() {} } : startPostgres();
  return {
    env: {
      REELKEEP_FFMPEG: need('ffmpeg', ffmpeg),
      REELKEEP_TEST_CHROMIUM: need('Chromium', chromium),
      REELKEEP_TEST_FIREFOX: need('Firefox', firefox),
      REELKEEP_TEST_WEBKIT: need('WebKit', webkit),
      REELKEEP_YTDLP: need('yt-dlp', current),
      REELKEEP_TEST_YTDLP_OLD: need('yt-dlp 2025.04.30', old),
      REELKEEP_TEST_APPRISE: need('Apprise', apprise),
      REELKEEP_TEST_NGINX: need('nginx', nginx),
      REELKEEP_TEST_SLAPD: need('OpenLDAP', slapd),
      REELKEEP_TEST_POSTGRES: need('PostgreSQL', postgres?.url),
    },
    missing,
    stop: () => postgres?.stop(),
  };
}
