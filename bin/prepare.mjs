// Brings the packages and the built web app up to what the checkout says; does nothing when they are.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { giveUp, npm, root } from './node.mjs';

/** Where the sources are not, as in an image (image.mjs), everything was made before. */
export const isMade = !existsSync(join(root, 'server'));

/** What `npm run` offers whoever has the machine; each is a file in server/console. */
export const consoleCommands = [
  'backup',
  'config',
  'doctor',
  'import',
  'new-key',
  'reset-password',
  'restore',
  'sessions',
  'user',
  'verify',
];

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Installs the packages of the lock file, those for development too when asked or when they are there already. */
export function preparePackages(wish) {
  if (isMade) return;
  const withDevelopment = wish.withDevelopment || existsSync(join(root, 'node_modules/typescript'));
  const stamp = join(root, 'node_modules/.reelkeep');
  const now = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const [installed, kind] = read(stamp).split(' ');
  if (installed === now && (kind === 'all' || !withDevelopment)) return;
  console.log('Installing packages (once, and after an update) …');
  npm(['ci', ...(withDevelopment ? [] : ['--omit=dev']), '--ignore-scripts', '--no-audit', '--no-fund']);
  writeFileSync(stamp, `${now} ${withDevelopment ? 'all' : 'needed'}`);
}

function* filesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else yield path;
  }
}

/** Runs `make` when anything below these folders, or any of these files, has changed since it last did. */
function whenChanged(stamp, folders, names, make) {
  const files = folders.flatMap((name) => [...filesUnder(join(root, name))]).filter((path) => !/\.test\.tsx?$/.test(path));
  const hash = createHash('sha256').update(process.version);
  for (const path of [...files, ...names.map((name) => join(root, name))].sort())
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  const now = hash.digest('hex');
  if (read(stamp) === now) return;
  make();
  writeFileSync(stamp, now);
}

/** Builds the web app when anything it is made of has changed. */
export function prepareWeb() {
  if (isMade) return;
  whenChanged(join(root, 'dist/.stamp'), ['web', 'contract'], ['vite.config.ts', 'lingui.config.ts', 'package-lock.json'], () => {
    console.log('Building the web app (once, and after an update) …');
    const built = spawnSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      cwd: root,
      encoding: 'utf8',
    });
    if (built.status !== 0) giveUp(`The web app could not be built:\n${built.stdout}${built.stderr}`);
  });
}

/** Many small collections instead of few large ones; bench/README.md shows what the measures below are worth. */
const serverFlags = ['--max-semi-space-size=4', '--heap-growing-percent=35', '--disable-warning=ExperimentalWarning'];

// What is freed goes back to the system: large blocks at once (a password's check takes 19 MB, in any of several threads),
// and small ones from two pools that all threads share, instead of one for each.
const environment = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2', ...process.env };

// Beside `dist`, not in it: that one is what browsers may have.
export const serverFolder = 'dist-server';
/** The commands of the console, gathered likewise where the sources are not. */
export const consoleFolder = 'dist-console';

/**
 * Gathers the server into a few files when anything it is made of has changed. Answers the one to run, with the arguments of
 * Node; where nothing can be written here, that is the source itself, which takes longer to start.
 */
export function prepareServer() {
  const run = (path) => [...serverFlags, join(root, path)];
  if (isMade) return run(`${serverFolder}/main.mjs`);
  try {
    const stamp = join(root, serverFolder, '.stamp');
    whenChanged(stamp, ['server', 'contract'], ['package.json', 'package-lock.json', 'bin/bundle.mjs'], () => {
      const made = spawnSync(process.execPath, [join(root, 'bin/bundle.mjs'), serverFolder], { cwd: root, encoding: 'utf8' });
      if (made.status !== 0) throw new Error(`${made.stdout}${made.stderr}`);
    });
    return run(`${serverFolder}/main.mjs`);
  } catch (error) {
    console.log(`The server runs from its sources, since it could not be gathered: ${error.message}`);
    return run('server/main.ts');
  }
}

/**
 * Compiles what is to be run once, so that no start has to. What comes of it is kept, if nothing else is said, in the data
 * folder, which is the one place that may always be written, and is only good for the account that made it. Answers the
 * environment that the server is run in; that nothing can be kept stops nothing.
 */
export function keepCompiled(server, folder = resolve(environment.REELKEEP_DATA || 'data', 'cache/compiled')) {
  if (environment.REELKEEP_DATA_FILE) return environment;
  const env = { ...environment, NODE_COMPILE_CACHE: folder };
  try {
    mkdirSync(folder, { recursive: true });
    const [folders, names] = isMade ? [[serverFolder], []] : [['server', 'contract'], ['package-lock.json']];
    whenChanged(join(folder, '.stamp'), folders, [...names, 'bin/prepare.mjs'], () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
      spawnSync(process.execPath, [...server, '--version'], { env });
    });
    return env;
  } catch {
    return environment; // the server itself says what is wrong with its data folder
  }
}
