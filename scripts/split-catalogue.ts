import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
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

/**
 * Splits the German catalogue. `import('virtual:texts/web/x.tsx')` are the texts of that module and of all that it loads with itself,
 * without those of the app itself (web/main.tsx), which are always there; `virtual:texts/contract/messages.ts` are those of the
 * server. Dynamic imports of modules load their texts at the same time (web/i18n/load-texts.ts).
 */
export function splitCatalogue(): Plugin {
  let app: Set<string> | undefined;
  return {
    name: 'split-catalogue',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const path = id.slice(prefix.length + 1);
      const [catalogue] = await getCatalogs(getConfig());
      this.addWatchFile(catalogue!.getFilename('de'));
      app ??= closureOf('web/main.tsx');
      const modules = path === server ? new Set([server]) : closureOf(path);
      const isApart = path === server || /^web\/(shared\/)?main\.tsx$/.test(path);
      const isOf = ([file]: readonly [string, ...unknown[]]) => modules.has(file);
      const isInApp = ([file]: readonly [string, ...unknown[]]) => app!.has(file);
      const entries = Object.entries((await catalogue!.read('de')) ?? {}).filter(
        ([, { origin = [] }]) => origin.some(isOf) && (isApart || !origin.some(isInApp)),
      );
      const texts = Object.fromEntries(entries.map(([key, { translation = '' }]) => [key, translation]));
      const { source, errors } = createCompiledCatalog('de', texts, { namespace: 'es' });
      if (errors.length > 0)
        throw new Error(`The German catalogue has invalid texts: ${errors.map(({ id: one }) => one).join(', ')}`);
      return { code: source, moduleType: 'js' };
    },
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: /import\('/ },
      handler(code, id) {
        const from = relative(root, id);
        const loaded = code.replaceAll(/\bimport\('((?:\.|#web)[^']+\.tsx?)'\)/g, (statement, specifier: string) => {
          const path = pathOf(specifier, from);
          return `withTexts('${path}', () => ${statement}, () => import('${prefix}${path}'))`;
        });
        return loaded === code ? undefined : { code: `import { withTexts } from '#web/i18n/load-texts.ts';${loaded}`, map: null };
      },
    },
  };
}
