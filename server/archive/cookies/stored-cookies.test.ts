import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUser, testApp, type TestApp } from '../../test-support/app.ts';
import { writeSecret } from '../settings/secret.ts';

describe('site cookies', () => {
  let t: TestApp;
  beforeEach(async () => {
    t = await testApp();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await t.close();
  });

  test.each([
    ['Asia/Kolkata', '2025-07-01 01:40'],
    ['America/New_York', '2025-06-30 16:10'],
    ['UTC', '2025-06-30 20:10'],
  ])('shows the time of the check in the time zone %s', async (zone, text) => {
    vi.stubEnv('TZ', zone);
    const validatedAt = Date.parse('2025-06-30T20:10:30Z') / 1000;
    await writeSecret(t.app, 'cookie', 'a cookie file', { isValid: true, validatedAt, endsAt: null });
    t.app.now = () => validatedAt + 60;
    const staff = await createUser(t, { isStaff: true });
    expect((await staff.call('GET', '/api/appsettings/cookie/')).json()).toMatchObject({
      status: true,
      validated: validatedAt,
      validated_str: text,
    });
  });
});
