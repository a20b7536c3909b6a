// `npm start`, `npm run demo` and similar: installs what is missing, then replaces itself with the program.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { switchAccount } from './drop-privileges.mjs';
import { replaceProcess, exitWithError, root, underRightNode } from './node.mjs';
import { cliCommands, cliFolder, isBuilt, keepCompiled, preparePackages, prepareServer, prepareWeb } from './prepare.mjs';

const commandPath = (name, source) => (isBuilt ? `${cliFolder}/${name}.mjs` : source);

// Fewer garbage collections in programs that measure response times.
const measurementFlags = ['--max-semi-space-size=64'];

const programs = {
  '--demo': { path: 'test-site/run-demo.ts', isForDevelopment: true },
  '--dev': { path: 'test-site/run-dev.ts', isForDevelopment: true },
  '--screenshots': { path: 'e2e/screenshots.ts', isForDevelopment: true },
  '--bench': { path: 'bench/figures.ts', isForDevelopment: true },
  '--bench-scale': { path: 'bench/scale.ts', isForDevelopment: true, flags: measurementFlags },
  '--bench-load': { path: 'bench/load.ts', isForDevelopment: true, flags: measurementFlags },
  '--bench-soak': { path: 'bench/soak.ts', isForDevelopment: true, flags: measurementFlags },
  '--bench-shift': { path: 'bench/layout-shift.ts', isForDevelopment: true },
  '--bench-feeds': { path: 'bench/feeds.ts', isForDevelopment: true, flags: measurementFlags },
  '--bench-views': { path: 'bench/views.ts', isForDevelopment: true },
  '--bench-media-servers': { path: 'bench/media-servers.ts', isForDevelopment: true },
  '--bench-migrate': { path: 'bench/migrate.ts', isForDevelopment: true },
  '--bench-nodes': { path: 'bench/nodes.ts', isForDevelopment: true },
  '--bench-workers': { path: 'bench/workers.ts', isForDevelopment: true },
  '--bench-bucket': { path: 'bench/bucket.ts', isForDevelopment: true },
  '--bench-faults': { path: 'bench/faults.ts', isForDevelopment: true },
  '--bench-library': { path: 'bench/library.ts', isForDevelopment: true },
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

if (await underRightNode(import.meta.url)) {
  const [flag, ...args] = process.argv.slice(2);
  const program = programs[flag];
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
