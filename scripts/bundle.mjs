// Bundles the server and its libraries into a few files, because finding and opening two thousand small ones takes most of the
// startup time (docs/decisions/server-bundle.md). Or the CLI commands, for images without sources. Run by prepare.mjs and
// image.mjs with the right Node version.
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './node.mjs';
import { cliCommands } from './prepare.mjs';

const [, , folder, what] = process.argv;
const commands = cliCommands.map((name) => [name, `server/cli/${name}.ts`]);

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  tsconfig: false,
  // These start worker threads with their own file, so each stays a separate entry.
  input: {
    ...(what === 'cli' ? Object.fromEntries(commands) : { main: 'server/main.ts' }),
    worker: 'server/platform/db/sqlite/worker.ts',
    'query-worker': 'server/app/query-worker.ts',
    snapshot: 'server/platform/db/sqlite/snapshot.ts',
    'read-items': 'server/features/migrate/read-items.ts',
    'verify-signature': 'server/platform/ytdlp/verify-signature.ts',
  },
  // Its files are served unchanged from node_modules.
  external: [/^swagger-ui-dist/],
  checks: { ineffectiveDynamicImport: false },
});
// V8 keeps the source text, with two bytes per character if a single one is not Latin-1: five megabytes more.
const output = { format: 'esm', charset: 'ascii', comments: false };
await bundle.write({
  ...output,
  dir: resolve(root, folder),
  cleanDir: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
await bundle.close();

// A process that may read only this file. Nearly all of it is a library, so it is minified.
if (what !== 'cli') {
  const child = await rolldown({ cwd: root, platform: 'node', tsconfig: false, input: 'server/platform/pot/botguard-child.ts' });
  await child.write({ ...output, file: resolve(root, folder, 'botguard-child.mjs'), codeSplitting: false, minify: true });
  await child.close();
}
