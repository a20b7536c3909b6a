import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '../../test-support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
const sendRequest = (remoteAddress: string) => t.server.inject({ url: '/api/health/', remoteAddress });

test('limits the requests of an address without affecting others', async () => {
  for (let n = 0; n < 2_000; n++) expect((await sendRequest('203.0.113.7')).statusCode).toBe(200);
  const rejected = await sendRequest('203.0.113.7');
  expect([rejected.statusCode, rejected.json()]).toMatchObject([429, { detail: expect.stringContaining('Too many requests') }]);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  expect((await sendRequest('203.0.113.8')).statusCode).toBe(200);
  expect((await sendRequest('127.0.0.1')).statusCode).toBe(200);
});

test('counts an IPv6 /64 as one address', async () => {
  for (let n = 0; n < 2_001; n++) await sendRequest(`2001:db8::${(n % 50).toString(16)}`);
  expect((await sendRequest('2001:db8::ffff')).statusCode).toBe(429);
  expect((await sendRequest('2001:db8:0:1::1')).statusCode).toBe(200);
});
