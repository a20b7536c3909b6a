import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api';
import { getConfig, type CatalogType } from '@lingui/conf';
import type { Plugin } from 'vite';

// Browsers load the translations of what they load: each page, dialog and menu has its own part of the catalogue, next to its code.

const root = join(import.meta.dirname, '..');
const prefix = 'virtual:texts/';
const server = 'contract/messages.ts';

const pathOf = (specifier: string, from: string) =>
  specifier.startsWith('#') ? specifier.slice(1) : relative(root, join(root, dirname(from), specifier));

/** Paths of the modules of the project that a module loads with itself, types excluded. */
function importsOf(path: string): string[] {
  const code = readFileSync(join(root, path), 'utf8');
  const found = code.matchAll(/^(?:import|export)\s+(?!type\s)(?:[^'"]*?\sfrom\s+)?'((?:\.|#web)[^']+\.tsx?)'/gm);
  return [...found].map(([, specifier = '']) => pathOf(specifier, path)).filter((one) => existsSync(join(root, one)));
}

/** A module with all that it loads with itself. */
function closureOf(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const one of importsOf(path)) closureOf(one, known);
  return known;
}

const dynamicImport = /\bimport\('((?:\.|#web)[^']+\.tsx?)'\)/g;

/** Modules that are loaded dynamically, each with all that it loads with itself. */
function dynamicParts(): Map<string, Set<string>> {
  const targets = globSync('web/**/*.{ts,tsx}', { cwd: root, exclude: (path) => /\.test\.tsx?$/.test(path) }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(dynamicImport)].map(([, specifier = '']) => pathOf(specifier, path)),
  );
  return new Map(targets.map((target) => [target, closureOf(target)]));
}

/**
 * Splits the German catalogue. `import('virtual:texts/web/x.tsx')` are the texts of that module and of all that it loads with itself,
 * without those of the app itself (web/main.tsx) and, with `?after=web/y.tsx`, of that module, which are there before.
 * `virtual:texts/contract/messages.ts` are those of the server. Dynamic imports of modules load their texts at the same time
 * (web/i18n/load-texts.ts).
 */
export function splitCatalogue(): Plugin {
  let app: Set<string>;
  let parts: Map<string, Set<string>>;
  let paths: string[];
  let catalogue: CatalogType;

  /** The German texts by their keys. `after`: the dynamic import that has loaded its texts before. */
  function textsOf(path: string, after?: string): Record<string, string> {
    const isApart = path === server || /^web\/(shared\/)?main\.tsx$/.test(path);
    const earlier = isApart ? [] : [app, ...(after ? [parts.get(after)!] : [])];
    const modules = path === server ? new Set([server]) : (parts.get(path) ?? closureOf(path));
    const entries = Object.entries(catalogue).filter(
      ([, { origin = [] }]) =>
        origin.some(([file]) => modules.has(file)) && !earlier.some((part) => origin.some(([file]) => part.has(file))),
    );
    return Object.fromEntries(entries.map(([key, { translation = '' }]) => [key, translation]));
  }

  function compile(texts: Record<string, string>): string {
    const { source, errors } = createCompiledCatalog('de', texts, { namespace: 'es' });
    if (errors.length > 0) throw new Error(`The German catalogue has invalid texts: ${errors.map(({ id }) => id).join(', ')}`);
    return source;
  }

  return {
    name: 'split-catalogue',
    enforce: 'pre',
    async buildStart() {
      const [catalogues] = await getCatalogs(getConfig());
      catalogue = (await catalogues!.read('de')) ?? {};
      app = closureOf('web/main.tsx');
      parts = dynamicParts();
      paths = [...parts.keys()].toSorted();
    },
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const [path = '', after] = id.slice(prefix.length + 1).split('?after=');
      return { code: compile(textsOf(path, after)), moduleType: 'js' };
    },
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: /import\('/ },
      handler(code, id) {
        const from = relative(root, id);
        // If a single dynamic import can load this module, its texts are there when this module is.
        const loaders = app.has(from) ? [] : [...parts].filter(([, modules]) => modules.has(from)).map(([path]) => path);
        const after = loaders.length === 1 ? loaders[0]! : '';
        const loaded = code.replaceAll(dynamicImport, (statement, specifier: string) => {
          const path = pathOf(specifier, from);
          if (Object.keys(textsOf(path, after)).length === 0) return statement;
          const texts = `${prefix}${path}${after && `?after=${after}`}`;
          // A short name, because the app contains many.
          const name = [path, after].map((one) => paths.indexOf(one)).join();
          return `withTexts('${name}', () => ${statement}, () => import('${texts}'))`;
        });
        return loaded === code ? undefined : { code: `import { withTexts } from '#web/i18n/load-texts.ts';${loaded}`, map: null };
      },
    },
  };
}
