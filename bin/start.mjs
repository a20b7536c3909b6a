// `npm start`, `npm run demo` and the like: brings what is missing, then becomes the program.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { becomeAccount } from './account.mjs';
import { become, giveUp, root, underRightNode } from './node.mjs';
import { consoleCommands, consoleFolder, isMade, keepCompiled, preparePackages, prepareServer, prepareWeb } from './prepare.mjs';

const ofConsole = (name, source) => (isMade ? `${consoleFolder}/${name}.mjs` : source);

// So that what measures how long answers take seldom stops to collect its own garbage.
const measuring = ['--max-semi-space-size=64'];

const programs = {
  '--demo': { path: 'standin/run-demo.ts', isForDevelopment: true },
  '--dev': { path: 'standin/run-dev.ts', isForDevelopment: true },
  '--screenshots': { path: 'e2e/screenshots.ts', isForDevelopment: true },
  '--bench': { path: 'bench/figures.ts', isForDevelopment: true },
  '--bench-scale': { path: 'bench/scale.ts', isForDevelopment: true, flags: measuring },
  '--bench-load': { path: 'bench/load.ts', isForDevelopment: true, flags: measuring },
  '--bench-soak': { path: 'bench/soak.ts', isForDevelopment: true, flags: measuring },
  '--large-library': { path: 'bench/library.ts', isForDevelopment: true },
  '--texts': { path: 'node_modules/@lingui/cli/dist/lingui.js', isForDevelopment: true },
  '--api-page': { path: 'server/write-reference.ts', isForDevelopment: false },
  '--healthcheck': { path: ofConsole('healthcheck', 'server/healthcheck.ts'), isForDevelopment: false },
  // Commands of the console, which need no page.
  ...Object.fromEntries(
    consoleCommands.map((name) => [
      `--${name}`,
      { path: ofConsole(name, `server/console/${name}.ts`), isForDevelopment: false, isOfConsole: true },
    ]),
  ),
};
const needsNoPage = (flag) => programs[flag]?.isOfConsole || ['--dev', '--texts', '--api-page', '--healthcheck'].includes(flag);

if (underRightNode(import.meta.url)) {
  const [flag, ...rest] = process.argv.slice(2);
  const program = programs[flag];
  if (isMade && program && !existsSync(join(root, program.path))) giveUp(`${flag} is for a checkout, with all sources.`);
  preparePackages({ withDevelopment: program?.isForDevelopment === true });
  if (!needsNoPage(flag)) prepareWeb();
  const server = program ? [] : prepareServer();
  if (flag === '--setup') console.log('Everything is there: `npm start` begins at once, and needs to write nothing here.');
  else {
    if (!program || program.isOfConsole) becomeAccount();
    if (program) become(process.execPath, [...(program.flags ?? []), join(root, program.path), ...rest]);
    else become(process.execPath, [...server, ...rest], keepCompiled(server));
  }
}
