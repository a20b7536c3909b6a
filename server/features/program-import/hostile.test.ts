import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '../../platform/config/data-folder.ts';
import type { TestApp } from '../../test-support/app.ts';
import { archiveForImports, contentsOf, importFromProgram, writeImports, type Staff } from '../../test-support/program-import.ts';

// Files that are small and take long to parse, or that are very large.

const megabyte = 1024 * 1024;

describe('an import', () => {
  let t: TestApp;
  let staff: Staff;
  beforeEach(async () => {
    ({ t, staff } = await archiveForImports());
  });
  afterEach(() => t.close());

  /** Runs an import, and sends requests meanwhile. Returns its report and the longest time of a request. */
  async function importWhileRequesting(from: string, path: string) {
    let isOver = false;
    let slowestMs = 0;
    const requests = (async () => {
      while (!isOver) {
        const startedAt = performance.now();
        await new Promise(setImmediate);
        await staff.call('GET', '/api/ping/');
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      }
    })();
    const report = await importFromProgram(t, staff, { from, path });
    isOver = true;
    await requests;
    return { report, slowestMs };
  }
  /** Writes a file of one megabyte `times` times. */
  async function writeLarge(name: string, start: string, part: string, times: number, end: string) {
    await writeImports(t, {});
    const file = createWriteStream(join(importFolder(t.app.config), name));
    file.write(start);
    for (let n = 0; n < times; n++) if (!file.write(part)) await new Promise((resolve) => file.once('drain', resolve));
    file.end(end);
    await finished(file);
  }

  test.each([
    ['200,000 elements', 1, '<outline/>'.repeat(200_000)],
    ['16 MB of elements', 1, '<outline/>'.repeat(1_600_000)],
    ['40,000 levels', 1, '<outline>'.repeat(40_000)],
  ])('of an OPML file with %s is rejected while other requests are answered', async (_, times, part) => {
    const before = await contentsOf(t);
    await writeLarge('feeds.opml', '<?xml version="1.0"?><opml version="1.1"><body>', part, times, '</body></opml>');
    const { report, slowestMs } = await importWhileRequesting('opml', 'feeds.opml');
    expect([report.status, report.error]).toEqual(['failed', expect.stringMatching(/more than 50,000 entries|too deeply/)]);
    expect(await contentsOf(t)).toEqual(before);
    expect(slowestMs).toBeLessThan(500);
  });

  test('of an OPML file with 40,000 elements takes seconds', async () => {
    await writeLarge('feeds.opml', '<opml version="1.1"><body>', '<outline/>'.repeat(40_000), 1, '</body></opml>');
    const startedAt = performance.now();
    const { report, slowestMs } = await importWhileRequesting('opml', 'feeds.opml');
    expect(report.error).toMatch(/nothing|no /i);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(slowestMs).toBeLessThan(500);
  });

  test('of an OPML file with two million attributes does not delay requests', async () => {
    const attributes = Array.from({ length: 250 }, (_, n) => `a${n}=""`).join(' ');
    await writeLarge('feeds.opml', '<opml version="1.1"><body>', `<outline ${attributes}/>`, 8000, '</body></opml>');
    const { report, slowestMs } = await importWhileRequesting('opml', 'feeds.opml');
    expect(report.error).toMatch(/nothing|no /i);
    expect(slowestMs).toBeLessThan(500);
  });

  test('of an SQL dump of 100 MB with one row is rejected while other requests are answered', async () => {
    const before = await contentsOf(t);
    await writeLarge('youtarr.sql', "INSERT INTO `Channels` (`id`, `title`) VALUES (1,'", 'x'.repeat(megabyte), 100, "');\n");
    const { report, slowestMs } = await importWhileRequesting('youtarr', 'youtarr.sql');
    expect([report.status, report.error]).toEqual(['failed', expect.stringMatching(/youtarr\.sql has a row of more than 4 MB/)]);
    expect(await contentsOf(t)).toEqual(before);
    expect(slowestMs).toBeLessThan(500);
  });

  test('of an SQL dump with 300,000 values in a row takes seconds', async () => {
    const create = 'CREATE TABLE `Channels` (\n  `channel_id` varchar(255),\n  `title` text,\n  `url` text\n);\n';
    await writeLarge('youtarr.sql', `${create}INSERT INTO \`Channels\` VALUES (`, "'',".repeat(300_000), 1, "'');\n");
    const startedAt = performance.now();
    const { report, slowestMs } = await importWhileRequesting('youtarr', 'youtarr.sql');
    expect(['done', 'failed']).toContain(report.status);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(slowestMs).toBeLessThan(500);
  });
});
