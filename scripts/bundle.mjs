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
    'verify-signature': 'server/platform/ytdlp/verify-signature.ts',
    'botguard-child': 'server/platform/pot/botguard-child.ts',
  },
  // Its files are served unchanged from node_modules.
  external: [/^swagger-ui-dist/],
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: resolve(root, folder),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  // V8 keeps the source text, with two bytes per character if a single one is not Latin-1: five megabytes more.
  charset: 'ascii',
  comments: false,
});
await bundle.close();
