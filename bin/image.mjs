// `node bin/image.mjs <folder>`: what an image needs to run the program, and nothing that made it: the web app, the server and the
// commands of the console as they were gathered, and how they are started. The Dockerfile uses it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { giveUp, root, underRightNode } from './node.mjs';
import { consoleCommands, consoleFolder, preparePackages, prepareServer, prepareWeb, serverFolder } from './prepare.mjs';
import { packagePlaces } from './product.mjs';

const own = ['LICENSE', 'bin/account.mjs', 'bin/node.mjs', 'bin/prepare.mjs', 'bin/start.mjs', 'dist', serverFolder];
// Its files are sent as they are.
const swagger = 'node_modules/swagger-ui-dist';
const ofSwagger = ['package.json', 'swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => `${swagger}/${name}`);

/** What the authors of the packages ask to be passed on with them, one after the other. */
function notices() {
  const texts = [...packagePlaces().product].sort().flatMap((place) => {
    const folder = join(root, place);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names
      .filter((name) => /^(licen[cs]e|copying|notice)(?!.*\.[cm]?[jt]s$)/i.test(name))
      .map(
        (name) =>
          `${place.slice(place.lastIndexOf('node_modules/') + 13)}, ${name}\n\n${readFileSync(join(folder, name), 'utf8')}`,
      );
  });
  return texts.join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** What `npm run` offers there. */
function packageFile() {
  const { name, version, license, type, scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const there = ['start', 'healthcheck', ...consoleCommands];
  const some = Object.fromEntries(Object.entries(scripts).filter(([script]) => there.includes(script)));
  return `${JSON.stringify({ name, version, private: true, license, type, scripts: some, engines }, null, 2)}\n`;
}

if (underRightNode(import.meta.url)) {
  if (!process.argv[2]) giveUp('Say where to: node bin/image.mjs <folder>');
  const folder = resolve(process.argv[2]);
  preparePackages({ withDevelopment: false });
  prepareWeb();
  prepareServer();
  if (!existsSync(join(root, serverFolder, 'main.mjs')))
    giveUp('Without the server gathered there is nothing to put into an image.');
  mkdirSync(folder, { recursive: true });
  for (const path of [...own, ...ofSwagger])
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith('.stamp') });
  const args = [join(root, 'bin/bundle.mjs'), join(folder, consoleFolder), 'console'];
  const made = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (made.status !== 0) giveUp(`The commands of the console could not be gathered:\n${made.stdout}${made.stderr}`);
  writeFileSync(join(folder, 'THIRD-PARTY'), notices());
  writeFileSync(join(folder, 'package.json'), packageFile());
}
