import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasStrace, isDeadWithin, killedBefore, killWhenSeen, pidOf } from './killing.ts';
import { addressOf, aFolder, aVisitor, type Program } from './program.ts';
import { after, aTemplate, before, endAll, finished, lineCount, start, stateOf, stop } from './restoring.ts';

let folder: Awaited<ReturnType<typeof aFolder>>;
beforeEach(async () => void (folder = await aFolder()));
afterEach(async () => {
  await endAll();
  await folder.remove();
});

describe('a restore', () => {
  test('killed at any point leaves the old archive or the new, and the next start is well', async () => {
    const { data: template, filename } = await aTemplate(folder.path);
    expect(stateOf(template)).toBe(before);
    const copy = (name: string) => {
      const data = join(folder.path, name);
      cpSync(template, data, { recursive: true });
      return data;
    };
    const restoring = async (program: Program) =>
      (await aVisitor(await addressOf(program))).call('POST', `/api/appsettings/backup/${filename}/`);

    // Once to its end, to know how long it takes.
    const whole = copy('whole');
    const program = await start(whole);
    const visitor = await aVisitor(await addressOf(program));
    const began = performance.now();
    await visitor.call('POST', `/api/appsettings/backup/${filename}/`);
    const statuses = new Set<string>();
    for (let isOver = false; !isOver;) {
      const [read, write] = await Promise.all([
        visitor.call('GET', '/api/channel/'),
        visitor.call('POST', '/api/user/me/', { page_size: 9 }),
      ]);
      statuses.add(`read ${read.status}`).add(`write ${write.status}`);
      const { json } = await visitor.call('GET', '/api/task/by-name/restore_backup/');
      isOver = (json as { status: string }[])[0]?.status !== 'PENDING';
      await wait(5);
    }
    const tookMs = performance.now() - began;
    expect(await finished(visitor, 'restore_backup')).toMatchObject({ status: 'SUCCESS' });
    console.log(`a restore of ${lineCount} lines took ${Math.round(tookMs)} ms; meanwhile ${[...statuses].join(', ')}`);
    expect([...statuses].filter((one) => one.startsWith('read'))).toEqual(['read 200']);
    expect(statuses).toContain('write 503');
    await stop(program);
    expect(stateOf(whole)).toBe(after);

    const outcomes: string[] = [];
    const check = async (name: string, data: string, killed: Program) => {
      await killed.ended; // its first thread may be dead while another is still in the middle of a write
      const state = stateOf(data);
      expect([before, after], `${name}: ${state}`).toContain(state);
      outcomes.push(`${name}: ${state === after ? 'new' : 'old'}`);
      const next = await start(data);
      const again = await aVisitor(await addressOf(next));
      const { status, result } = await finished(again, 'restore_backup');
      // It never goes on by itself over what people did since.
      expect(status === 'SUCCESS' ? after : before, `${name}: ${status} ${result}`).toBe(state);
      await stop(next);
      expect(stateOf(data)).toBe(state);
      expect(readdirSync(data).filter((file) => file.includes('restoring'))).toEqual([]);
    };

    for (let share = 1; share <= 5; share++) {
      const name = `after ${share * 20} %`;
      const data = copy(`k${share}`);
      const one = await start(data);
      const pid = await pidOf(one);
      await restoring(one);
      await wait((tookMs * share * 20) / 100);
      process.kill(pid, 'SIGKILL');
      await isDeadWithin(pid, 5000);
      await check(name, data, one);
    }

    const walOf = (data: string) => join(data, 'reelkeep.db-wal');
    const seen: [name: string, isSeen: (data: string) => boolean][] = [
      ['the new database begins', (data) => existsSync(join(data, 'reelkeep.db.restoring'))],
      ['it takes the place of the old one', (data) => existsSync(walOf(data)) && statSync(walOf(data)).size > 2_000_000],
    ];
    for (const [name, isSeen] of seen) {
      const data = copy(name);
      const one = await start(data);
      const pid = await pidOf(one);
      await restoring(one);
      expect(await killWhenSeen(pid, () => isSeen(data), 20_000), name).toBe(true);
      await check(name, data, one);
    }

    if (hasStrace)
      for (const [name, calls, file, when] of [
        ['before a write into the place of the old one', 'pwrite64', 'reelkeep.db-wal', 200],
        ['before the last of the new one is removed', 'unlink,unlinkat', 'reelkeep.db.restoring', 1],
      ] as const) {
        const data = copy(name);
        const one = await start(data, killedBefore({ name, calls, path: join(data, file), when }));
        const pid = await pidOf(one);
        await restoring(one).catch(() => {});
        if (!(await isDeadWithin(pid, 20_000))) {
          outcomes.push(`${name}: did not come`);
          await stop(one);
          continue;
        }
        await check(name, data, one);
      }
    console.log(outcomes.join('\n'));
    expect(outcomes.length).toBeGreaterThanOrEqual(7);
    expect(outcomes.some((one) => one.endsWith('old'))).toBe(true);
  }, 1_500_000);
});
