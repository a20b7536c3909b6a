/** `npm run dev`: the demo with reload. The server restarts when its code changes, the web app updates itself. */
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { demoCatalogue } from './demo.ts';
import { demoEnvironment, fillArchive } from './run-demo.ts';
import { startTestSite } from './site.ts';

const root = path.dirname(import.meta.dirname);
const serverPort = '8001';

const testSite = await startTestSite({ catalogue: demoCatalogue(), media: path.join(root, '.tools/demo-media') });
const env = {
  ...demoEnvironment(testSite.proxyUrl),
  REELKEEP_PORT: serverPort,
  REELKEEP_LOG: process.env['REELKEEP_LOG'] ?? 'info',
};
const start = (args: string[], more: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, args, { stdio: 'inherit', cwd: root, env: { ...env, ...more } });
const children: ChildProcess[] = [
  start(['--watch', '--watch-preserve-output', 'server/main.ts']),
  start(['node_modules/vite/bin/vite.js'], { REELKEEP_DEV_SERVER: `http://127.0.0.1:${serverPort}` }),
];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    setTimeout(() => process.exit(0), 500);
  });
const { notes } = await fillArchive(`http://127.0.0.1:${serverPort}`);
console.log('Open http://localhost:8000 and log in as demo / demo.');
// The server may restart meanwhile.
await notes.catch(() => console.warn('Not all notes of the demo were written.'));
