import { expect, test } from 'vitest';
import { tasks } from '../../app/registry.ts';
import { createUser, testApp } from '../../test-support/app.ts';
import { initializeSchedules } from './schedule.ts';

test('a new installation refreshes metadata and checks thumbnails every day', async () => {
  const t = await testApp();
  try {
    await initializeSchedules(t.app, tasks);
    const staff = await createUser(t, { isStaff: true });
    const schedules = (await staff.call('GET', '/api/task/schedule/')).json() as { name: string }[];
    expect(schedules).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'check_reindex', schedule: '0 12 *', config: { days: 90 } }),
        expect.objectContaining({ name: 'thumbnail_check', schedule: '0 17 *' }),
        expect.objectContaining({ name: 'version_check', schedule: '0 11 *' }),
      ]),
    );
    expect((await staff.call('GET', '/api/user/me/')).json().page_size).toBe(12);
  } finally {
    await t.close();
  }
});
