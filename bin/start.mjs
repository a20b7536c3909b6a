// `npm start`, `npm run demo`, `npm run dev`: brings what is missing, then becomes the program.
import { join } from 'node:path';
import { become, root, underRightNode } from './node.mjs';
import { preparePackages, prepareWeb } from './prepare.mjs';

if (underRightNode(import.meta.url)) {
  const isDev = process.argv.includes('--dev');
  const isDemo = process.argv.includes('--demo');
  preparePackages({ withDevelopment: isDemo || isDev });
  if (!isDev) prepareWeb();
  if (isDemo || isDev) become(process.execPath, [join(root, 'standin/run-demo.ts'), ...process.argv.slice(2)]);
  else become(process.execPath, [join(root, 'server/main.ts')]);
}
