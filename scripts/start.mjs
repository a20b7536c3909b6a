// `npm start`, `npm run demo` and similar: installs what is missing, then replaces itself with the program.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { switchAccount } from './drop-privileges.mjs';
import { replaceProcess, exitWithError, root, underRightNode } from './node.mjs';
import { cliCommands, cliFolder, isBuilt, keepCompiled, preparePackages, prepareServer, prepareWeb } from './prepare.mjs';

const commandPath = (name, source) => (isBuilt ? `${cliFolder}/${name}.mjs` : source);

// Fewer garbage collections in programs that measure response times.
const measurementFlags = ['--max-semi-space-size=64'];

const benchmark = (name, flags) => ({ path: `bench/${name}.ts`, isForDevelopment: true, flags });

/** Those of `npm run bench -- <name>`. */
const benchmarks = {
  scale: benchmark('scale', measurementFlags),
  load: benchmark('load', measurementFlags),
  soak: benchmark('soak', measurementFlags),
  shift: benchmark('layout-shift'),
  feeds: benchmark('feeds', measurementFlags),
  sound: benchmark('sound'),
  chat: benchmark('chat', ['--expose-gc', '--max-semi-space-size=4', '--heap-growing-percent=35']),
  views: benchmark('views'),
  'media-servers': benchmark('media-servers'),
  hls: benchmark('hls'),
  migrate: benchmark('migrate'),
  nodes: benchmark('nodes'),
  workers: benchmark('workers'),
  bucket: benchmark('bucket'),
  playback: benchmark('playback'),
  faults: benchmark('faults'),
  meaning: benchmark('meaning'),
  library: benchmark('library'),
};

const programs = {
  '--demo': { path: 'test-site/run-demo.ts', isForDevelopment: true },
  '--dev': { path: 'test-site/run-dev.ts', isForDevelopment: true },
  '--screenshots': { path: 'e2e/screenshots.ts', isForDevelopment: true },
  '--bench': benchmark('figures'),
  '--i18n-extract': { path: 'node_modules/@lingui/cli/dist/lingui.js', isForDevelopment: true },
  '--client-build': { path: 'node_modules/typescript/bin/tsc', isForDevelopment: true },
  '--docs-api': { path: 'scripts/write-api-docs.ts', isForDevelopment: false },
  // CLI commands, which need no web app.
  ...Object.fromEntries(
    cliCommands.map((name) => [
      `--${name}`,
      { path: commandPath(name, `server/cli/${name}.ts`), isForDevelopment: false, isOfCli: true },
    ]),
  ),
};
const needsNoWebApp = (flag) =>
  programs[flag]?.isOfCli || ['--dev', '--i18n-extract', '--client-build', '--docs-api'].includes(flag);

/** Returns the program of a flag, with its arguments; no program for the server itself. */
function parseArgs([flag, ...args]) {
  if (flag !== '--bench' || args.length === 0) return { flag, args, program: programs[flag] };
  const [name, ...rest] = args;
  if (!Object.hasOwn(benchmarks, name))
    exitWithError(`There is no benchmark “${name}”. Choose one of: ${Object.keys(benchmarks).join(', ')}.`);
  return { flag, args: rest, program: benchmarks[name] };
}

if (await underRightNode(import.meta.url)) {
  const { flag, args, program } = parseArgs(process.argv.slice(2));
  if (isBuilt && program && !existsSync(join(root, program.path))) exitWithError(`${flag} is for a checkout, with all sources.`);
  await preparePackages({ withDevelopment: program?.isForDevelopment === true });
  if (!needsNoWebApp(flag)) await prepareWeb();
  const server = program ? [] : await prepareServer();
  if (flag === '--setup') console.log('Setup is complete. `npm start` starts immediately and writes nothing to this folder.');
  else {
    if (!program || program.isOfCli) switchAccount();
    if (program) replaceProcess(process.execPath, [...(program.flags ?? []), join(root, program.path), ...args]);
    else replaceProcess(process.execPath, [...server, ...args], await keepCompiled(server));
  }
}
