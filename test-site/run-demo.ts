/** `npm run demo`: the test site, a real server that uses it, and a library that fills itself. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { demoNotes, demoTags } from './demo-notes.ts';
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

type Send = (method: string, path: string, body?: object) => Promise<Response>;

/** Writes the notes and tags of the demo when their videos and channels have arrived. */
async function writeNotes(send: Send): Promise<void> {
  const notes = (await (await send('GET', '/api/note/')).json()) as { data: object[] };
  if (notes.data.length > 0) return; // of an earlier run
  const arrival = async (path: string) => {
    while ((await send('GET', path)).status === 404) await wait(1000);
  };
  for (const note of demoNotes) {
    await arrival(`/api/video/${note.video}/`);
    await send('POST', '/api/note/', note);
  }
  for (const [name, { video = [], channel = [] }] of Object.entries(demoTags)) {
    for (const id of channel) await arrival(`/api/channel/${id}/`);
    await send('PUT', `/api/tag/${encodeURIComponent(name)}/`, { add: { video, channel } });
  }
}

/** Logs in, changes settings, and adds URLs through the API. `notes` ends when notes are written about what has arrived. */
export async function fillArchive(address: string): Promise<{ notes: Promise<void> }> {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`${address}/api/health/`).catch(() => null);
    if (response?.ok) break;
    if (attempt > 300) throw new Error('The program does not answer.');
    await wait(100);
  }
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const send: Send = (method, path, body) =>
    fetch(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const response = await send('POST', '/api/user/login/', login);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  headers['cookie'] = cookies.join('; ');
  headers['x-csrftoken'] = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice(10) ?? '';
  const downloads = {
    sleep_interval: 0,
    subtitle: 'en,de',
    audio_languages: 'de,fr',
    audio_auto_dubs: true,
    subtitle_source: 'auto',
    subtitle_index: true,
    comment_max: '100,all,all,all',
    integrate_sponsorblock: true,
    integrate_ryd: true,
  };
  await send('POST', '/api/appsettings/config/', { downloads });
  const data = demoPlaces.map((url) => ({ youtube_id: url, status: 'pending' }));
  const added = await send('POST', '/api/download/?autostart=true', { data });
  if (!added.ok) throw new Error(`Nothing could be added: ${added.status} ${await added.text()}`);
  return { notes: writeNotes(send) };
}

async function main() {
  const testSite = await startTestSite({ catalogue: demoCatalogue(), media: path.join(root, '.tools/demo-media') });
  const env = demoEnvironment(testSite.proxyUrl);
  const program = spawn(process.execPath, [path.join(root, 'scripts/start.mjs')], { stdio: 'inherit', env });
  program.on('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
  const address = `http://127.0.0.1:${env['REELKEEP_PORT'] ?? 8000}`;
  await (
    await fillArchive(address)
  ).notes;
}

if (import.meta.main) await main();
