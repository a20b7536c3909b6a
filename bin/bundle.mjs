// Gathers the server and the libraries it uses into a few files: of two thousand small ones, finding and opening them is what
// takes longest when it starts. Or the commands of the console, for where the sources are not. Run by prepare.mjs and image.mjs, under
// the right Node.
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './node.mjs';
import { consoleCommands } from './prepare.mjs';

const [, , folder, what] = process.argv;
const commands = consoleCommands.map((name) => [name, `server/console/${name}.ts`]);

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  tsconfig: false,
  // These begin threads with their own file, so each of them stays one.
  input: {
    ...(what === 'console'
      ? { healthcheck: 'server/healthcheck.ts', ...Object.fromEntries(commands) }
      : { main: 'server/main.ts' }),
    'sqlite-thread': 'server/db/sqlite-thread.ts',
    reader: 'server/reader.ts',
    'sqlite-snapshot': 'server/db/sqlite-snapshot.ts',
  },
  // Its files are sent as they are, found by its name.
  external: [/^swagger-ui-dist/],
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: resolve(root, folder),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  // V8 keeps the text of a program, with two bytes for each character as soon as a single one needs two: five megabytes more.
  charset: 'ascii',
  comments: false,
});
await bundle.close();
