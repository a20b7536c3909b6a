import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createChannel, createUser, testTimeouts, testApp } from '../../../test-support/app.ts';

test('sets image flags of channels by the files in the cache folder', async () => {
  const t = await testApp();
  try {
    await t.runner.begin();
    const { db, config } = t.app;
    await createChannel(db, { id: 'UCactive' });
    await createChannel(db, { id: 'UCinactive', isActive: 0 });
    await mkdir(join(config.cacheFolder, 'channels'), { recursive: true });
    for (const name of ['UCactive_thumb', 'UCactive_tvart', 'UCinactive_thumb', 'UCinactive_banner'])
      await writeFile(join(config.cacheFolder, 'channels', `${name}.jpg`), 'a picture');
    const staff = await createUser(t, { isStaff: true });
    const { task_id: id } = (await staff.call('POST', '/api/task/by-name/thumbnail_check/')).json();
    await expect
      .poll(async () => (await staff.call('GET', `/api/task/by-id/${id}/`)).json().status, testTimeouts)
      .toBe('SUCCESS');
    const art = async (channel: string) => (await staff.call('GET', `/api/channel/${channel}/`)).json().channel_art;
    expect([await art('UCactive'), await art('UCinactive')]).toEqual([
      ['thumb', 'tvart'],
      ['thumb', 'banner'],
    ]);
  } finally {
    await t.close();
  }
});
