import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasStrace, isDeadWithin, killCommandFor, killWhenSeen, pidOf } from '../support/killing.ts';
import { addressOf, createTempFolder, logInToProgram, type Program } from '../support/program.ts';
import {
  after,
  before,
  createTemplate,
  endAll,
  hasBegunRestore,
  lineCount,
  start,
  stateOf,
  stop,
  waitForTask,
} from '../support/restoring.ts';

let folder: Awaited<ReturnType<typeof createTempFolder>>;
beforeEach(async () => void (folder = await createTempFolder()));
afterEach(async () => {
  await endAll();
  await folder.remove();
});

describe('restoring a backup', () => {
  test('a kill leaves the old or the new content, and the next start works', async () => {
    const { data: template, filename } = await createTemplate(folder.path);
    expect(stateOf(template)).toBe(before);
    const copy = (name: string) => {
      const data = join(folder.path, name);
      cpSync(template, data, { recursive: true });
      return data;
    };
    const startRestore = async (program: Program) =>
      (await logInToProgram(await addressOf(program))).call('POST', `/api/appsettings/backup/${filename}/`);

    // Measures the duration of a complete restore.
    const completedData = copy('whole');
    const program = await start(completedData);
    const visitor = await logInToProgram(await addressOf(program));
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
    expect(await waitForTask(visitor, 'restore_backup')).toMatchObject({ status: 'SUCCESS' });
    console.log(`a restore of ${lineCount} lines took ${Math.round(tookMs)} ms; meanwhile ${[...statuses].join(', ')}`);
    expect([...statuses].filter((one) => one.startsWith('read'))).toEqual(['read 200']);
    expect(statuses).toContain('write 503');
    await stop(program);
    expect(stateOf(completedData)).toBe(after);

    const outcomes: string[] = [];
    const check = async (name: string, data: string, killed: Program) => {
      await killed.ended; // other threads may still write after the main thread has ended
      const state = stateOf(data);
      expect([before, after], `${name}: ${state}`).toContain(state);
      const hadBegun = hasBegunRestore(data);
      outcomes.push(`${name}: ${state === after ? 'new' : hadBegun ? 'old' : 'old, not begun'}`);
      const next = await start(data);
      const client = await logInToProgram(await addressOf(next));
      const { status, result } = await waitForTask(client, 'restore_backup');
      // An interrupted restore is not resumed, because it would overwrite later changes. One that had not begun runs now.
      expect(status, `${name}: ${state} ${result}`).toBe(state === after || !hadBegun ? 'SUCCESS' : 'FAILURE');
      await stop(next);
      expect(stateOf(data)).toBe(hadBegun ? state : after);
      expect(readdirSync(data).filter((file) => file.includes('restoring'))).toEqual([]);
    };

    for (let share = 0; share <= 5; share++) {
      const name = `after ${share * 20} %`;
      const data = copy(`k${share}`);
      const interrupted = await start(data);
      const pid = await pidOf(interrupted);
      await startRestore(interrupted);
      await wait((tookMs * share * 20) / 100);
      process.kill(pid, 'SIGKILL');
      await isDeadWithin(pid, 5000);
      await check(name, data, interrupted);
    }

    const walOf = (data: string) => join(data, 'reelkeep.db-wal');
    const moments: [name: string, isReached: (data: string) => boolean][] = [
      ['the new database is created', (data) => existsSync(join(data, 'reelkeep.db.restoring'))],
      ['the new database replaces the old one', (data) => existsSync(walOf(data)) && statSync(walOf(data)).size > 2_000_000],
    ];
    for (const [name, isReached] of moments) {
      const data = copy(name);
      const interrupted = await start(data);
      const pid = await pidOf(interrupted);
      await startRestore(interrupted);
      expect(await killWhenSeen(pid, () => isReached(data), 20_000), name).toBe(true);
      await check(name, data, interrupted);
    }

    if (hasStrace)
      for (const [name, calls, file, when] of [
        ['before a write to the old database', 'pwrite64', 'reelkeep.db-wal', 200],
        ['before the temporary database is deleted', 'unlink,unlinkat', 'reelkeep.db.restoring', 1],
      ] as const) {
        const data = copy(name);
        const interrupted = await start(data, killCommandFor({ name, calls, path: join(data, file), when }));
        const pid = await pidOf(interrupted);
        await startRestore(interrupted).catch(() => {});
        if (!(await isDeadWithin(pid, 20_000))) {
          outcomes.push(`${name}: not reached`);
          await stop(interrupted);
          continue;
        }
        await check(name, data, interrupted);
      }
    console.log(outcomes.join('\n'));
    expect(outcomes.length).toBeGreaterThanOrEqual(7);
    expect(outcomes.some((one) => one.endsWith('old'))).toBe(true);
  }, 1_500_000);
});
