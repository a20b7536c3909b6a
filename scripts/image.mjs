// `node scripts/image.mjs <folder>`: collects the files of the container image without build tools: the web app, the bundled
// server and CLI commands, and the start scripts. Used by the Dockerfile.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitWithError, root, underRightNode } from './node.mjs';
import { cliFolder, preparePackages, prepareServer, prepareWeb, serverFolder } from './prepare.mjs';
import { packageFolders } from './production-packages.mjs';

const ownFiles = [
  'LICENSE',
  'scripts/cli.mjs',
  'scripts/drop-privileges.mjs',
  'scripts/node.mjs',
  'scripts/prepare.mjs',
  'scripts/start.mjs',
  'dist',
  serverFolder,
];
// Its files are served unchanged.
const swagger = 'node_modules/swagger-ui-dist';
const swaggerFiles = ['package.json', 'swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => `${swagger}/${name}`);

/** Joins the license files and notices of the packages. */
function notices() {
  const texts = [...packageFolders().product].sort().flatMap((path) => {
    const folder = join(root, path);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names
      .filter((name) => /^(licen[cs]e|copying|notice)(?!.*\.[cm]?[jt]s$)/i.test(name))
      .map(
        (name) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}, ${name}\n\n${readFileSync(join(folder, name), 'utf8')}`,
      );
  });
  return texts.join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** Returns the package.json of the image. */
function packageFile() {
  const { name, version, license, type, bin, scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { start, cli } = scripts;
  return `${JSON.stringify({ name, version, private: true, license, type, bin, scripts: { start, cli }, engines }, null, 2)}\n`;
}

if (await underRightNode(import.meta.url)) {
  if (!process.argv[2]) exitWithError('Usage: node scripts/image.mjs <folder>');
  const folder = resolve(process.argv[2]);
  await preparePackages({ withDevelopment: false });
  await prepareWeb();
  await prepareServer();
  if (!existsSync(join(root, serverFolder, 'main.mjs')))
    exitWithError('The server could not be bundled, so no image can be made.');
  mkdirSync(folder, { recursive: true });
  for (const path of [...ownFiles, ...swaggerFiles])
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith('.stamp') });
  const args = [join(root, 'scripts/bundle.mjs'), join(folder, cliFolder), 'cli'];
  const bundle = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (bundle.status !== 0) exitWithError(`The commands could not be bundled:\n${bundle.stdout}${bundle.stderr}`);
  writeFileSync(join(folder, 'THIRD-PARTY'), notices());
  writeFileSync(join(folder, 'package.json'), packageFile());
}
