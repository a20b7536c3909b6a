// Plain JavaScript for Node 18 and later: finds or installs the Node version that Reelkeep needs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Required major version of Node. */
export const requiredVersion = 26;

const isRight = (version) => Number(/^v?(\d+)/.exec(version)?.[1]) >= requiredVersion;

export function exitWithError(sentence) {
  console.error(`\n${sentence}`);
  process.exit(1);
}

const secondsBetweenLines = 15;

/**
 * Runs a program that may take minutes, and shows that it is still running: on a terminal as one line that counts the seconds, elsewhere
 * as a line every 15 s, with the text of `progress` if given. Resolves to its exit status and its output.
 */
export function runShown(label, command, args, { progress, ...options } = {}) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const isTerminal = process.stdout.isTTY;
  console.log(`${label} …`);
  const ticker = setInterval(
    () => {
      const text = [`  ${seconds()} s`, progress?.()].filter(Boolean).join(' · ');
      if (isTerminal) process.stdout.write(`\r${text}\x1b[K`);
      else console.log(`${text} …`);
    },
    isTerminal ? 1000 : secondsBetweenLines * 1000,
  );
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    const end = (status, error) => {
      clearInterval(ticker);
      if (isTerminal) process.stdout.write('\r\x1b[K');
      if (status === 0) console.log(`  done in ${seconds()} s`);
      resolve({ status, stdout, stderr, error });
    };
    child.on('error', (error) => end(1, error));
    child.on('close', (code) => end(code ?? 1));
  });
}

/** Returns the command and environment of npm. */
function npmCommand(args) {
  // npm's own file with this Node, because an old Node would make npm choose old packages.
  const cli = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined;
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  return cli
    ? [process.execPath, [cli, ...args], { cwd: root, env }]
    : ['npm', args, { cwd: root, env, shell: process.platform === 'win32' }];
}

/** Runs npm. Returns its exit status and its output. */
export function runNpm(args) {
  const [command, all, options] = npmCommand(args);
  return spawnSync(command, all, { ...options, encoding: 'utf8' });
}

/** Runs npm and shows how far it is; its output is shown only when it fails. */
export async function npm(label, args, progress) {
  const [command, all, options] = npmCommand(args);
  const done = await runShown(label, command, all, { ...options, progress });
  if (done.status !== 0)
    exitWithError(
      `npm ${args[0]} failed:\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\nCan the npm registry be reached?`,
    );
}

/** Returns the path of a suitable Node: this one, one installed before, or one installed now into `.node`. */
export async function rightNode() {
  if (isRight(process.version)) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const path = join(root, '.node/node_modules', name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
  const works = () => existsSync(path) && isRight(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '');
  if (works()) return path;
  await npm(
    `Reelkeep needs Node ${requiredVersion}, this is ${process.version}: installing Node ${requiredVersion} into .node (once)`,
    [
      'install',
      '--prefix',
      '.node',
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${name}@${requiredVersion}`,
    ],
  );
  if (!works())
    exitWithError(
      `There is no Node ${requiredVersion} for this machine on the npm registry (${name}). Install Node ${requiredVersion} from nodejs.org, then try again.`,
    );
  return path;
}

/** Replaces this process by another program if possible; otherwise runs it as a child that receives our signals. */
export function replaceProcess(command, args, env = process.env) {
  if (process.execve) process.execve(command, [command, ...args], env);
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
  child.on('error', (error) => exitWithError(error.message));
}

/** Runs this script again with the right Node; returns true if it already runs with it. */
export async function underRightNode(script) {
  const node = await rightNode();
  if (node === process.execPath) return true;
  replaceProcess(node, [fileURLToPath(script), ...process.argv.slice(2)]);
  return false;
}
