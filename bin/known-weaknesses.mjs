// `npm run known-weaknesses`: asks the npm registry which packages of the lock file have weaknesses that are known, and says which
// programs are old. docs/security.md says how soon what follows. Ends with 1 when a severe one is in the product, with 2 when nobody
// could be asked.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { askNpm, root, underRightNode, wanted } from './node.mjs';
import { packagePlaces } from './product.mjs';

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
  return 'there is no version without it yet: see the address for what helps meanwhile';
}

/** Answers whether a severe one is in the product; null when it could not be asked. */
function packages() {
  const { stdout, error } = askNpm(['audit', '--json', '--package-lock-only']);
  const said = readJson(stdout ?? '');
  if (!said?.vulnerabilities) {
    const why = said?.message ?? said?.error?.summary ?? error?.message ?? 'npm audit said nothing that can be read';
    console.log(`? Packages: NOTHING WAS CHECKED. The npm registry did not answer which weaknesses it knows: ${why}`);
    return null;
  }
  const { all, product, makers } = packagePlaces();
  // Others are named only since they need one of these.
  const weak = Object.values(said.vulnerabilities).filter(({ via }) => via.some((one) => typeof one === 'object'));
  const groups = [
    ['in the product', (place) => product.has(place)],
    ['in what builds it', (place) => makers.has(place) && !product.has(place)],
    ['in what tests it', (place) => !makers.has(place) && !product.has(place)],
  ];
  for (const [where, isIn] of groups) {
    const count = all.filter(isIn).length;
    const here = weak.filter(({ nodes }) => nodes.some(isIn));
    if (here.length === 0) console.log(`✓ Packages ${where} (${count}): no known weakness.`);
    for (const one of here) {
      console.log(
        `${where === groups[0][0] && severe.includes(one.severity) ? '✗' : '!'} ${one.name}, ${where}: ${one.severity}`,
      );
      for (const { title, url } of one.via.filter((via) => typeof via === 'object')) console.log(`    ${title} (${url})`);
      console.log(`    ${whatToDo(one)}`);
    }
  }
  return weak.some(({ nodes, severity }) => severe.includes(severity) && nodes.some((place) => product.has(place)));
}

function node() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const said = readJson(askNpm(['view', `${name}@${wanted}`, 'version', '--json']).stdout ?? '');
  const [newest] = (Array.isArray(said) ? said : [said])
    .filter((one) => /^\d+\.\d+\.\d+$/.test(one))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const here = process.versions.node;
  if (!newest) console.log(`? Node ${here}: which is the newest could not be asked; nodejs.org says.`);
  else if (here.localeCompare(newest, 'en', { numeric: true }) < 0) console.log(`! Node ${here}: there is ${newest}. Update it.`);
  else console.log(`✓ Node ${here}`);
}

async function ytdlp() {
  if (!existsSync(join(root, 'node_modules'))) return console.log('? yt-dlp: not looked for before `npm run setup`.');
  const [{ readConfig }, { daysOld, findYtdlp, oldAfterDays }, { toolsFolderOf }] = await Promise.all([
    import('../server/config.ts'),
    import('../server/ytdlp/program.ts'),
    import('../server/tools.ts'),
  ]);
  const config = readConfig(process.env);
  const found = await findYtdlp(config.ytdlpPath, toolsFolderOf({ config }));
  if (!found) return console.log('? yt-dlp: there is none here; the program brings the newest.');
  const age = daysOld(found.version, Date.now() / 1000);
  if (age > oldAfterDays) console.log(`! yt-dlp ${found.version} is ${age} days old. Update it.`);
  else console.log(`✓ yt-dlp ${found.version}, ${age} days old`);
}

if (underRightNode(import.meta.url)) {
  const isBad = packages();
  node();
  await ytdlp();
  console.log('  ffmpeg and the base image: the system that carries them says (apt list --upgradable, docker build --pull).');
  process.exitCode = isBad === null ? 2 : isBad ? 1 : 0;
}
