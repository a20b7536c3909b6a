// What of the packages is in the product, and what only makes it: `npm start` on a checkout needs both.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './node.mjs';

/** Of the dependencies, those that make the product and are not in it. */
const building = [
  '@babel/core',
  '@lingui/babel-plugin-lingui-macro',
  '@lingui/cli',
  '@lingui/format-po',
  '@lingui/message-utils',
  '@lingui/vite-plugin',
  '@rolldown/plugin-babel',
  '@vitejs/plugin-react',
  'rolldown',
  'vite',
];

/** The places in node_modules of these packages and of all that they need, found as Node finds them. */
function placesOf(names, packages) {
  const found = new Set();
  const add = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const place = `${at ? `${at}/` : ''}node_modules/${name}`;
      if (packages[place]) {
        if (found.has(place)) return;
        found.add(place);
        const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[place];
        const peers = Object.keys(peerDependencies ?? {}).filter((one) => !peerDependenciesMeta[one]?.optional);
        for (const one of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) add(one, place);
        return;
      }
      if (at === '') return;
    }
  };
  for (const name of names) add(name, '');
  return found;
}

/** The places of all packages of the lock file, of those in the product, and of those that make it. */
export function packagePlaces() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const names = Object.keys(packages[''].dependencies).filter((name) => !building.includes(name));
  return {
    all: Object.keys(packages).filter((place) => place !== ''),
    product: placesOf(names, packages),
    makers: placesOf(building, packages),
  };
}
