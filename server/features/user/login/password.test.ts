import { argon2Sync, randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { generatePassword, hashPassword, isCurrentHash, matchesPassword, recommendedCost, setHashCost } from './password.ts';

const previousCost = setHashCost(recommendedCost);
afterAll(() => void setHashCost(previousCost));

const hashOf = (message: string, nonce: Buffer, { memory = 19 * 1024, passes = 2, parallelism = 1, tagLength = 32 } = {}) =>
  argon2Sync('argon2id', { message, nonce, memory, passes, parallelism, tagLength });
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

test('is hashed as argon2id with 19 MiB, two passes and a random salt', async () => {
  const [hash, otherHash] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
  const [, name, version, cost, text = '', digest] = hash.split('$');
  const salt = Buffer.from(text, 'base64');
  expect([name, version, cost, digest]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1', unpadded(hashOf('correct horse', salt))]);
  expect(salt).toHaveLength(16);
  expect(text).not.toBe(otherHash.split('$')[4]);
  expect(isCurrentHash(hash)).toBe(true);
});

test('former and foreign hash formats are accepted and renewed', async () => {
  const salt = randomBytes(16);
  const oldHash = ['argon2id', salt.toString('base64url'), hashOf('correct horse', salt).toString('base64url')].join('$');
  const costs = { memory: 1024, passes: 3, parallelism: 2, tagLength: 24 };
  const foreignHash = `$argon2id$v=19$m=1024,t=3,p=2$${unpadded(salt)}$${unpadded(hashOf('correct horse', salt, costs))}`;
  for (const storedHash of [oldHash, foreignHash])
    expect([
      await matchesPassword('correct horse', storedHash),
      await matchesPassword('correct horsE', storedHash),
      isCurrentHash(storedHash),
    ]).toEqual([true, false, false]);
});

test('rejects unknown formats and excessive costs', async () => {
  const salt = unpadded(randomBytes(16));
  const hash = unpadded(randomBytes(32));
  const startedAt = performance.now();
  for (const storedHash of [
    `$argon2id$v=19$m=99999999,t=2,p=1$${salt}$${hash}`,
    `$argon2id$v=19$m=19456,t=9999,p=1$${salt}$${hash}`,
    `$scrypt$ln=17,r=8,p=1$${salt}$${hash}`,
    'scrypt$x$y',
    'argon2id$$',
  ])
    expect([storedHash, await matchesPassword('x', storedHash), await matchesPassword('', storedHash)]).toEqual([
      storedHash,
      false,
      false,
    ]);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('is compared completely, with case and spaces, at any length', async () => {
  for (const password of ['Correct horse', ' of spaces ', `${'x'.repeat(999)}y`, 'пароль из слов', '🐎🔋📎🐎🔋📎']) {
    const storedHash = await hashPassword(password);
    expect(await matchesPassword(password, storedHash)).toBe(true);
    for (const otherPassword of [password.slice(0, -1), password.toUpperCase(), password.trim(), `${password} `])
      if (otherPassword !== password)
        expect([otherPassword.slice(-20), await matchesPassword(otherPassword, storedHash)]).toEqual([
          otherPassword.slice(-20),
          false,
        ]);
  }
});

test('is equal in composed and decomposed form', async () => {
  expect(await matchesPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true);
});

test('without a hash is never valid', async () => {
  expect([await matchesPassword('', undefined), await matchesPassword('', ''), await matchesPassword('x', '')]).toEqual([
    false,
    false,
    false,
  ]);
});

test('generated passwords differ', () => {
  expect(new Set(Array.from({ length: 1000 }, generatePassword)).size).toBe(1000);
});
