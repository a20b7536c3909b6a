// Installs packages and builds the web app if the checkout has changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitWithError, npm, root, runShown } from './node.mjs';

/** Without sources, as in an image (image.mjs), everything is built already. */
export const isBuilt = !existsSync(join(root, 'server'));

/** The commands of `reelkeep <command>`; each is a file in server/cli. */
export const cliCommands = [
  'backup',
  'build-view',
  'config',
  'health',
  'healthcheck',
  'import',
  'migrate',
  'move-media',
  'rotate-key',
  'reset-password',
  'restore',
  'sessions',
  'user',
  'verify',
];

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Returns a function that tells how many packages of the lock file are unpacked. Those for other systems never are. */
function installProgress(withDevelopment) {
  const { packages } = JSON.parse(read(join(root, 'package-lock.json')));
  const paths = Object.entries(packages).flatMap(([path, { dev, optional }]) =>
    path === '' || optional || (dev && !withDevelopment) ? [] : [join(root, path, 'package.json')],
  );
  return () => `${paths.filter((path) => existsSync(path)).length} of ${paths.length} packages`;
}

/** Installs the packages of the lock file, with development packages if requested or already installed. */
export async function preparePackages(options) {
  if (isBuilt) return;
  const withDevelopment = options.withDevelopment || existsSync(join(root, 'node_modules/typescript'));
  const stamp = join(root, 'node_modules/.reelkeep');
  const now = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const [installed, kind] = read(stamp).split(' ');
  if (installed === now && (kind === 'all' || !withDevelopment)) return;
  await npm(
    'Installing packages (once, and after an update; several minutes on a slow machine)',
    ['ci', ...(withDevelopment ? [] : ['--omit=dev']), '--ignore-scripts', '--no-audit', '--no-fund'],
    installProgress(withDevelopment),
  );
  writeFileSync(stamp, `${now} ${withDevelopment ? 'all' : 'needed'}`);
}

function* filesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else yield path;
  }
}

/** Runs `make` if a file in these folders, or one of these files, has changed since its last run. */
async function whenChanged(stamp, folders, names, make) {
  const files = folders.flatMap((name) => [...filesUnder(join(root, name))]).filter((path) => !/\.test\.tsx?$/.test(path));
  const hash = createHash('sha256').update(process.version);
  for (const path of [...files, ...names.map((name) => join(root, name))].sort())
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  const now = hash.digest('hex');
  if (read(stamp) === now) return;
  await make();
  writeFileSync(stamp, now);
}

/** Builds the web app if its sources have changed. */
export async function prepareWeb() {
  if (isBuilt) return;
  await whenChanged(
    join(root, 'dist/.stamp'),
    ['web', 'contract'],
    ['vite.config.ts', 'lingui.config.ts', 'package-lock.json'],
    async () => {
      const vite = join(root, 'node_modules/vite/bin/vite.js');
      const built = await runShown('Building the web app (once, and after an update)', process.execPath, [
        vite,
        'build',
        '--logLevel',
        'warn',
      ]);
      if (built.status !== 0) exitWithError(`The web app could not be built:\n${built.stdout}${built.stderr}`);
    },
  );
}

/** Many small garbage collections instead of few large ones; bench/README.md has measurements. */
const serverFlags = ['--max-semi-space-size=4', '--heap-growing-percent=35', '--disable-warning=ExperimentalWarning'];

// Returns freed memory to the OS: large blocks immediately (a password check takes 19 MB in one of several threads), and small
// ones from one arena shared by all threads instead of one each.
const environment = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '32768',
  MALLOC_TOP_PAD_: '0',
  MALLOC_ARENA_MAX: '1',
  ...process.env,
};

// Not inside `dist`, which is served to browsers.
export const serverFolder = 'dist-server';
/** Folder of the bundled CLI commands, for images without sources. */
export const cliFolder = 'dist-cli';

/**
 * Bundles the server if its sources have changed. Returns the arguments of Node to run it; if nothing can be written here, these
 * run the sources, which start more slowly.
 */
export async function prepareServer() {
  const run = (path) => [...serverFlags, join(root, path)];
  if (isBuilt) return run(`${serverFolder}/main.mjs`);
  try {
    const stamp = join(root, serverFolder, '.stamp');
    await whenChanged(stamp, ['server', 'contract'], ['package.json', 'package-lock.json', 'scripts/bundle.mjs'], async () => {
      const output = await runShown('Bundling the server (once, and after an update)', process.execPath, [
        join(root, 'scripts/bundle.mjs'),
        serverFolder,
      ]);
      if (output.status !== 0) throw new Error(`${output.stdout}${output.stderr}`);
    });
    return run(`${serverFolder}/main.mjs`);
  } catch (error) {
    console.log(`The server runs from its sources, because bundling failed: ${error.message}`);
    return run('server/main.ts');
  }
}

/**
 * Fills the compile cache, so that starts are fast. By default it is in the data folder, which is always writable, and valid for
 * the account that created it. Returns the environment of the server; errors are ignored.
 */
export async function keepCompiled(server, folder = resolve(environment.REELKEEP_DATA || 'data', 'cache/compiled')) {
  if (environment.REELKEEP_DATA_FILE) return environment;
  const env = { ...environment, NODE_COMPILE_CACHE: folder };
  try {
    mkdirSync(folder, { recursive: true });
    const [folders, names] = isBuilt ? [[serverFolder], []] : [['server', 'contract'], ['package-lock.json']];
    await whenChanged(join(folder, '.stamp'), folders, [...names, 'scripts/prepare.mjs'], () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
      spawnSync(process.execPath, [...server, '--version'], { env });
    });
    return env;
  } catch {
    return environment; // the server reports problems of its data folder
  }
}
