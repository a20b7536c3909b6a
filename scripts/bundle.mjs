// Bundles the server and its libraries into a few files, because finding and opening two thousand small ones takes most of the
// startup time (docs/decisions/server-bundle.md). Or the CLI commands, for images without sources. Run by prepare.mjs and
// image.mjs with the right Node version.
import { copyFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './node.mjs';
import { cliCommands } from './prepare.mjs';

const [, , folder, what] = process.argv;
const commands = cliCommands.map((name) => [name, `server/cli/${name}.ts`]);

// An `import` of node:http reads each of its exports, and three of them load the `fetch` of Node: 15 MiB. Fastify requires
// node:http2, 10 MiB, for an option that is off. Both are loaded like this in the bundle, the second when it is used.
const builtins = {
  'node:http': `module.exports = process.getBuiltinModule('node:http');`,
  'node:http2': `module.exports = new Proxy({}, { get: (_, name) => process.getBuiltinModule('node:http2')[name] });`,
};
const lightBuiltins = {
  name: 'light-builtins',
  resolveId: (id) => {
    const name = id.startsWith('node:') ? id : `node:${id}`;
    return name in builtins ? `\0${name}.cjs` : null;
  },
  load: (id) => builtins[id.slice(1, -'.cjs'.length)] ?? null,
  // Of 2,500 media types, 700 kB in memory, @fastify/compress reads which of them can be compressed.
  transform: (code, id) =>
    id.endsWith('mime-db/db.json')
      ? JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(code)).filter(([, { compressible }]) => compressible)))
      : null,
};

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  tsconfig: false,
  plugins: [lightBuiltins],
  // These start worker threads with their own file, so each stays a separate entry.
  input: {
    ...(what === 'cli' ? Object.fromEntries(commands) : { main: 'server/main.ts' }),
    worker: 'server/platform/db/sqlite/worker.ts',
    'query-worker': 'server/app/query-worker.ts',
    snapshot: 'server/platform/db/sqlite/snapshot.ts',
    'read-items': 'server/features/program-import/read-items.ts',
    'verify-signature': 'server/platform/ytdlp/verify-signature.ts',
  },
  // Its files are served unchanged from node_modules.
  // The compilers are never used (create-server.ts).
  external: [/^swagger-ui-dist/, /^@fastify\/(ajv|fast-json-stringify)-compiler$/],
  checks: { ineffectiveDynamicImport: false },
});
// V8 keeps the source text as long as the program runs, with two bytes per character if a single one is not Latin-1: five megabytes
// more. So it is ASCII without spaces; names stay for stack traces.
const output = { format: 'esm', charset: 'ascii', comments: false, minify: { mangle: false, compress: true, codegen: true } };
const { output: chunks } = await bundle.write({
  ...output,
  dir: resolve(root, folder),
  cleanDir: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
await bundle.close();
// Python programs of the models, and a recording to try them.
for (const path of ['speech/speech-worker.py', 'speech/test-clip.opus', 'meaning/meaning-worker.py'])
  copyFileSync(resolve(root, 'server/features', path), resolve(root, folder, basename(path)));

/** Prints what the server loads at its start, in kB before minification, by package or folder. */
function printSizes(entry) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set([entry]);
  for (const name of loaded) for (const one of byName.get(name)?.imports ?? []) loaded.add(one);
  const sizes = {};
  for (const name of loaded)
    for (const [id, { renderedLength }] of Object.entries(byName.get(name)?.modules ?? {})) {
      const [, inside = id.slice(root.length + 1)] = id.split(/node_modules\/(?!.*node_modules\/)/);
      const part = /^(?:@[^/]+\/[^/]+|server\/[^/]+\/[^/]+|[^/]+)/.exec(inside)?.[0] ?? inside;
      sizes[part] = (sizes[part] ?? 0) + renderedLength;
    }
  for (const [part, size] of Object.entries(sizes)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 40))
    console.log(`${(size / 1000).toFixed(0).padStart(5)}  ${part}`);
}
if (what === 'sizes') printSizes('main.mjs');

// A process that may read only this file. Nearly all of it is a library, so it is minified.
if (what !== 'cli') {
  const child = await rolldown({ cwd: root, platform: 'node', tsconfig: false, input: 'server/platform/pot/botguard-child.ts' });
  await child.write({ ...output, file: resolve(root, folder, 'botguard-child.mjs'), codeSplitting: false, minify: true });
  await child.close();
}
