// Brings the packages and the built web app up to what the checkout says; does nothing when they are.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveUp, npm, root } from './node.mjs';

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Installs the packages of the lock file, those for development too when asked. */
export function preparePackages({ withDevelopment }) {
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

/** Builds the web app when anything it is made of has changed. */
export function prepareWeb() {
  const hash = createHash('sha256');
  const files = [...filesUnder(join(root, 'web')), ...filesUnder(join(root, 'contract'))].filter(
    (path) => !/\.test\.tsx?$/.test(path),
  );
  for (const path of [...files.sort(), ...['vite.config.ts', 'package-lock.json'].map((name) => join(root, name))])
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  const now = hash.digest('hex');
  const stamp = join(root, 'dist/.stamp');
  if (read(stamp) === now) return;
  console.log('Building the web app (once, and after an update) …');
  const built = spawnSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (built.status !== 0) giveUp(`The web app could not be built:\n${built.stdout}${built.stderr}`);
  writeFileSync(stamp, now);
}
