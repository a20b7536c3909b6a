import { expect, test } from 'vitest';
import { webhookUrl } from './webhook-url.ts';

test.each([
  ['https://example.org/hooks/a', 's3cret', 'jsons://example.org/hooks/a?secret=s3cret'],
  [' http://nas:5678 ', '', 'json://nas:5678'],
  ['https://me:pass@example.org/?key=a%20b', 'x&y', 'jsons://me:pass@example.org?-key=a%20b&secret=x%26y'],
])('makes the notification URL of %s', (address, secret, url) => {
  expect(webhookUrl(address, secret)).toBe(url);
});

test.each(['', 'example.org/hook', 'ftp://example.org', 'https://'])('rejects the address “%s”', (address) => {
  expect(webhookUrl(address, '')).toBeNull();
});
