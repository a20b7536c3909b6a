import { readKey } from 'openpgp';
import { expect, test } from 'vitest';
import { isLowerVersion } from './release.ts';
import { ytdlpReleaseKey } from './release-key.ts';

test('pins the published signing key of yt-dlp', async () => {
  const key = await readKey({ armoredKey: ytdlpReleaseKey });
  expect(key.getFingerprint().toUpperCase()).toBe('AC0CBBE6848D6A873464AF4E57CF65933B5A7581');
  expect(await key.getExpirationTime()).toBe(Infinity);
  await key.verifyPrimaryKey();
});

test.each([
  ['2026.10.26', '2026.11.01', true],
  ['2026.10.26', '2026.10.26.1', true],
  ['2026.10.26', '2026.10.26', false],
  ['2026.10.26.10', '2026.10.26.9', false],
  ['2026.11.01', '2026.10.26.1', false],
])('compares version %s with %s', (version, than, isLower) => expect(isLowerVersion(version, than)).toBe(isLower));
