/**
 * `npm run bench -- migrate`: imports a Pinchflat database without its media: 200 sources with rules and 50,000 items, a quarter of
 * them unwanted; then undoes it. A tenth of it shows how memory depends on the size.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { writePinchflat } from '#server/test-support/pinchflat.ts';
import { logInToProgram } from '../e2e/support/program.ts';
import { table } from './large.ts';
import { residentMib, stop, timedStart, waitUntilIdle } from './program.ts';

const sources = 200;
const padded = (n: number, length: number) => String(n).padStart(length, '0');

function* itemsOf(count: number) {
  for (let n = 0; n < count; n++)
    yield {
      source_id: (n % sources) + 1,
      media_id: `p${padded(n, 10)}`,
      title: `How the railway came to station ${n}, and what became of it`,
      description: 'A text as long as descriptions are. '.repeat(40),
      duration_seconds: 600 + (n % 3000),
      uploaded_at: '2024-05-06T07:08:09',
      prevent_download: n % 4 === 0 ? 1 : 0,
    };
}

async function measure(count: number): Promise<string[]> {
  const data = await mkdtemp(join(tmpdir(), 'reelkeep-bench-'));
  writePinchflat(join(data, 'import/pinchflat.db'), {
    profiles: [{ preferred_resolution: '1080p' }],
    sources: Array.from({ length: sources }, (_, n) => ({
      collection_id: `UC${padded(n, 22)}`,
      custom_name: `Source ${n}`,
      min_duration_seconds: 60,
    })),
    items: itemsOf(count),
  });
  const { program, address } = await timedStart(data);
  try {
    await waitUntilIdle(program);
    const { call } = await logInToProgram(address);
    const before = (await residentMib(program)) ?? 0;
    let most = before;
    /** Starts a run and returns its seconds. */
    const run = async (path: string, body: object) => {
      const began = performance.now();
      const started = await call('POST', path, body);
      if (started.status !== 200) throw new Error(JSON.stringify(started.json));
      const { id } = started.json as { id: string };
      for (;;) {
        const report = (await call('GET', `/api/migrate/${id}/`)).json as { status: string; error: string | null };
        most = Math.max(most, (await residentMib(program)) ?? 0);
        if (report.error) throw new Error(report.error);
        if (report.status === (path.endsWith('/undo/') ? 'undone' : 'done'))
          return { id, seconds: (performance.now() - began) / 1000 };
        await wait(50);
      }
    };
    const source = { from: 'pinchflat', path: 'pinchflat.db' };
    const dry = await run('/api/migrate/', { ...source, dry_run: true });
    const real = await run('/api/migrate/', { ...source, take: ['subscriptions', 'rules', 'queue', 'ignored'] });
    const undo = await run(`/api/migrate/${real.id}/undo/`, {});
    const seconds = [dry, real, undo].map((one) => `${one.seconds.toFixed(1)} s`);
    return [String(count), ...seconds, `${Math.round(before)} MiB`, `+${Math.round(most - before)} MiB`];
  } finally {
    await stop(program);
    await rm(data, { recursive: true, force: true });
  }
}

const rows = [];
for (const count of [5000, 50_000]) rows.push(await measure(count));
table(['items', 'dry run', 'import', 'undo', 'memory before', 'most'], rows);
