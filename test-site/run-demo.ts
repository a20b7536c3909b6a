/** `npm run demo`: the test site, a real server that uses it, and a library that fills itself. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { demoCatalogue, demoPlaces } from './demo.ts';
import { startTestSite } from './site.ts';

const root = path.dirname(import.meta.dirname);
const login = { username: 'demo', password: 'demo' };

/** Environment of a server whose internet is the test site. */
export const demoEnvironment = (proxyUrl: string): NodeJS.ProcessEnv => ({
  REELKEEP_DATA: path.join(root, 'demo-data'),
  REELKEEP_LOG: 'warn',
  ...process.env,
  REELKEEP_USERNAME: login.username,
  REELKEEP_PASSWORD: login.password,
  REELKEEP_PROXY: proxyUrl,
  REELKEEP_PROXY_INSECURE: 'on',
  // Printed in the box with the address, so that it is the last thing to read.
  REELKEEP_DEV_DEMO_NOTE: `Log in as ${login.username} with the password ${login.password}. The library arrives now: open Downloads.`,
});

/** Logs in, changes settings, and adds URLs through the API. */
export async function fillArchive(address: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`${address}/api/health/`).catch(() => null);
    if (response?.ok) break;
    if (attempt > 300) throw new Error('The program does not answer.');
    await wait(100);
  }
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const response = await post('/api/user/login/', login);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const headers = {
    cookie: cookies.join('; '),
    'x-csrftoken': cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice(10) ?? '',
  };
  const downloads = {
    sleep_interval: 0,
    subtitle: 'en,de',
    subtitle_source: 'auto',
    subtitle_index: true,
    comment_max: '100,all,all,all',
    integrate_sponsorblock: true,
    integrate_ryd: true,
  };
  await post('/api/appsettings/config/', { downloads }, headers);
  const data = demoPlaces.map((url) => ({ youtube_id: url, status: 'pending' }));
  const added = await post('/api/download/?autostart=true', { data }, headers);
  if (!added.ok) throw new Error(`Nothing could be added: ${added.status} ${await added.text()}`);
}

async function main() {
  const testSite = await startTestSite({ catalogue: demoCatalogue(), media: path.join(root, '.tools/demo-media') });
  const env = demoEnvironment(testSite.proxyUrl);
  const program = spawn(process.execPath, [path.join(root, 'scripts/start.mjs')], { stdio: 'inherit', env });
  program.on('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
  const address = `http://127.0.0.1:${env['REELKEEP_PORT'] ?? 8000}`;
  await fillArchive(address);
}

if (import.meta.main) await main();
