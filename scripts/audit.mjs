// `npm run audit`: asks the npm registry for known vulnerabilities of the packages in the lock file, and reports outdated
// programs. docs/security.md defines the response times. Exit code 1 for a severe one in the product, 2 if the registry could not
// be reached.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm, root, underRightNode, requiredVersion } from './node.mjs';
import { packageFolders } from './production-packages.mjs';

const severe = ['high', 'critical'];

const readJson = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

function whatToDo({ name, fixAvailable }) {
  if (fixAvailable === true) return `npm update ${name}, then npm test`;
  if (fixAvailable) return `npm install ${fixAvailable.name}@${fixAvailable.version}, then npm test`;
  return 'no fixed version yet; the link may describe a workaround';
}

/** Returns whether the product has a severe vulnerability; null if the registry could not be reached. */
function packages() {
  const { stdout, error } = runNpm(['audit', '--json', '--package-lock-only']);
  const report = readJson(stdout ?? '');
  if (!report?.vulnerabilities) {
    const reason = report?.message ?? report?.error?.summary ?? error?.message ?? 'npm audit printed no JSON';
    console.log(`? Packages: NOTHING WAS CHECKED. The npm registry returned no advisories: ${reason}`);
    return null;
  }
  const { all, product, buildPackages } = packageFolders();
  // Other packages are listed only because they depend on one of these.
  const vulnerable = Object.values(report.vulnerabilities).filter(({ via }) => via.some((one) => typeof one === 'object'));
  const groups = [
    ['in the product', (folder) => product.has(folder)],
    ['in build tools', (folder) => buildPackages.has(folder) && !product.has(folder)],
    ['in test tools', (folder) => !buildPackages.has(folder) && !product.has(folder)],
  ];
  for (const [where, isIn] of groups) {
    const count = all.filter(isIn).length;
    const here = vulnerable.filter(({ nodes }) => nodes.some(isIn));
    if (here.length === 0) console.log(`✓ Packages ${where} (${count}): no known vulnerabilities.`);
    for (const one of here) {
      console.log(
        `${where === groups[0][0] && severe.includes(one.severity) ? '✗' : '!'} ${one.name}, ${where}: ${one.severity}`,
      );
      for (const { title, url } of one.via.filter((via) => typeof via === 'object')) console.log(`    ${title} (${url})`);
      console.log(`    ${whatToDo(one)}`);
    }
  }
  return vulnerable.some(({ nodes, severity }) => severe.includes(severity) && nodes.some((folder) => product.has(folder)));
}

function node() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const report = readJson(runNpm(['view', `${name}@${requiredVersion}`, 'version', '--json']).stdout ?? '');
  const [newest] = (Array.isArray(report) ? report : [report])
    .filter((one) => /^\d+\.\d+\.\d+$/.test(one))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const here = process.versions.node;
  if (!newest)
    console.log(`? Node ${here}: the newest version is unknown, because the registry did not respond. See nodejs.org.`);
  else if (here.localeCompare(newest, 'en', { numeric: true }) < 0)
    console.log(`! Node ${here}: version ${newest} is available. Update it.`);
  else console.log(`✓ Node ${here}`);
}

async function ytdlp() {
  if (!existsSync(join(root, 'node_modules'))) return console.log('? yt-dlp: not checked. Run `npm run setup` first.');
  const [{ readConfig }, { daysOld, findYtdlp, oldAfterDays }, { toolsFolderOf }] = await Promise.all([
    import('../server/platform/config/config.ts'),
    import('../server/platform/ytdlp/find-ytdlp.ts'),
    import('../server/platform/context/tools.ts'),
  ]);
  const config = readConfig(process.env);
  const found = await findYtdlp(config.ytdlpPath, toolsFolderOf({ config }));
  if (!found) return console.log('? yt-dlp: not installed. The server installs the newest version.');
  const age = daysOld(found.version, Date.now() / 1000);
  if (age > oldAfterDays) console.log(`! yt-dlp ${found.version} is ${age} days old. Update it.`);
  else console.log(`✓ yt-dlp ${found.version}, ${age} days old`);
}

if (await underRightNode(import.meta.url)) {
  const isBad = packages();
  node();
  await ytdlp();
  console.log('  ffmpeg and the base image are not checked: use `apt list --upgradable` and `docker build --pull`.');
  process.exitCode = isBad === null ? 2 : isBad ? 1 : 0;
}
