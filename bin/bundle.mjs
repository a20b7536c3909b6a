// Gathers the server and the libraries it uses into a few files: of two thousand small ones, finding and opening them is what
// takes longest when it starts. Run by prepare.mjs, under the right Node.
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './node.mjs';

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  tsconfig: false,
  // These begin threads with their own file, so each of them stays one.
  input: {
    main: 'server/main.ts',
    'sqlite-thread': 'server/db/sqlite-thread.ts',
    reader: 'server/reader.ts',
    'sqlite-snapshot': 'server/db/sqlite-snapshot.ts',
  },
  // Its files are sent as they are, found by its name.
  external: [/^swagger-ui-dist/],
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: join(root, process.argv[2]),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  // V8 keeps the text of a program, with two bytes for each character as soon as a single one needs two: five megabytes more.
  charset: 'ascii',
  comments: false,
});
await bundle.close();
