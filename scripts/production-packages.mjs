// Distinguishes packages of the product from those that only build it: `npm start` in a checkout needs both.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './node.mjs';

/** Dependencies that build the product and are not part of it. */
const building = [
  '@babel/core',
  '@lingui/babel-plugin-lingui-macro',
  '@lingui/cli',
  '@lingui/format-po',
  '@lingui/vite-plugin',
  '@rolldown/plugin-babel',
  '@vitejs/plugin-react',
  'rolldown',
  'vite',
];

/** Returns the folders in node_modules of these packages and all their dependencies, resolved like Node does. */
function foldersOf(names, packages) {
  const found = new Set();
  const add = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = `${at ? `${at}/` : ''}node_modules/${name}`;
      if (packages[path]) {
        if (found.has(path)) return;
        found.add(path);
        const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[path];
        const peers = Object.keys(peerDependencies ?? {}).filter((one) => !peerDependenciesMeta[one]?.optional);
        for (const one of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) add(one, path);
        return;
      }
      if (at === '') return;
    }
  };
  for (const name of names) add(name, '');
  return found;
}

/** Returns the folders of all packages of the lock file, of those in the product, and of those that build it. */
export function packageFolders() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const names = Object.keys(packages[''].dependencies).filter((name) => !building.includes(name));
  return {
    all: Object.keys(packages).filter((path) => path !== ''),
    product: foldersOf(names, packages),
    buildPackages: foldersOf(building, packages),
  };
}
