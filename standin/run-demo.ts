/** `npm run demo`: the stand-in, the real program behind it, and a library that arrives before your eyes. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { demoCatalogue, demoPlaces } from './demo.ts';
import { startStandin } from './site.ts';

const root = path.dirname(import.meta.dirname);
const login = { username: 'demo', password: 'demo' };

/** The environment in which the program has the stand-in for its whole internet. */
export const demoEnvironment = (proxyUrl: string): NodeJS.ProcessEnv => ({
  REELKEEP_DATA: path.join(root, 'demo-data'),
  REELKEEP_LOG: 'warn',
  ...process.env,
  REELKEEP_USERNAME: login.username,
  REELKEEP_PASSWORD: login.password,
  REELKEEP_PROXY: proxyUrl,
  REELKEEP_PROXY_INSECURE: 'on',
});

/** Says what a person would: logs in, chooses settings, and fills the box. */
export async function fillArchive(address: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${address}/api/health/`).catch(() => null);
    if (answer?.ok) break;
    if (attempt > 300) throw new Error('The program does not answer.');
    await wait(100);
  }
  const post = (place: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${address}${place}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const answer = await post('/api/user/login/', login);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
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
  const data = demoPlaces.map((place) => ({ youtube_id: place, status: 'pending' }));
  const added = await post('/api/download/?autostart=true', { data }, headers);
  if (!added.ok) throw new Error(`Nothing could be added: ${added.status} ${await added.text()}`);
}

async function main() {
  const standin = await startStandin({ catalogue: demoCatalogue(), media: path.join(root, '.tools/demo-media') });
  const env = demoEnvironment(standin.proxyUrl);
  const program = spawn(process.execPath, [path.join(root, 'bin/start.mjs')], { stdio: 'inherit', env });
  program.on('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
  const address = `http://127.0.0.1:${env['REELKEEP_PORT'] ?? 8000}`;
  await fillArchive(address);
  console.log(`Log in as ${login.username} / ${login.password}. The library is arriving now: look at Downloads.\n`);
}

if (import.meta.main) await main();
