import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { done } from '../../e2e/backups.ts';
import { aVideo, testArchive } from '../testing.ts';
import { listBackups } from './folder.ts';
import { restoreBackup } from './restore-backup.ts';
import { runBackup } from './run-backup.ts';

const lines = 300_000;

test('a backup of many lines, and its restore, hold a page of them and no more', async () => {
  const t = await testArchive({ onDisk: true });
  try {
    await aVideo(t.archive.db, { id: 'aaaaaaaaaaa' });
    await sql`insert into line with recursive c(n) as (select 0 union all select n + 1 from c where n < ${lines - 1})
      select 'aaaaaaaaaaa', 'en', n, n * 1.5, n * 1.5 + 1, 'These are words as people say them, and this is number ' || n from c`.execute(
      t.archive.db,
    );
    await t.runner.begin();
    const measured = async (work: () => Promise<{ status: string; result: string | null }>) => {
      globalThis.gc?.();
      const before = process.memoryUsage().rss;
      let most = before;
      const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
      const began = performance.now();
      const said = await work();
      clearInterval(timer);
      expect(said.status, said.result ?? '').toBe('success');
      return { megabytes: Math.round((most - before) / 1e6), seconds: ((performance.now() - began) / 1000).toFixed(1) };
    };
    const written = await measured(() => done(t, t.archive.tasks.start(runBackup, { reason: 'auto' })));
    const [backup] = await listBackups(t.archive);
    const filename = backup!.filename;
    const restored = await measured(() =>
      done(t, t.archive.tasks.start(restoreBackup, { filename, dry_run: false, watched_for: 'me' })),
    );
    console.log(`${lines} lines: backup of ${(backup!.file_size / 1e6).toFixed(1)} MB in ${written.seconds} s, resident memory +${written.megabytes} MB; restore in ${restored.seconds} s, +${restored.megabytes} MB`); // prettier-ignore
    expect(written.megabytes).toBeLessThan(150);
    expect(restored.megabytes).toBeLessThan(250);
  } finally {
    await t.close();
  }
}, 120_000);
