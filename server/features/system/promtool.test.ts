import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChannel, createQueueItem, createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';

// Prometheus' own check of metrics, alert rules and configuration.

const promtool = process.env.REELKEEP_TEST_PROMTOOL;

describe.runIf(promtool)('promtool', () => {
  let t: TestApp;
  beforeEach(async () => {
    t = await testApp();
  });
  afterEach(() => t.close());

  const check = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(promtool!, ['check', ...args], { cwd: t.folder, encoding: 'utf8', input });
    return { status, output: stdout + stderr };
  };

  test('accepts the metrics without a warning', async () => {
    const staff = await createUser(t, { isStaff: true });
    const channelId = await createChannel(t.app.db);
    await createVideo(t.app.db, { channelId, sizeBytes: 1000 });
    await createQueueItem(t.app.db);
    await staff.call('GET', `/api/channel/${channelId}/`);
    const { body } = await staff.call('GET', '/metrics');
    expect(body).toContain('reelkeep_event_loop_delay_seconds{');
    expect(check(['metrics'], body)).toEqual({ status: 0, output: '' });
  });

  test('accepts the alert rules and the scrape configuration of docs/operations.md', async () => {
    const doc = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const blocks = [...doc.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);
    const block = (key: string) => blocks.find((text) => text.startsWith(`${key}:`))!;
    await writeFile(join(t.folder, 'reelkeep.rules.yml'), block('groups'));
    await writeFile(join(t.folder, 'prometheus.yml'), block('scrape_configs'));
    const success = (text: string) => ({ status: 0, output: expect.stringContaining(`SUCCESS: ${text}`) });
    expect(check(['rules', 'reelkeep.rules.yml'])).toEqual(success('3 rules found'));
    // It would also look for the file of the token.
    expect(check(['config', '--syntax-only', 'prometheus.yml'])).toEqual(success('prometheus.yml is valid'));
  });
});
