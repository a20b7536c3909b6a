// `node scripts/release.mjs v1.2.3 <folder>`: writes the files of a release: the source of the checked-out commit, its bill of
// materials, their checksums, and the notes from CHANGELOG.md.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './node.mjs';

/** Returns the entries of a version in the changelog. @throws Error if there are none */
export function releaseNotes(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => /^\[?([^\s\]]+)/.exec(text)?.[1] === version);
  const notes = section?.slice(section.indexOf('\n')).trim();
  if (!notes)
    throw new Error(`CHANGELOG.md has no entries for ${version}. Rename “Unreleased” to “${version}”, then tag that commit.`);
  return `${notes}\n`;
}

/** Returns the version of a tag. @throws Error if a file has another version */
export function checkVersion(tag, versions) {
  const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1];
  if (!version) throw new Error(`The tag ${tag} does not have the form v1.2.3.`);
  for (const [path, found] of Object.entries(versions))
    if (found !== version)
      throw new Error(`${path} has the version ${found}, but the tag is ${tag}. Change it, then tag that commit.`);
  return version;
}

/** Returns the bill of materials of all packages that run or build Reelkeep, in the form CycloneDX. */
function billOfMaterials(name) {
  const args = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const bill = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }));
  // npm uses the name of the folder.
  bill.metadata.component.name = name;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function writeRelease(tag, folder) {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const { name, version: packageVersion } = JSON.parse(read('package.json'));
  const chart = 'deploy/helm/reelkeep/Chart.yaml';
  const version = checkVersion(tag, { 'package.json': packageVersion, [chart]: /^version: (.+)$/m.exec(read(chart))?.[1] });
  const notes = releaseNotes(read('CHANGELOG.md'), version);

  mkdirSync(folder, { recursive: true });
  const base = `${name}-${version}`;
  const archive = `${base}.tar.gz`;
  execFileSync('git', ['archive', '--format=tar.gz', `--prefix=${base}/`, `--output=${join(folder, archive)}`, 'HEAD'], {
    cwd: root,
  });
  const bill = `${base}.cdx.json`;
  writeFileSync(join(folder, bill), billOfMaterials(name));
  const sha256 = (file) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
  writeFileSync(join(folder, 'SHA256SUMS'), [archive, bill].map((file) => `${sha256(file)}  ${file}\n`).join(''));
  writeFileSync(join(folder, 'notes.md'), notes);
  console.log(`Wrote ${archive}, ${bill}, SHA256SUMS and notes.md to ${folder}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tag, folder] = process.argv.slice(2);
  try {
    if (!tag || !folder) throw new Error('Usage: node scripts/release.mjs v1.2.3 <folder>');
    writeRelease(tag, resolve(folder));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
