import { argon2Sync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { generatePassword, hashPassword, isHashedAnew, isPassword } from './password.ts';

const of = (message: string, nonce: Buffer, { memory = 19 * 1024, passes = 2, parallelism = 1, tagLength = 32 } = {}) =>
  argon2Sync('argon2id', { message, nonce, memory, passes, parallelism, tagLength });
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

test('is kept as argon2id with 19 MiB, two passes and a salt of its own, and says so', async () => {
  const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
  const [, name, version, cost, text = '', hash] = one.split('$');
  const salt = Buffer.from(text, 'base64');
  expect([name, version, cost, hash]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1', unpadded(of('correct horse', salt))]);
  expect(salt).toHaveLength(16);
  expect(text).not.toBe(other.split('$')[4]);
  expect(isHashedAnew(one)).toBe(true);
});

test('is read in the ways that were used before, or elsewhere, which are to be replaced', async () => {
  const salt = randomBytes(16);
  const first = ['argon2id', salt.toString('base64url'), of('correct horse', salt).toString('base64url')].join('$');
  const costs = { memory: 1024, passes: 3, parallelism: 2, tagLength: 24 };
  const cheap = `$argon2id$v=19$m=1024,t=3,p=2$${unpadded(salt)}$${unpadded(of('correct horse', salt, costs))}`;
  for (const kept of [first, cheap])
    expect([await isPassword('correct horse', kept), await isPassword('correct horsE', kept), isHashedAnew(kept)]).toEqual([
      true,
      false,
      false,
    ]);
});

test('is never right where the way is not known, or asks for too much', async () => {
  const salt = unpadded(randomBytes(16));
  const hash = unpadded(randomBytes(32));
  const began = performance.now();
  for (const kept of [
    `$argon2id$v=19$m=99999999,t=2,p=1$${salt}$${hash}`,
    `$argon2id$v=19$m=19456,t=9999,p=1$${salt}$${hash}`,
    `$scrypt$ln=17,r=8,p=1$${salt}$${hash}`,
    'scrypt$x$y',
    'argon2id$$',
  ])
    expect([kept, await isPassword('x', kept), await isPassword('', kept)]).toEqual([kept, false, false]);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('is compared to its last character, in its case, with its spaces, however long it is', async () => {
  for (const password of ['Correct horse', ' of spaces ', `${'x'.repeat(999)}y`, 'пароль из слов', '🐎🔋📎🐎🔋📎']) {
    const kept = await hashPassword(password);
    expect(await isPassword(password, kept)).toBe(true);
    for (const other of [password.slice(0, -1), password.toUpperCase(), password.trim(), `${password} `])
      if (other !== password) expect([other.slice(-20), await isPassword(other, kept)]).toEqual([other.slice(-20), false]);
  }
});

test('is the same however its signs were typed: composed, or letter and accent', async () => {
  expect(await isPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true);
});

test('of nobody it is never right', async () => {
  expect([await isPassword('', undefined), await isPassword('', ''), await isPassword('x', '')]).toEqual([false, false, false]);
});

test('that is generated is another each time', () => {
  expect(new Set(Array.from({ length: 1000 }, generatePassword)).size).toBe(1000);
});
