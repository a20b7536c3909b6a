// Plain JavaScript that runs on Node 18 and later: it finds, or brings, the Node that the program itself needs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The major version of Node that the program needs. */
export const wanted = 26;

const isRight = (version) => Number(/^v?(\d+)/.exec(version)?.[1]) >= wanted;

export function giveUp(sentence) {
  console.error(`\n${sentence}`);
  process.exit(1);
}

/** Runs npm; answers how that ended, with its words. */
export function askNpm(args) {
  // npm's own file, run by this Node: an old one would make it choose old packages.
  const cli = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined;
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  return cli
    ? spawnSync(process.execPath, [cli, ...args], { cwd: root, env, encoding: 'utf8' })
    : spawnSync('npm', args, { cwd: root, env, encoding: 'utf8', shell: process.platform === 'win32' });
}

/** Runs npm; its words are shown only when it fails. */
export function npm(args) {
  const done = askNpm(args);
  if (done.status !== 0)
    giveUp(
      `npm ${args[0]} failed:\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\nCan the npm registry be reached?`,
    );
}

/** The path of a Node that is new enough: this one, one brought earlier, or one brought now into `.node`. */
export function rightNode() {
  if (isRight(process.version)) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const path = join(root, '.node/node_modules', name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
  const works = () => existsSync(path) && isRight(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '');
  if (works()) return path;
  console.log(`Reelkeep needs Node ${wanted}; this is ${process.version}. Bringing one into .node (once) …`);
  npm([
    'install',
    '--prefix',
    '.node',
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${name}@${wanted}`,
  ]);
  if (!works())
    giveUp(
      `There is no Node ${wanted} for this machine on the npm registry (${name}). Install Node ${wanted} from nodejs.org, then try again.`,
    );
  return path;
}

/** Goes on as another program: in place where that is possible, else as a child that gets our signals. */
export function become(command, args, env = process.env) {
  if (process.execve) process.execve(command, [command, ...args], env);
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
  child.on('error', (error) => giveUp(error.message));
}

/** This very command again, under the right Node; returns when it is the right one already. */
export function underRightNode(script) {
  const node = rightNode();
  if (node === process.execPath) return true;
  become(node, [fileURLToPath(script), ...process.argv.slice(2)]);
  return false;
}
