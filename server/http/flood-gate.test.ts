import { afterAll, beforeAll, expect, test } from 'vitest';
import { testArchive, type TestArchive } from '../testing.ts';

let t: TestArchive;
beforeAll(async () => {
  t = await testArchive();
});
afterAll(() => t.close());
const ask = (remoteAddress: string) => t.app.inject({ url: '/api/health/', remoteAddress });

test('an address that asks without end is told to wait, and the others are not', async () => {
  for (let n = 0; n < 2_000; n++) expect((await ask('203.0.113.7')).statusCode).toBe(200);
  const refused = await ask('203.0.113.7');
  expect([refused.statusCode, refused.json()]).toEqual([429, { detail: expect.stringContaining('Too many requests') }]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('203.0.113.8')).statusCode).toBe(200);
  expect((await ask('127.0.0.1')).statusCode).toBe(200);
});

test('a whole household of IPv6 is one address', async () => {
  for (let n = 0; n < 2_001; n++) await ask(`2001:db8::${(n % 50).toString(16)}`);
  expect((await ask('2001:db8::ffff')).statusCode).toBe(429);
  expect((await ask('2001:db8:0:1::1')).statusCode).toBe(200);
});
